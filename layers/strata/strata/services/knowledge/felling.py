"""Takes away what rests on sessions and episodes that were deleted, refused or erased.

A conclusion that rests on others, too, keeps these; one of what repeats falls with fewer than three sessions.
Expiry takes nothing away: a conclusion keeps its quotes. What an undo could give back of them goes, too.
"""

from collections.abc import Collection, Sequence

from strata.domain.scope import Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.ports.clock import Clock
from strata.ports.rows import Action, Delete, Item, Key, Present, Update
from strata.ports.table import Table
from strata.services.knowledge.drawing import paired
from strata.services.knowledge.person import Knowledge, KnowledgeRows
from strata.services.people.session_consent import refused_in
from strata.services.records.episodes import (
    EPISODE_PREFIX,
    EPISODES_PREFIX,
    episode_id,
    episode_place_key,
)
from strata.services.records.knowledge import (
    consolidation_key,
    consolidation_order_key,
    sighted_key,
    words_key,
)
from strata.services.records.parts import whole
from strata.services.records.sessions import SESSION_SK, session_around
from strata.services.table.retry import settled
from strata.services.table.transaction import transact, write_what_holds

AT_ONCE = 90
_FEWEST = 3
"""Sessions that a pattern needs."""


class Felling:
    """Fells conclusions, behind the stream and where a service deletes a session."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._rows = KnowledgeRows(table)

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """A consumer of the stream: fell what rests on sessions that were refused and forgotten episodes."""
        changed = list(dict.fromkeys(keys))
        sessions = [key for key in changed if key.sk == SESSION_SK]
        rows = self._table.get_many(scope, sessions) if sessions else {}
        for key, row in rows.items():
            if refused_in(row):
                owner = row.get("user_id") or DEFAULT_OWNER
                self.fell_sessions(scope, owner, [session_around(key)])
        for key in self._forgotten(scope, changed):
            owner = whole(key.pk.removeprefix(EPISODES_PREFIX))
            self._fell(scope, owner, [], [episode_id(int(key.sk.removeprefix(EPISODE_PREFIX)))])

    def fell_sessions(self, scope: Scope, owner: str, sessions: Collection[str]) -> None:
        """Fell what rests on these sessions of a person, and what of them waits for the dreamer.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        waiting = [
            Delete(key) for each in sessions for key in (words_key(each), consolidation_order_key(each))
        ]
        for start in range(0, len(waiting), AT_ONCE):
            write_what_holds(self._table, scope, waiting[start : start + AT_ONCE])
        self._fell(scope, owner, sessions, [])

    def _forgotten(self, scope: Scope, keys: Sequence[Key]) -> list[Key]:
        """The episodes among these rows that somebody deleted; an expired one is none."""
        episodes = [
            key for key in keys if key.pk.startswith(EPISODES_PREFIX) and key.sk.startswith(EPISODE_PREFIX)
        ]
        there = self._table.get_many(scope, episodes) if episodes else {}
        gone = {
            key: episode_place_key(int(key.sk.removeprefix(EPISODE_PREFIX)))
            for key in episodes
            if key not in there
        }
        places = self._table.get_many(scope, list(gone.values())) if gone else {}
        return [key for key, place in gone.items() if places.get(place, {}).get("state") == "gone"]

    def _fell(self, scope: Scope, owner: str, sessions: Collection[str], sources: Collection[str]) -> None:
        def attempt(_: object) -> bool:
            known = self._rows.read(scope, owner, runs=True)
            if known.version is None:
                return False
            actions = _felled(known, {*sessions}, {*sources})
            if actions:
                transact(self._table, scope, {"head": known.head, "felled": actions[:AT_ONCE]})
            return len(actions) > AT_ONCE

        while settled(self._clock, "the knowledge about a person", attempt):
            pass


def _felled(known: Knowledge, sessions: set[str], sources: set[str]) -> list[Action]:
    gone = {
        session: row["source"]
        for session, row in known.sighted.items()
        if session in sessions or row["source"] in sources
    }
    sessions, sources = sessions | gone.keys(), sources | {*gone.values()}

    def rests(row: Item | None) -> bool:
        return row is not None and not (
            sessions.isdisjoint(row["sessions"]) and sources.isdisjoint(row["sources"])
        )

    actions: list[Action] = [Delete(sighted_key(known.owner, each)) for each in gone]
    number = (known.version or 0) + 1
    for name, row in known.conclusions.items():
        if rests(row):
            left = without(row, sessions, sources)
            actions.append(known.conclusion(name, left and left | {"run": -number}))
    for run in known.runs:
        changes = [each for each in run["changes"] if not any(map(rests, each["before"].values()))]
        key = consolidation_key(known.owner, run["id"])
        if len(changes) < len(run["changes"]):
            actions.append(Update(key, set={"changes": changes}, condition=Present()))
        elif run["session_id"] in sessions and run.get("sighted"):
            actions.append(Update(key, set={"sighted": None}, condition=Present()))
    return actions


def without(row: Item, sessions: Collection[str], sources: Collection[str]) -> Item | None:
    """A conclusion without these sources; None where too little is left."""
    pairs = paired(row)
    gone = {each for each in row["sessions"] if each in sessions}
    silent = {each for each in row["sources"] if each in sources}
    if pairs is not None:
        both = [(session, source) for session, source in pairs if session in gone or source in silent]
        gone, silent = {session for session, _ in both}, {source for _, source in both}
    elif gone:
        return None  # nobody knows any more which of its words were said in the sessions that are gone
    left = row | {
        "sessions": [each for each in row["sessions"] if each not in gone],
        "sources": [each for each in row["sources"] if each not in silent],
        "quotes": [each for each in row["quotes"] if each["source"] not in {*silent, *sources}],
    }
    least = _FEWEST if row["type"] != "explicit" else 1
    return left if len(left["sources"]) >= least and left["quotes"] else None
