"""Gives what a device wrote before it had a user to that user.

Each row moves in a transaction of its own, and a session with what its row decides, so an adoption that is
interrupted has moved some rows whole, and the same call goes on with the others.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from strata.domain.errors import Conflict
from strata.domain.scope import Scope
from strata.domain.wire.devices import Adopted, Device
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AllOf, Check, Delete, Equals, Item, Key, Present, Put, Update
from strata.ports.table import Table
from strata.services.episodes.rows import insertion as episode_insertion
from strata.services.facts.adopting import FactAdoption
from strata.services.knowledge.adopting import KnowledgeAdoption
from strata.services.observations.change import guard_keys
from strata.services.observations.rows import insertion
from strata.services.people.consent import refused
from strata.services.people.devices import OWN, Devices
from strata.services.people.holdings import own_partitions, owned_rows
from strata.services.people.ownership import Ownership, belonging
from strata.services.people.permission import learning_check
from strata.services.records.change_notes import change_notes
from strata.services.records.episodes import EPISODE_KIND, EPISODE_PREFIX, episode_key
from strata.services.records.erasures import tombstone_key
from strata.services.records.events import log_key
from strata.services.records.kinds import EPISODES, OBSERVATIONS
from strata.services.records.knowledge import consolidation_order_key
from strata.services.records.observations import (
    OBSERVATION_KIND,
    OBSERVATION_PREFIX,
    TRASH_PREFIX,
)
from strata.services.records.owners import owned
from strata.services.records.people import (
    FACT_PREFIX,
    FACTS_PREFIX,
    consent_key,
    extraction_key,
    preferences_key,
)
from strata.services.records.sessions import SESSION_SK, session_around
from strata.services.table.pages import every_row
from strata.services.table.retry import settled
from strata.services.table.transaction import Refused, transact, write_what_holds

SECONDS = 8.0
"""Seconds after which a call stops; the next one goes on."""

GiveEntities = Callable[[Scope, str, str, Sequence[Check]], None]
Actions = dict[str, Action | Sequence[Action]]


@dataclass(frozen=True, slots=True)
class Adoption:
    """Maps devices to users, with what they wrote before.

    Attributes:
        devices, ownership: know the users of devices, and of whom nothing may be kept.
        facts, knowledge, entities: move the rows of their kinds.
        dedupe_window: seconds within which an equal observation is a duplicate.
    """

    table: Table
    clock: Clock
    devices: Devices
    ownership: Ownership
    facts: FactAdoption
    knowledge: KnowledgeAdoption
    entities: GiveEntities
    dedupe_window: int

    def adopt(self, scope: Scope, device_id: str, user: str) -> Device:
        """Give a device its user, and that user for some seconds what the device wrote before.

        Raises:
            OwnedByAnother: it has another user.
            Conflict: one of both refuses, or is being erased; or concurrent writers did not let a row settle.
        """
        owner = OWN + device_id
        self._refuse(scope, owner, user)
        device = self.devices.put(scope, device_id, user)
        move = _Move(self, scope, owner, user)
        try:
            device.adopted = move.run() if user != owner else Adopted(complete=True)
        except Conflict:
            self._refuse(scope, owner, user)  # where that was in the way, it is what to tell
            raise
        return device

    def _refuse(self, scope: Scope, *people: str) -> None:
        consents = self.table.get_many(scope, [consent_key(each) for each in people])
        if self.ownership.unkept(scope, people) or any(map(refused, consents.values())):
            raise Conflict(
                "the user or the device refuses that anything is kept or learnt, or is being erased"
            )


@dataclass(slots=True)
class _Move:
    """One call's share of an adoption."""

    of: Adoption
    scope: Scope
    owner: str
    heir: str
    moved: Adopted = field(default_factory=Adopted)
    beside: int = 0
    """Episodes that the last session took along."""

    def run(self) -> Adopted:
        """Move rows until nothing is left, or the time is over."""
        of, end = self.of, self.of.clock.monotonic() + SECONDS
        for key in self._keys():
            if of.clock.monotonic() > end:
                return self.moved
            self._row(key)
        self.moved.conclusions = of.knowledge.adopt(self.scope, self.owner, self.heir, self._checks)
        of.entities(self.scope, self.owner, self.heir, self._checks)
        old, new = preferences_key(self.owner), preferences_key(self.heir)
        if (row := of.table.get(self.scope, old)) is not None:
            mine: Action = Put(new, row | {"user_id": self.heir}, Absent())
            write_what_holds(of.table, self.scope, [mine, Delete(old)])
        self.moved.complete = True
        return self.moved

    @property
    def _checks(self) -> list[Check]:
        """Let a transaction fail once either is being erased, or nothing may be learnt about one of them.

        What was learnt moves with the words that it was learnt from, so a refusal to learn keeps all back.
        """
        people = (self.owner, self.heir)
        erased = [Check(tombstone_key(each), Absent()) for each in people]
        return [*map(learning_check, people), *erased]

    def _keys(self) -> Iterator[Key]:
        """The rows to move: sessions first, then what names the owner, then the owner's episodes."""
        rows = [row.key for row in every_row(self.of.table, self.scope, owned_rows(self.owner))]
        yield from (key for key in rows if key.sk == SESSION_SK)
        yield from (key for key in rows if key.sk != SESSION_SK)
        episodes = replace(own_partitions(self.owner)[0], expired=False)
        yield from (row.key for row in every_row(self.of.table, self.scope, episodes))

    def _row(self, key: Key) -> None:
        of, moved = self.of, self.moved
        if key.pk.startswith(FACTS_PREFIX):
            is_fact = key.sk.startswith(FACT_PREFIX)
            moved.facts += of.facts.adopt(self.scope, key, self.heir, self._checks) and is_fact
            return
        for begins, kind, make in (
            ((SESSION_SK,), "sessions", self._session),
            ((OBSERVATION_PREFIX, TRASH_PREFIX), "observations", self._observation),
            ((EPISODE_PREFIX,), "episodes", self._episode),
        ):
            if key.sk.startswith(begins):
                count = settled(of.clock, f"one of the {kind}", lambda last: self._write(key, make, last))  # noqa: B023
                setattr(moved, kind, getattr(moved, kind) + count)
                moved.episodes += self.beside if kind == "sessions" and count else 0

    def _write(self, key: Key, make: Callable[[Key, Item], Actions], last: Refused | None) -> bool:
        row = self.of.table.get(self.scope, key)
        if row is None or self.owner not in (row.get("user_id"), row.get("owner")):
            return False
        taken = [name for name in ("content", "topic") if last is not None and name in last]
        named = {name: action for name, action in make(key, row).items() if name not in taken}
        transact(self.of.table, self.scope, {**named, "checks": self._checks})
        return True

    def _session(self, key: Key, row: Item) -> Actions:
        """The session, its log, its orders (a worker that has one loses it) and its own episode."""
        session_id = session_around(key)
        orders = extraction_key(session_id), consolidation_order_key(session_id)
        there = self.of.table.get_many(self.scope, [*orders, log_key(session_id)])
        theirs = Equals("user_id", self.owner)
        beside: list[Action] = [
            Update(each, set={"user_id": self.heir}, remove=("lease", "lease_until"), condition=theirs)
            for each, order in there.items()
            if order.get("user_id") == self.owner
        ]
        change: Item = belonging(self.heir)
        self.beside = 0
        same = AllOf((theirs, Equals("episode", row.get("episode"))))
        if row.get("episode_owner") == self.owner:
            change["episode_owner"] = self.heir
            episode = episode_key(self.owner, row["episode"])
            if (there_now := self.of.table.get(self.scope, episode)) is not None:
                self.beside = 1
                beside += [
                    action
                    for each in self._episode(episode, there_now).values()
                    for action in (each if isinstance(each, Sequence) else [each])
                ]
        return {"session": Update(key, set=change, condition=same), "beside": beside}

    def _episode(self, key: Key, row: Item) -> Actions:
        at = max(self.of.clock.now_us(), row["updated_at"] + 1)
        new = row | {"owner": self.heir, "updated_at": at} | owned(self.heir, EPISODE_KIND)
        if row.get("user_id"):
            new["user_id"] = self.heir
        made = episode_insertion(new, again=True)
        notes = [*change_notes(EPISODES, row, at), *change_notes(EPISODES, new, at)]
        old = Delete(key, Equals("updated_at", row["updated_at"]))
        return {"episode": made["episode"], "pointer": made["pointer"], "notes": notes, "old": old}

    def _observation(self, key: Key, row: Item) -> Actions:
        """An observation, or one in the trash; a content or topic that the heir has stays that one's."""
        same = AllOf((Present(), Equals("updated_at", row["updated_at"])))
        change: Item = {"user_id": self.heir} | owned(self.heir, OBSERVATION_KIND)
        if key.sk.startswith(TRASH_PREFIX):
            return {"row": Update(key, set=change, condition=same)}
        after = row | change | {"updated_at": max(self.of.clock.now_us(), row["updated_at"] + 1)}
        window_us, at = self.of.dedupe_window * 1_000_000, after["updated_at"]
        made = insertion(after, window_us=window_us, content_free=Absent(), noted_at=at)
        guards = self.of.table.get_many(self.scope, guard_keys(row)).items()
        mine = Equals("observation_id", row["id"])
        kept: Actions = {name: made[name] for name in ("content", "topic") if name in made}
        return kept | {
            "row": Update(key, set=change | {"updated_at": at}, condition=same),
            "guards": [Delete(each, mine) for each, guard in guards if guard["observation_id"] == row["id"]],
            "notes": change_notes(OBSERVATIONS, after, at),
        }
