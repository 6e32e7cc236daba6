"""Consolidates ended sessions: reads a person's words and draws conclusions from all that is known of them.

Everything that a run writes is one transaction, under the order's lease, the permission to conclude, and the
version of the person's rows: of many deliveries one writes, runs of one person take turns, and nothing is
written after a refusal.
"""

import json
import logging
from collections.abc import Callable, Sequence

from strata.domain.errors import Unavailable
from strata.domain.ids import IdSource
from strata.domain.knowledge.borders import Border
from strata.domain.knowledge.statements import Said, Sighting
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AnyOf, Check, Delete, Equals, Item, Put
from strata.ports.table import Table
from strata.services.knowledge.consolidations import RUN_SECONDS, counted, told
from strata.services.knowledge.drawing import Change, Conclude, drawn
from strata.services.knowledge.orders import CONSOLIDATION
from strata.services.knowledge.person import Knowledge, KnowledgeRows, border_of
from strata.services.knowledge.proposals import Answer, Proposer, proposed_changes
from strata.services.knowledge.sighted import packed
from strata.services.knowledge.upkeep import FEWEST, SHARE
from strata.services.orders.lease import Lease, LeaseLost, Leases
from strata.services.people.agents import configured
from strata.services.people.permission import conclusion_checks, may_conclude, permission_keys
from strata.services.records.episodes import episode_number, episode_place_key
from strata.services.records.knowledge import (
    consolidation_key,
    consolidation_order_key,
    sighted_key,
    words_key,
)
from strata.services.records.sessions import session_key
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact

NEW, CHANGED = 20, 25
"""Conclusions that one run adds, and changes, at most; the others wait for the next one.

With those of a model they make at most 99 of the 100 actions that a transaction may have.
"""
SESSIONS = 200
"""The sessions of a person whose sightings are kept, those that spoke last."""

_log = logging.getLogger("strata.knowledge")

Reader = Callable[[Sequence[Said]], list[Sighting]]
Lines = Callable[[Scope, str, str], Sequence[Action]]


