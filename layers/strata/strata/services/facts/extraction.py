"""Finding the facts of an ended session: once, by whoever comes first, while the person does not refuse.

A session's order (`records.extraction_key`) says how far it is: `due`, `sent` to the queue, `done`; `window`
is the first part of the conversation that was not looked at yet. Who works on it holds a lease, a number of
its own and a time; every write has the lease and the person's consent as conditions. So of many deliveries
one works, what was written by one that died stays and is not done again, and nothing is written after a
refusal.
"""

import json
import logging
import secrets
from collections.abc import Sequence

from strata.domain.errors import Unavailable
from strata.domain.facts.windows import windows
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.ports import (
    Action,
    AllOf,
    AnyOf,
    AtMost,
    Check,
    Clock,
    Condition,
    ConditionFailed,
    Delete,
    Equals,
    Item,
    Present,
    Table,
    Update,
)
from strata.services.facts.finders import FactFinder
from strata.services.facts.writer import About, FactWriter, Overtaken
from strata.services.faults import reason
from strata.services.people.agents import config_of
from strata.services.people.consent import refused, unerased, unrefused
from strata.services.records.erasures import tombstone_key
from strata.services.records.people import agent_config_key, consent_key, extraction_key, transcript_key
from strata.services.table.transaction import write_what_holds

LEASE_SECONDS = 330
"""Longer than the function may run, so that nobody takes over from one that is still at work."""
SHIFT_SECONDS = 150
"""After so long a run hands the rest of a long conversation on to another one."""

_log = logging.getLogger("strata.facts")


class Extraction:
    """Works orders off.

    Args:
        table, clock: where they are, and the time.
        finder: finds facts in what was said.
        learning: writes them.
    """

    def __init__(self, table: Table, clock: Clock, finder: FactFinder, learning: FactWriter) -> None:
        self._table = table
        self._clock = clock
        self._finder = finder
        self._learning = learning

    def run(self, scope: Scope, session_id: str) -> None:
        """Find the facts of an ended session. One that is done, or that nobody ordered, is passed over.

        Raises:
            ModelFailed, Unavailable: it is to be tried again; also while another works on it.
        """
        order = self._taken(scope, session_id)
        if order is None:
            return
        try:
            self._work(scope, order)
        except Overtaken:
            raise Unavailable("the session was ended anew, or another finds its facts") from None
        except Exception as error:
            self._give_back(scope, order, reason(error))
            raise

    def _taken(self, scope: Scope, session_id: str) -> Item | None:
        """The order with a lease on it; None where nothing is to be done."""
        now = self._clock.now_us() // 1_000_000
        lease = {"lease": secrets.randbits(53), "lease_until": now + LEASE_SECONDS}
        free = AnyOf((Equals("lease_until", None), AtMost("lease_until", now)))
        undone = AnyOf((Equals("state", "due"), Equals("state", "sent")))
        key = extraction_key(session_id)
        try:
            return self._table.update(
                scope, Update(key, set=lease, condition=AllOf((Present(), undone, free)))
            )
        except ConditionFailed as failed:
            there = failed.failures.get(0)
            if there is None or there["state"] == "done":
                return None
            raise Unavailable("another finds the facts of this session") from None

    def _work(self, scope: Scope, order: Item) -> None:
        transcript = self._table.get(scope, transcript_key(order["session_id"]))
        if transcript is None:
            return self._finish(scope, order, "expired")
        turns: list[str] = json.loads(transcript["turns"])
        parts = list(windows(turns))
        began = self._clock.now_us()
        while order["window"] < len(parts):
            if self._clock.now_us() - began > SHIFT_SECONDS * 1_000_000:
                return self._hand_on(scope, order)
            about = self._allowed(scope, order)
            if about is None:
                return self._finish(scope, order, "refused")
            order = self._look_at(scope, order, about, parts[order["window"]])
        days = self._days(scope, order)
        return self._finish(scope, order, "found", keep_days=days)

    def _allowed(self, scope: Scope, order: Item) -> About | None:
        """Whose facts they are, as long as agent and person allow it at this moment."""
        owner = order["user_id"]
        keys = agent_config_key(order["agent_id"]), consent_key(owner), tombstone_key(owner)
        rows = self._table.get_many(scope, keys)
        config = config_of(order["agent_id"], rows.get(keys[0]))
        if not config.memory_enabled or refused(rows.get(keys[1])) or keys[2] in rows:
            return None
        return About(order["agent_id"], order["user_id"], order["session_id"], config)

    def _look_at(self, scope: Scope, order: Item, about: About, turns: Sequence[str]) -> Item:
        """Find and write the facts of one part; the order as it is then."""
        found = self._finder.find(scope, turns)
        room = max(0, about.config.max_facts_per_session - order["facts"])
        left_out = len(found[room:])
        if left_out:
            _log.warning("%d fact(s) of a session are above its cap", left_out)
        progress = {
            "window": order["window"] + 1,
            "facts": order["facts"] + len(found[:room]),
            "left_out": order["left_out"] + left_out,
        }
        key = extraction_key(order["session_id"])
        enabled = Check(agent_config_key(about.agent_id), Equals("memory_enabled", True))
        try:
            self._learning.learn(
                scope,
                about,
                found[:room],
                holds=[unrefused(about.owner), unerased(about.owner), enabled],
                then=[Update(key, set=progress, condition=_held(order))],
            )
        except Overtaken:
            if self._allowed(scope, order) is None:
                return order  # the next look at it ends the work
            raise
        return order | progress

    def _days(self, scope: Scope, order: Item) -> int:
        config = self._table.get(scope, agent_config_key(order["agent_id"]))
        return config_of(order["agent_id"], config).transcript_retention_days

    def _finish(self, scope: Scope, order: Item, outcome: str, *, keep_days: int = 0) -> None:
        key = transcript_key(order["session_id"])
        end = self._clock.now_us() // 1_000_000 + keep_days * DAY
        transcript: Action = (
            Update(key, set={"expires_at": end}, condition=Present()) if keep_days else Delete(key)
        )
        done = Update(
            extraction_key(order["session_id"]),
            set={"state": "done", "outcome": outcome},
            remove=("lease", "lease_until", "reason"),
            condition=_held(order),
        )
        try:
            self._table.transact(scope, [done, transcript])
        except ConditionFailed as failed:
            if 0 in failed.failures:
                raise Overtaken from None
            self._table.transact(scope, [done])

    def _hand_on(self, scope: Scope, order: Item) -> None:
        """Let the rest be sent again, as if it had just become due."""
        rest = Update(
            extraction_key(order["session_id"]),
            set={"state": "due"},
            remove=("lease", "lease_until"),
            condition=_held(order),
        )
        try:
            self._table.update(scope, rest)
        except ConditionFailed:
            raise Overtaken from None

    def _give_back(self, scope: Scope, order: Item, why: str) -> None:
        """Let the next delivery begin at once, and note why this one failed."""
        try:
            released = Update(
                extraction_key(order["session_id"]),
                set={"reason": why},
                remove=("lease", "lease_until"),
                condition=_held(order),
            )
            write_what_holds(self._table, scope, [released])
        except Unavailable as error:
            _log.warning("an order stays leased until its time is over: %s", error.message)


def _held(order: Item) -> Condition:
    return AllOf((Equals("digest", order["digest"]), Equals("lease", order["lease"])))
