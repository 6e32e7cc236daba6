"""Changing and deleting observations, together with the guards of their topic and content."""

from collections.abc import Collection, Sequence

from strata.domain.dedup import normalized_hash
from strata.domain.errors import DuplicateContent, NotFound
from strata.domain.redaction.texts import redacted_fields
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.observations import Observation, ObservationChange
from strata.ports.clock import Clock
from strata.ports.rows import (
    Absent,
    Action,
    AllOf,
    AnyOf,
    Condition,
    Delete,
    Equals,
    Item,
    Key,
    Present,
    Put,
    Update,
)
from strata.ports.table import Table
from strata.services.records.change_notes import change_notes
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import (
    MARK,
    content_guards,
    has_content_of,
    observation_key,
    pointer_key,
    to_observation,
    topic_guard_key,
    trash_key,
    trashed_observations,
)
from strata.services.records.parts import numbered
from strata.services.table.retry import Overtaken, settled
from strata.services.table.transaction import Named, Refused, transact

POINTER_SECONDS = 30 * DAY
"""A deleted observation's pointer stays so long, for the totals and the index to be folded."""

LIVE = ("live",)
STORED = ("live", "trash")
ANY = (*STORED, "gone")
"""States of pointers. Hard deletes of earlier versions, during a move, left rows whose pointer is gone."""