class Dreamer:
    """Carries out orders to consolidate ended sessions.

    Args:
        table, clock: the store and the time.
        read: finds the sightings in a person's messages.
        conclude: draws conclusions from sightings.
        proposer: asks a language model for further ones; None without a model.
        lines: the actions that give a session the line that the model chose.
    """

    def __init__(
        self,
        table: Table,
        clock: Clock,
        read: Reader,
        conclude: Conclude,
        proposer: Proposer | None = None,
        lines: Lines = lambda *_: (),
    ) -> None:
        self._table = table
        self._clock = clock
        self._ids = IdSource()
        self._read = read
        self._conclude = conclude
        self._proposer = proposer
        self._lines = lines
        self._rows = KnowledgeRows(table)
        self._leases = Leases(table, clock, CONSOLIDATION)

    def run(self, scope: Scope, session_id: str) -> None:
        """Consolidate an ended session. One that is done, or that nobody ordered, is passed over.

        Raises:
            ModelFailed, Unavailable, Conflict: it is to be tried again; also while another worker has
                the session.
        """
        self._leases.work(scope, consolidation_order_key(session_id), self._consolidate)

    def _consolidate(self, lease: Lease) -> None:
        words = self._table.get(lease.scope, words_key(lease.order["session_id"]))
        if words is None:
            return self._finish(lease, "expired")
        if "ran" in lease.order:
            return self._finish(lease, lease.order["ran"])
        lease.order = lease.order | {"user_id": self._owner(lease)}
        if not self._permitted(lease):
            return self._finish(lease, "refused")
        source = lease.order["source"]
        turns = enumerate(json.loads(words["turns"]))
        said = [
            Said(text, at + place, source, place) for place, (text, at) in turns
        ]  # each a moment of its own
        sightings, answer = packed(self._read(said)), self._proposed(lease, said)

        def attempt(refused: Refused | None) -> str:
            return self._attempt(lease, sightings, said, answer, refused)

        outcome = settled(self._clock, "the knowledge about a person", attempt)
        replaces = answer.line and outcome == "concluded" and lease.order.get("line_by_rules")
        line = self._lines(lease.scope, lease.order["session_id"], answer.line) if replaces else ()
        return self._finish(lease, outcome, line)

    def _proposed(self, lease: Lease, said: Sequence[Said]) -> Answer:
        if self._proposer is None:
            return Answer()
        known = self._rows.read(lease.scope, lease.order["user_id"])
        border = border_of(lease.order, self._configured(lease.scope, known, lease.order))
        return self._proposer.ask(lease, said, known, border)

    def _attempt(
        self, lease: Lease, sightings: str, said: Sequence[Said], answer: Answer, refused: Refused | None
    ) -> str:
        if refused is not None:
            if self._owner(lease) != lease.order["user_id"]:
                raise Unavailable("the session has got an owner meanwhile")
            if not self._permitted(lease):
                return "refused"
            if "lease" in refused:
                raise LeaseLost
        order, scope = lease.order, lease.scope
        owner: str = order["user_id"]
        known = self._rows.read(scope, owner)
        number = self._ids.next(self._clock.now_us())
        row = {name: order[name] for name in ("session_id", "source", "agent_id", "by_app", "project")}
        row |= {"sightings": sightings, "run": number}
        before = known.sighted.get(order["session_id"])
        known.sighted[order["session_id"]] = row
        pushed_out = sorted(known.sighted, key=lambda each: known.sighted[each]["run"])[:-SESSIONS]
        agents = self._configured(scope, known, row)
        border = border_of(row, agents)
        run = self._run(known, agents, border)
        written: dict[str, Action | Sequence[Action]] = {
            "checks": [
                *conclusion_checks(order["agent_id"], owner, order["session_id"], unclaimed=True),
                *_episode_checks(order["source"]),
            ],
            "head": known.head,
        }
        report = {
            "id": number,
            "session_id": order["session_id"],
            "at": number,
            "refused": answer.refused,
            "expires_at": number // 1_000_000 + RUN_SECONDS,
        } | known.listed
        if run is None:
            report |= {"outcome": "stopped", "changes": [], "left_out": 0} | counted([])
        else:
            changes, left_out = run
            proposed, reasons = proposed_changes(known, row, border, said, answer, changes)
            changes += proposed
            after = {name: row for change in changes for name, row in change.after.items()}
            report |= {
                "outcome": "concluded",
                "left_out": left_out,
                "refused": reasons,
                "changes": [told(change) for change in changes],
                "sighted": before,
            } | counted(changes)
            written["sighted"] = Put(sighted_key(owner, order["session_id"]), row | known.listed)
            written["pushed out"] = [Delete(sighted_key(owner, each)) for each in pushed_out[:10]]
            written["conclusions"] = [
                known.conclusion(name, self._stamped(known, row, number)) for name, row in after.items()
            ]
        written["lease"] = lease.progress({"ran": report["outcome"]})
        written["run"] = Put(consolidation_key(owner, number), report, Absent())
        transact(self._table, scope, written)
        return str(report["outcome"])

    def _configured(self, scope: Scope, known: Knowledge, row: Item) -> set[str]:
        """The agents of these sessions, and of one more, that somebody configured."""
        return configured(self._table, scope, {each["agent_id"] for each in (row, *known.sighted.values())})

    def _run(self, known: Knowledge, agents: set[str], touched: Border) -> tuple[list[Change], int] | None:
        """The changes that are made, and how many wait; None for a run that would remove too much."""
        found = drawn(known.sources(agents), list(known.conclusions.values()), touched, self._conclude)
        changed, removed = found.changed, sum(change.removes for change in found.changed)
        if len(known.conclusions) >= FEWEST and removed * SHARE > len(known.conclusions):
            ended = [change for change in changed if change.ends_pattern]
            room = len(known.conclusions) // SHARE - (removed - len(ended))
            if room < 0 or not ended:
                _log.warning(
                    "a consolidation would remove %d of %d conclusions", removed, len(known.conclusions)
                )
                return None
            waiting = {id(change) for change in ended[room:]}
            changed = [change for change in changed if id(change) not in waiting]
        left_out = len(found.new[NEW:]) + len(found.changed) - len(changed[:CHANGED])
        return [*changed[:CHANGED], *found.new[:NEW]], left_out

    def _stamped(self, known: Knowledge, row: Item | None, number: int) -> Item | None:
        if row is None:
            return None
        began = known.conclusions.get(row["id"], {}).get("created_at", number)
        return row | {"created_at": began, "updated_at": number, "run": number}

    def _owner(self, lease: Lease) -> str:
        """The session's owner of now: one that was nobody's when it ended may have got an owner since."""
        session = self._table.get(lease.scope, session_key(lease.order["session_id"])) or {}
        owner: str = session.get("user_id") or lease.order["user_id"]
        return owner

    def _permitted(self, lease: Lease) -> bool:
        agent, owner, session = (lease.order[name] for name in ("agent_id", "user_id", "session_id"))
        keys = permission_keys(agent or "", owner, session)
        source = _episode_checks(lease.order["source"])
        rows = self._table.get_many(lease.scope, [*keys[0 if agent else 1 :], *(each.key for each in source)])
        forgotten = any(rows.get(each.key, {}).get("state") == "gone" for each in source)
        return not forgotten and may_conclude(agent, owner, session, rows)

    def _finish(self, lease: Lease, outcome: str, line: Sequence[Action] = ()) -> None:
        lease.finish(outcome, {"words": Delete(words_key(lease.order["session_id"])), "line": line})


def _episode_checks(source: str) -> list[Check]:
    """Let a transaction fail once somebody deleted the episode that is the source."""
    number = episode_number(source)
    standing = AnyOf((Absent(), Equals("state", "live")))
    return [] if number is None else [Check(episode_place_key(number), standing)]
