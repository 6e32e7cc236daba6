"""Gives what was concluded from a session before it had an owner to the owner that it has now.

What nobody owns is the `default` user's. A session gets its owner by any write that names one, also once
conclusions were drawn from it. Then these and what they rest on become the owner's, behind the stream; where
the owner refuses that anything is learnt about them, they fall. What rests on other sessions, too, is split.

Sightings move last: until they have, the next delivery goes on. Whose the sessions are is read after the rows
of `default`, under whose head all moves: `felling` takes away from `default` first, so nothing passes it.
"""

from collections.abc import Mapping, Sequence

from strata.domain.scope import Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, Check, Item, Key, Put
from strata.ports.table import Table
from strata.services.knowledge.adopting import AT_ONCE, united
from strata.services.knowledge.felling import Share, without
from strata.services.knowledge.person import Knowledge, KnowledgeRows
from strata.services.people.consent import refused
from strata.services.people.holdings import sessions_among, sessions_of
from strata.services.people.permission import learning_check
from strata.services.people.session_consent import refused_in
from strata.services.records.erasures import tombstone_key
from strata.services.records.knowledge import declined_key, sighted_key
from strata.services.records.people import consent_key
from strata.services.records.sessions import session_around
from strata.services.table.retry import settled
from strata.services.table.transaction import transact


class ClaimedKnowledge:
    """Lets what was concluded follow sessions to their first owner."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._rows = KnowledgeRows(table)

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """A consumer of the stream.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        rows = sessions_among(self._table, scope, keys)
        owners = {
            sighted_key(DEFAULT_OWNER, session_around(key)): row["user_id"]
            for key, row in rows.items()
            if row.get("user_id") not in (None, DEFAULT_OWNER)
        }
        left = self._table.get_many(scope, list(owners)) if owners else {}
        for owner in dict.fromkeys(owners[key] for key in left):
            self.take_over(scope, owner)

    def take_over(self, scope: Scope, owner: str) -> None:
        """Give a person what was concluded from any session that is theirs now.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        if owner == DEFAULT_OWNER:
            return

        def attempt(_: object) -> bool:
            known = self._rows.read(scope, DEFAULT_OWNER, runs=True)
            if known.version is None:
                return False
            sessions = sessions_of(self._table, scope, owner, _sessions(known))
            if not sessions:
                return False
            theirs = self._rows.read(scope, owner) if self._willing(scope, owner) else None
            moves = _Shares(known, theirs, sessions).moves
            beside: list[Action] = [known.head]
            if theirs is not None:
                beside += [theirs.head, learning_check(owner), Check(tombstone_key(owner), Absent())]
            if moves:
                rows = [action for move in moves[:AT_ONCE] for action in move]
                transact(self._table, scope, {"beside": beside, "rows": rows})
            return len(moves) > AT_ONCE

        while settled(self._clock, "the knowledge about a person", attempt):
            pass

    def _willing(self, scope: Scope, owner: str) -> bool:
        """Whether anything may be learnt about a person, who is not being erased."""
        rows = self._table.get_many(scope, [consent_key(owner), tombstone_key(owner)])
        return not refused(rows.get(consent_key(owner))) and tombstone_key(owner) not in rows


def _sessions(known: Knowledge) -> set[str]:
    """All sessions that a person's knowledge names."""
    before = (row for run in known.runs for each in run["changes"] for row in each["before"].values() if row)
    rows = (*known.conclusions.values(), *known.declined.values(), *before)
    ran = {run["session_id"] for run in known.runs if run.get("sighted")}
    return {*known.sighted, *ran, *(each for row in rows for each in row["sessions"])}


class _Shares:
    """The knowledge of `default` that rests on sessions of a person.

    Args:
        known: what `default` has.
        theirs: what the person has; None where nothing may be learnt about them, and their share falls.
        sessions: the rows of the person's sessions.
    """

    def __init__(self, known: Knowledge, theirs: Knowledge | None, sessions: Mapping[str, Item]) -> None:
        self._known = known
        self._theirs = theirs
        self._share = Share(known, sessions.keys())
        self._given = {name for name, row in sessions.items() if not refused_in(row)}

    @property
    def moves(self) -> list[list[Action]]:
        """The actions that move each row, sightings last."""
        share = self._share
        return [
            *([share.without(name), *self._conclusion(name)] for name in share.conclusions),
            *([each] for each in share.unrun()),
            *([share.unmarked(name), *self._mark(name)] for name in share.marks),
            *([share.unsighted(name), *self._sightings(name)] for name in share.sighted),
        ]

    def _conclusion(self, name: str) -> list[Action]:
        """Give the person what of a conclusion rests on their sessions, if that is enough."""
        if self._theirs is None:
            return []
        row, sighted = self._known.conclusions[name], self._known.sighted
        others = {*row["sessions"]} - self._given
        said = {sighted[each]["source"] for each in others if each in sighted}
        mine = without(row, others, said) if others else row
        if mine is None:
            return []
        before = self._theirs.conclusions.get(name)
        run = -((self._theirs.version or 0) + 1)  # no earlier run can be undone over it
        return [self._theirs.conclusion(name, (united(before, mine) if before else mine) | {"run": run})]

    def _mark(self, name: str) -> list[Action]:
        mark = self._known.declined[name]
        mine = self._given.intersection(mark["sessions"])
        if self._theirs is None or not mine:
            return []
        before = self._theirs.declined.get(name, {"sessions": (), "at": 0})
        sessions = sorted({*before["sessions"], *mine})
        after = mark | {"sessions": sessions, "at": max(mark.get("at", 0), before.get("at", 0))}
        return [Put(declined_key(self._theirs.owner, name), after | self._theirs.listed)]

    def _sightings(self, session: str) -> list[Action]:
        """Give the person the sightings of a session; newer ones, of an end as theirs, stay."""
        if self._theirs is None or session not in self._given or session in self._theirs.sighted:
            return []
        row = self._known.sighted[session] | self._theirs.listed
        return [Put(sighted_key(self._theirs.owner, session), row)]
