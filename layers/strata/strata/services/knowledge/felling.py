"""Takes away what rests on sessions and episodes that were deleted, refused or erased.

A conclusion that rests on others, too, keeps these; one of what repeats falls with fewer than three sessions.
Expiry takes nothing away: a conclusion keeps its quotes. What an undo could give back of them goes, too.

What a session's owner loses, `default` loses before: it has what was drawn while nobody owned the session.
The other way round `claimed` could carry it past, to the owner.
"""

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet

from strata.domain.knowledge.wording import quoted, recurring
from strata.domain.scope import Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.ports.clock import Clock
from strata.ports.rows import Action, Delete, Item, Key, Present, Put, Update
from strata.ports.table import Table
from strata.services.knowledge.drawing import paired
from strata.services.knowledge.person import Knowledge, KnowledgeRows
from strata.services.people.holdings import sessions_among
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
    declined_key,
    sighted_key,
    words_key,
)
from strata.services.records.parts import whole
from strata.services.records.sessions import session_around, session_key
from strata.services.table.retry import settled
from strata.services.table.transaction import transact, write_what_holds

AT_ONCE = 90
_FEWEST = 3
"""Sessions that a pattern needs."""
_TOLD = 40
"""The characters of a quote by which it is found in what a conclusion says."""
_DAY = 86_400_000_000
"""Microseconds of a day."""


class Felling:
    """Fells conclusions, behind the stream and where a service deletes a session."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock
        self._rows = KnowledgeRows(table)

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """A consumer of the stream: fell what rests on sessions that were refused and forgotten episodes."""
        changed = list(dict.fromkeys(keys))
        for key, row in sessions_among(self._table, scope, changed).items():
            if refused_in(row):
                owner = row.get("user_id") or DEFAULT_OWNER
                self.fell_sessions(scope, owner, [session_around(key)])
        gone = self._forgotten(scope, changed)
        for key, place in gone.items():
            owner = whole(key.pk.removeprefix(EPISODES_PREFIX))
            episode = episode_id(int(key.sk.removeprefix(EPISODE_PREFIX)))
            self._fell(scope, owner, [], [episode])
            session = place.get("session_id")
            now = self._table.get(scope, session_key(session)) if session else None
            heir = (now or {}).get("user_id") or owner
            if heir != owner:  # what rested on it may have gone to the session's owner; read after the first
                self._fell(scope, heir, [], [episode])

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
        if owner != DEFAULT_OWNER:
            self.fell_before_owner(scope, sessions)
        self._fell(scope, owner, sessions, [])

    def fell_before_owner(self, scope: Scope, sessions: Collection[str]) -> None:
        """Fell what was drawn from sessions that have an owner, or had one, before they got that.

        Marks of what somebody deleted of it go, too: nothing is drawn from them for `default` again.

        What `default` has may be much, so it is read only where it has sightings of one of them.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        keys = [sighted_key(DEFAULT_OWNER, each) for each in sessions]
        if keys and self._table.get_many(scope, keys):
            self._fell(scope, DEFAULT_OWNER, sessions, [], marks=True)

    def _forgotten(self, scope: Scope, keys: Sequence[Key]) -> dict[Key, Item]:
        """The episodes among these rows that somebody deleted, with their pointers; expired ones are none."""
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
        return {
            key: places[place] for key, place in gone.items() if places.get(place, {}).get("state") == "gone"
        }

    def _fell(
        self,
        scope: Scope,
        owner: str,
        sessions: Collection[str],
        sources: Collection[str],
        *,
        marks: bool = False,
    ) -> None:
        def attempt(_: object) -> bool:
            known = self._rows.read(scope, owner, runs=True)
            if known.version is None:
                return False
            share = Share(known, {*sessions}, {*sources})
            actions = [*share.felled(), *(map(share.unmarked, share.marks) if marks else ())]
            if actions:
                transact(self._table, scope, {"head": known.head, "felled": actions[:AT_ONCE]})
            return len(actions) > AT_ONCE

        while settled(self._clock, "the knowledge about a person", attempt):
            pass