class Editor:
    """Changes and deletes observations."""

    def __init__(self, table: Table, clock: Clock, *, dedupe_window: int, redacting: bool = True) -> None:
        self._table = table
        self._clock = clock
        self._window_us = dedupe_window * 1_000_000
        self._redacting = redacting

    def change(self, scope: Scope, observation_id: int, change: ObservationChange) -> Observation:
        """Change what is named and give the observation after it.

        Raises:
            NotFound: there is no such live observation.
            DuplicateContent: another observation of the same project and owner has this content.
            Conflict: concurrent writers did not let this one settle.
        """
        fields = self._fields(change)

        def attempt(refused: Refused | None) -> Observation:
            _, before = self._found(scope, observation_id, LIVE)
            if before is None:
                raise NotFound("no such observation")
            if not fields:
                return to_observation(before)
            after = before | fields | {"updated_at": max(self._clock.now_us(), before["updated_at"] + 1)}
            guard = refused.row("content") if refused else None
            stale = self._verified_stale(scope, after, guard["observation_id"]) if guard else None
            self._write(scope, before, after, stale=stale)
            return to_observation(after)

        return settled(self._clock, "the observation", attempt)

    def _fields(self, change: ObservationChange) -> Item:
        fields: Item = change.model_dump(exclude_none=True)
        if self._redacting:
            fields = redacted_fields(fields)
        if fields.pop("superseded", None) is False:
            fields |= dict.fromkeys(MARK) | {"stands": True}
        elif "content" in fields:
            fields["stands"] = None
        if "tags" in fields:
            fields["tags"] = fields["tags"] or None
        if "metadata" in fields:
            fields["metadata"] = fields["metadata"] or None
        if "content" in fields:
            fields["normalized_hash"] = normalized_hash(fields["content"])
        return fields

    def _write(self, scope: Scope, before: Item, after: Item, *, stale: int | None) -> None:
        identifier, project = before["id"], before["project"]
        changed = {name: value for name, value in after.items() if before.get(name) != value}
        unchanged = AllOf((Present(), Equals("updated_at", before["updated_at"])))
        guards: list[Action] = []
        named: dict[str, Action | list[Action]] = {
            "row": Update(observation_key(project, identifier), set=changed, condition=unchanged),
            "notes": change_notes(OBSERVATIONS, before, after["updated_at"]),
        }
        if not has_content_of(before, after):
            mine: Condition = Equals("observation_id", identifier)
            free = (Absent(), mine) if stale is None else (Absent(), mine, Equals("observation_id", stale))
            guard = {"observation_id": identifier, "window_until": before["created_at"] + self._window_us}
            content, older = content_guards(after)
            named["content"] = Put(content, guard, AnyOf(free))
            self._check_older(scope, older, after)
            left = [key for key in content_guards(before) if key != older]
            guards += [Delete(key, AnyOf((Absent(), mine))) for key in left]
        self._transact(scope, named, guards)

    def _verified_stale(self, scope: Scope, after: Item, holder: int) -> int:
        """The holder's id when its guard is stale; otherwise the change would double its content."""
        if has_content_of(self._table.get(scope, observation_key(after["project"], holder)), after):
            raise DuplicateContent(f"observation {holder} has this content already")
        return holder

    def _check_older(self, scope: Scope, older: Key, after: Item) -> None:
        """Refuse what the guard of an earlier version names another row for."""
        guard = self._table.get(scope, older)
        if guard is not None and guard["observation_id"] != after["id"]:
            self._verified_stale(scope, after, guard["observation_id"])

    def delete(self, scope: Scope, observation_id: int, *, hard: bool) -> None:
        """Take an observation out of search, context and lists; `hard` erases it, also from the trash.

        Raises:
            NotFound: there is no such observation (for a hard delete: neither live nor in the trash).
        """

        def attempt(_: Refused | None) -> None:
            pointed, row = self._found(scope, observation_id, ANY if hard else LIVE)
            if row is None and not (hard and pointed["state"] in STORED):
                raise NotFound("no such observation")
            self._remove(scope, pointed, observation_id, row, hard=hard)

        settled(self._clock, "the observation", attempt)

    def _remove(
        self, scope: Scope, pointed: Item, observation_id: int, row: Item | None, *, hard: bool
    ) -> None:
        now, project = self._clock.now_us(), pointed["project"]
        pointer, trash = pointer_key(observation_id), trash_key(project, observation_id)
        # a pointer that changed names another place, where the row may be now
        there = AllOf((Present(), *(Equals(name, pointed[name]) for name in ("project", "state"))))
        same = Equals("updated_at", row["updated_at"]) if row else Absent()
        guards: list[Action] = []
        named: dict[str, Action | list[Action]] = {
            "row": Delete(observation_key(project, observation_id), same)
        }
        if hard:
            gone = {"state": "gone", "expires_at": now // 1_000_000 + POINTER_SECONDS}
            named |= {"trash": Delete(trash), "pointer": Update(pointer, set=gone, condition=there)}
        elif row is not None:
            listed = ("gsi1", "gsi2")  # the trash still belongs to its owner, and to its session's
            kept = {name: value for name, value in row.items() if not name.startswith(listed)} | {
                "deleted_at": now,
                "gsi1pk": trashed_observations(row["session_id"]),
                "gsi1sk": numbered(observation_id),
            }
            trashed = Update(pointer, set={"state": "trash"}, condition=there)
            named |= {"trash": Put(trash, kept), "pointer": trashed}
        if row is not None:
            mine = AnyOf((Absent(), Equals("observation_id", observation_id)))
            named["notes"] = change_notes(OBSERVATIONS, row, now)
            guards += [Delete(key, mine) for key in guard_keys(row)]
        self._transact(scope, named, guards)

    def _transact(self, scope: Scope, named: Named, guards: Sequence[Action]) -> None:
        """Write the actions, and remove the guards that no other observation has taken over."""
        try:
            transact(self._table, scope, {**named, "guards": guards})
        except Refused as refused:
            if any(name in refused for name in named):
                raise
            taken = refused.actions("guards")
            mine = [guard for guard in guards if guard not in taken]
            transact(self._table, scope, {**named, "guards": mine})

    def _found(self, scope: Scope, observation_id: int, states: Collection[str]) -> tuple[Item, Item | None]:
        """The pointer of an observation, in one of these states, and its live row where there is one.

        Raises:
            NotFound: there is no such observation.
            Overtaken: it was moved to another project, or deleted, between the two reads.
        """
        pointed = self._pointed(scope, observation_id, states)
        row = self._table.get(scope, observation_key(pointed["project"], observation_id))
        if row is None and self._pointed(scope, observation_id, states) != pointed:
            raise Overtaken
        return pointed, row

    def _pointed(self, scope: Scope, observation_id: int, states: Collection[str]) -> Item:
        pointer = self._table.get(scope, pointer_key(observation_id))
        if pointer is None or pointer["state"] not in states:
            raise NotFound("no such observation")
        return {name: pointer[name] for name in ("project", "state")}


def guard_keys(row: Item) -> list[Key]:
    """The guards that may name this observation."""
    keys = list(content_guards(row))
    if row.get("topic_key"):
        keys.append(topic_guard_key(row["project"], row["scope"], row.get("user_id"), row["topic_key"]))
    return keys
