"""Applies to a restored store what the present one knows of erasures, refusals and deletions.

A backup holds what was erased, refused or deleted after it was made. Before a copy of it takes the
place of the present store, this brings the copy to the same knowledge.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from strata.domain.scope import RESERVED, Scope
from strata.domain.wire.erasures import DONE, QUEUED
from strata.ports.rows import Action, Delete, Item, Key, Present, Put, Update
from strata.ports.table import Census, Query, Table
from strata.services.episodes.rows import removal
from strata.services.people.consent import refused
from strata.services.privacy.registry import HOLDINGS
from strata.services.privacy.restored import CarriedOver, Restored
from strata.services.records.audit import AUDIT_ENTRY, AUDIT_PK, agreement_key
from strata.services.records.directory import KEY_LIST_PK, LIMITS_PREFIX, TENANTS_PK, api_key_row
from strata.services.records.entities import ENTITY_PREFIX
from strata.services.records.episodes import EPISODE_PREFIX, episode_place_key
from strata.services.records.erasures import (
    ERASURES_PK,
    erasure_key,
    listed_erasure_key,
    receipt_subject,
    tombstone_key,
)
from strata.services.records.knowledge import CONCLUSION_PREFIX, DECLINED_PREFIX
from strata.services.records.observations import (
    OBSERVATION_PREFIX,
    TRASH_PREFIX,
    pointed_id,
    pointer_key,
)
from strata.services.records.owners import owner_pk
from strata.services.records.parts import whole
from strata.services.records.people import CONSENT_SK, FACT_PREFIX, deleted_fact_key, fact_id
from strata.services.records.sessions import SESSION_SK
from strata.services.repair.batches import batches, process_again
from strata.services.table.pages import every_row

_PAGE = 1000
_PERSON = owner_pk("")
_DIRECTORY = Scope.directory()


@dataclass(slots=True)
class CarryOver:
    """Carries what a store knows over to a restored one.

    Attributes:
        table, census: the store that knows.
        restored: the other.
        done: what was applied so far.
    """

    table: Table
    census: Census
    restored: Restored
    done: CarriedOver = field(default_factory=CarriedOver)

    def directory(self) -> None:
        """Let the API keys and the limits of tenants be as they are now: a revoked key stays revoked."""
        for line in every_row(self.table, _DIRECTORY, Query(KEY_LIST_PK, limit=_PAGE)):
            row = api_key_row(line.item["id"])
            self.done.keys += self._copy(_DIRECTORY, [row, line.key], lambda now, before: now != before)
        for line in every_row(self.table, _DIRECTORY, Query(TENANTS_PK, prefix=LIMITS_PREFIX, limit=_PAGE)):
            self.done.limits += self._copy(_DIRECTORY, [line.key], lambda now, before: now != before)

    def decisions(self) -> None:
        """Apply everything else: statements and what they mean, erasures, deletions."""
        self.restored.change_log.fetch()
        after = self.restored.change_log.head()
        for tenant in self.census.tenants():
            self._copy_log(Scope(tenant))
        self._apply_refusals()
        self._refuse_in_sessions()
        after = self._erase(after)
        self._delete_observations()
        self._delete_episodes()
        self._delete_facts()
        self._delete_conclusions()
        self._delete_entities()
        self._follow(after)

    def _copy(self, scope: Scope, keys: Sequence[Key], newer: Callable[[Item, Item | None], bool]) -> int:
        """Copy rows of the present store that are newer; how many of the first kind, 0 or 1."""
        now, before = self.table.get_many(scope, keys), self.restored.table.get_many(scope, keys)
        first = keys[0]
        if first not in now or not newer(now[first], before.get(first)):
            return 0
        self.restored.table.transact(scope, [Put(key, now[key]) for key in keys if key in now])
        return 1

    def _copy_log(self, scope: Scope) -> None:
        """Nothing is lost from the audit log, nor the tenant's acceptance of the agreement."""
        self._copy(scope, [agreement_key()], lambda _, before: before is None)
        for entry in every_row(self.table, scope, Query(AUDIT_PK, limit=_PAGE)):
            known = self._copy(scope, [entry.key], lambda _, before: before is None)
            self.done.audit_entries += known

    def _apply_refusals(self) -> None:
        for scope, key in self.census.keys(CONSENT_SK):
            if key.sk != CONSENT_SK:
                self.done.statements += self._copy(scope, [key], lambda _, before: before is None)
            elif self._copy(
                scope, [key], lambda now, old: now["updated_at"] > (old or {}).get("updated_at", 0)
            ):
                consent = self.table.get(scope, key)
                if refused(consent):
                    self.restored.forgetter.forget(scope, whole(key.pk.partition("#")[2]))
                    self.done.refused += 1

    def _refuse_in_sessions(self) -> None:
        for scope, keys in self._restored_rows(SESSION_SK):
            before = self.restored.table.get_many(scope, keys)
            for key, row in self.table.get_many(scope, list(before)).items():
                said: Item = {name: row[name] for name in ("ai_consent", "ai_consent_at") if name in row}
                if said.get("ai_consent_at", 0) > before[key].get("ai_consent_at", 0):
                    self.restored.table.update(scope, Update(key, set=said, condition=Present()))
                    self.done.statements += 1

    def _delete_observations(self) -> None:
        for scope, keys in self._restored_rows(OBSERVATION_PREFIX, TRASH_PREFIX):
            live = {pointer_key(int(key.sk.rpartition("#")[2])): not _is_trash(key) for key in keys}
            for pointer, row in self.table.get_many(scope, list(live)).items():
                if row["state"] == "gone" or (row["state"] == "trash" and live[pointer]):
                    hard = row["state"] == "gone"
                    self.restored.editor.delete(scope, pointed_id(pointer), hard=hard)
                    self.done.deleted += 1

    def _delete_episodes(self) -> None:
        for scope, keys in self._restored_rows(EPISODE_PREFIX):
            rows = self.restored.table.get_many(scope, keys).values()
            places = {episode_place_key(row["id"]): row for row in rows}
            for place, pointer in self.table.get_many(scope, list(places)).items():
                if pointer["state"] == "gone":
                    episode, now = places[place], self.restored.clock.now_us()
                    self.restored.table.transact(scope, _removal(episode, now))
                    self.done.deleted += 1

    def _delete_facts(self) -> None:
        for scope, keys in self._restored_rows(FACT_PREFIX):
            rows = self.restored.table.get_many(scope, keys).values()
            for row in rows:
                about = row["agent_id"], row["user_id"]
                if self.table.get(scope, deleted_fact_key(*about, row["hash"])) is not None:
                    self.restored.facts.delete(scope, *about, fact_id(row["id"]))
                    self.done.deleted += 1

    def _delete_conclusions(self) -> None:
        for scope, mark in self.census.keys(DECLINED_PREFIX):
            self._copy(scope, [mark], lambda now, before: now != before)
            conclusion = Key(mark.pk, CONCLUSION_PREFIX + mark.sk.removeprefix(DECLINED_PREFIX))
            row, told = self.restored.table.get(scope, conclusion), self.table.get(scope, mark)
            if row is not None and told is not None and row["created_at"] <= told["at"]:  # not drawn since
                self.restored.table.transact(scope, [Delete(conclusion)])
                self.done.deleted += 1

    def _delete_entities(self) -> None:
        for scope, keys in self._restored_rows(ENTITY_PREFIX):
            there = self.restored.table.get_many(scope, keys)
            for key, row in self.table.get_many(scope, list(there)).items():
                if "deleted_at" in row and "deleted_at" not in there[key]:
                    gone = {name: row[name] for name in ("deleted_at", "buried", "life")}
                    self.restored.bury_entity(scope, whole(key.pk.partition("#")[2]), row["id"], gone)
                    self.done.deleted += 1

    def _erase(self, after: int) -> int:
        """Erase whom the present store's receipts name, by the digests of their names.

        `after` is the position of the consumers; theirs now is returned.
        """
        asked: list[tuple[Scope, Item]] = []
        for tenant in self.census.tenants():
            scope = Scope(tenant)
            for line in every_row(self.table, scope, Query(ERASURES_PK, limit=_PAGE)):
                if "device" in line.item:  # a mark of the erasure that has a line of its own
                    self._copy(scope, [line.key], lambda *_: True)
                    continue
                job = self.table.get(scope, erasure_key(line.item["erasure_id"]))
                before = self.restored.table.get(scope, erasure_key(line.item["erasure_id"]))
                if job is not None and (before is None or before["status"] != DONE):
                    asked.append((scope, job))
        people = self._people() if asked else {}
        for scope, job in asked:
            erasure_id = job["erasure_id"]
            owner = job.get("owner") or next(
                (each for each in people[scope] if receipt_subject(erasure_id, each) == job["subject"]), None
            )
            if owner is None:  # nothing of theirs is in the backup: the receipt alone
                self._copy(scope, [erasure_key(erasure_id), listed_erasure_key(erasure_id)], lambda *_: True)
                continue
            self._begin(scope, job, owner)
            while self.restored.eraser.work(scope, erasure_id) is not None:
                after = self._follow(after)
            self.done.erased += 1
        return after

    def _begin(self, scope: Scope, job: Item, owner: str) -> None:
        """Have the restored store hold the erasure as one that begins, under its own id and time."""
        erasure_id, now = job["erasure_id"], self.restored.clock.now_us()
        begun: Item = {
            "erasure_id": erasure_id,
            "owner": owner,
            "status": QUEUED,
            "requested_at": job["requested_at"],
            "quiet_since": now,
            "steps": 0,
        } | ({"external_type": job["external_type"]} if "external_type" in job else {})
        self.restored.table.transact(
            scope,
            [
                Put(erasure_key(erasure_id), begun),
                Put(listed_erasure_key(erasure_id), {"erasure_id": erasure_id}),
                Put(tombstone_key(owner, job.get("external_type")), {"erasure_id": erasure_id}),
            ],
        )

    def _people(self) -> dict[Scope, dict[str, None]]:
        """Everybody whom the restored rows name, by tenant."""
        found: dict[Scope, dict[str, None]] = defaultdict(dict)
        kinds = {each.row for each in HOLDINGS if each.row} | {AUDIT_ENTRY}
        for scope, keys in self._restored_rows(*sorted(kinds)):
            for key, row in self.restored.table.get_many(scope, keys).items():
                place = row.get("gsi3pk", key.pk)
                if place.startswith(_PERSON):
                    found[scope][whole(place.removeprefix(_PERSON))] = None
        return found

    def _restored_rows(self, *prefixes: str) -> Iterator[tuple[Scope, list[Key]]]:
        for prefix in prefixes:
            yield from batches(self.restored.census.keys(prefix))

    def _follow(self, after: int) -> int:
        """Have the consumers follow what was written since; the position behind it."""
        self.restored.change_log.fetch()
        while changes := self.restored.change_log.read(after, _PAGE):
            theirs = ((Scope(each.tenant), each.key) for each in changes if each.tenant not in RESERVED)
            for scope, keys in batches(theirs):
                process_again(self.restored.consumers, scope, list(dict.fromkeys(keys)), nullcontext)
            after = changes[-1].sequence
        return after


def _removal(episode: Item, now: int) -> list[Action]:
    return removal(episode["owner"], episode["id"], episode["session_id"], now)


def _is_trash(key: Key) -> bool:
    return key.sk.startswith(TRASH_PREFIX)