class Share:
    """The knowledge of a person that rests on some sessions and sources.

    Attributes:
        sighted: the sessions among these of which sightings are kept, and those of the sources.
        sessions, sources: all of them.
    """

    def __init__(
        self, known: Knowledge, sessions: AbstractSet[str], sources: AbstractSet[str] = frozenset()
    ) -> None:
        self._known = known
        gone = {
            session: row["source"]
            for session, row in known.sighted.items()
            if session in sessions or row["source"] in sources
        }
        self.sighted = list(gone)
        self.sessions, self.sources = sessions | gone.keys(), sources | {*gone.values()}

    def has(self, row: Item | None) -> bool:
        """Whether a conclusion rests on them, be it with others."""
        return row is not None and not (
            self.sessions.isdisjoint(row["sessions"]) and self.sources.isdisjoint(row["sources"])
        )

    def felled(self) -> list[Action]:
        """The actions that take them away from conclusions, sightings and runs."""
        return [
            *map(self.unsighted, self.sighted),
            *map(self.without, self.conclusions),
            *self.unrun(),
        ]

    @property
    def conclusions(self) -> list[str]:
        """The conclusions that rest on them."""
        return [name for name, row in self._known.conclusions.items() if self.has(row)]

    def without(self, name: str) -> Action:
        """Take them away from a conclusion."""
        left = without(self._known.conclusions[name], self.sessions, self.sources)
        number = (self._known.version or 0) + 1
        return self._known.conclusion(name, left and left | {"run": -number})

    def unsighted(self, session: str) -> Action:
        """Delete the sightings of a session."""
        return Delete(sighted_key(self._known.owner, session))

    def unrun(self) -> list[Action]:
        """Take away from runs what an undo could give back of them."""
        actions: list[Action] = []
        for run in self._known.runs:
            changes = [each for each in run["changes"] if not any(map(self.has, each["before"].values()))]
            fields: Item = {"changes": changes} if len(changes) < len(run["changes"]) else {}
            if run["session_id"] in self.sessions and run.get("sighted"):
                fields["sighted"] = None
            if fields:
                key = consolidation_key(self._known.owner, run["id"])
                actions.append(Update(key, set=fields, condition=Present()))
        return actions

    @property
    def marks(self) -> list[str]:
        """The marks of what was deleted that name one of the sessions."""
        return [name for name, mark in self._known.declined.items() if self._named(mark)]

    def unmarked(self, name: str) -> Action:
        """Take the sessions away from a mark."""
        mark, key = self._known.declined[name], declined_key(self._known.owner, name)
        left = [each for each in mark["sessions"] if each not in self.sessions]
        return Put(key, mark | {"sessions": left}) if left else Delete(key)

    def _named(self, mark: Item) -> bool:
        return not self.sessions.isdisjoint(mark["sessions"])


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
    }
    # the oldest quotes of many may be of sources that are listed no more: nobody knows whose these are
    left["quotes"] = [each for each in row["quotes"] if each["source"] in left["sources"]]
    least = _FEWEST if row["type"] != "explicit" else 1
    return left | _retold(row, left) if len(left["sources"]) >= least and left["quotes"] else None


def _retold(row: Item, left: Item) -> Item:
    """The text of a conclusion by rules, from the quotes that are left, if it told words that are gone."""
    gone = [each["text"] for each in row["quotes"] if each not in left["quotes"]]
    if row["by"] != "rules" or not any(each[:_TOLD] in row["text"] for each in gone):
        return {}
    quotes = sorted(left["quotes"], key=lambda each: each["at"])
    newest, words = quotes[-1], [each["text"] for each in quotes]
    if row["type"] == "explicit":
        return {"text": quoted(newest["text"], newest["text"]), "last": newest["at"]}
    days = len({each["at"] // _DAY for each in quotes})
    return {"text": recurring(row["value"], days, words), "last": newest["at"]}
