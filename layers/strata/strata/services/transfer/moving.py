"""Moving everything of one project to another.

Each session and each observation moves in a transaction of its own, with its totals, guards and change notes.
So a move that is interrupted has moved some of them whole, and the same call goes on with the others.
"""

from collections.abc import Iterator, Sequence

from strata.domain.scope import Scope
from strata.domain.wire.engram import MovedProject
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AllOf, Delete, Equals, Item, Present, Update
from strata.ports.table import Query, Table
from strata.services.observations.change import guard_keys
from strata.services.observations.rows import insertion
from strata.services.records.change_notes import change_notes
from strata.services.records.episodes import episode_key
from strata.services.records.kinds import EPISODES, OBSERVATIONS
from strata.services.records.observations import (
    LAST_OBSERVATION,
    OBSERVATION_PREFIX,
    observation_key,
    pointer_key,
    project_pk,
)
from strata.services.records.sessions import listed, project_sessions, session_key, summarized
from strata.services.records.totals import stats_key
from strata.services.table.pages import every_row
from strata.services.table.retry import Overtaken, settled
from strata.services.table.transaction import Named, Refused, transact

SECONDS = 8.0
"""Seconds after which a call stops; the next one goes on."""
_PAGE = 100


class ProjectMover:
    """Moves the sessions, their episodes and the observations of projects; what was deleted stays."""

    def __init__(self, table: Table, clock: Clock, *, dedupe_window: int) -> None:
        self._table = table
        self._clock = clock
        self._window_us = dedupe_window * 1_000_000

    def move(self, scope: Scope, old: str, new: str) -> MovedProject:
        """Move everything of a project for some seconds, and count it.

        Raises:
            Conflict: concurrent writers did not let a row settle.
        """
        if old == new:
            return MovedProject(status="skipped", reason="names are identical")
        end, moved = self._clock.monotonic() + SECONDS, {"sessions": 0, "observations": 0}
        for kind, row in self._rows(scope, old):
            if self._clock.monotonic() > end:
                return MovedProject(status="partial", old_project=old, new_project=new, prompts=0, **moved)
            move = self._session if kind == "sessions" else self._observation
            moved[kind] += settled(self._clock, "the project", lambda _: move(scope, row, old, new))  # noqa: B023
        if not any(moved.values()):
            return MovedProject(status="skipped", reason="no records found")
        return MovedProject(status="migrated", old_project=old, new_project=new, prompts=0, **moved)

    def _rows(self, scope: Scope, project: str) -> Iterator[tuple[str, Item]]:
        sessions = Query(project_sessions(project), index="gsi1", limit=_PAGE)
        yield from (("sessions", row.item) for row in every_row(self._table, scope, sessions))
        first, last = OBSERVATION_PREFIX, LAST_OBSERVATION
        rows = every_row(self._table, scope, Query(project_pk(project), first=first, last=last, limit=_PAGE))
        yield from (("observations", row.item) for row in rows)

    def _session(self, scope: Scope, seen: Item, old: str, new: str) -> bool:
        """Move a session and its episode; False where it is gone, or moved already."""
        row = self._table.get(scope, session_key(seen["id"]))
        if row is None or row.get("project") != old or not row.get("started_at"):
            return False
        place = row["id"], row["started_at"]
        fields: Item = {"project": new, "moved_at": self._clock.now_us()} | listed(new, place[1], place[0])
        if row.get("gsi2pk"):
            fields |= summarized(new, place[1], place[0], row["summary"], row.get("about"))
        same = tuple(Equals(name, row.get(name)) for name in ("project", "summary", "episode", "counted"))
        transact(
            self._table,
            scope,
            {
                "row": Update(session_key(row["id"]), set=fields, condition=AllOf((Present(), *same))),
                "totals": _recounted(row, "sessions", old, new),
                "episode": self._episode(scope, row, new),
            },
        )
        return True

    def _episode(self, scope: Scope, session: Item, new: str) -> Sequence[Action]:
        """Move the episode of a session, if it has one."""
        if not session.get("episode"):
            return ()
        key = episode_key(session["episode_owner"], session["episode"])
        episode = self._table.get(scope, key)
        if episode is None:
            return ()
        at = max(self._clock.now_us(), episode["updated_at"] + 1)
        same = AllOf((Present(), Equals("updated_at", episode["updated_at"])))
        change = Update(key, set={"project": new, "updated_at": at}, condition=same)
        return [change, *change_notes(EPISODES, episode, at)]

    def _observation(self, scope: Scope, seen: Item, old: str, new: str) -> bool:
        """Move an observation, with its id; False where it is gone.

        A content or a topic that another observation of the new project has stays that one's.
        """
        identifier = seen["id"]
        keys = observation_key(old, identifier), pointer_key(identifier)
        rows = self._table.get_many(scope, keys)
        before, pointer = (rows.get(key) for key in keys)
        if before is None or pointer is None:
            return False
        after = before | {"project": new, "updated_at": max(self._clock.now_us(), before["updated_at"] + 1)}
        at = after["updated_at"]
        made = insertion(after, window_us=self._window_us, content_free=Absent(), noted_at=at)
        same = tuple(Equals(name, pointer.get(name)) for name in ("project", "state", "counted"))
        made["pointer"] = Update(keys[1], set={"project": new}, condition=AllOf((Present(), *same)))
        named: Named = {
            **made,
            "old": Delete(keys[0], Equals("updated_at", before["updated_at"])),
            "old_guards": [
                Delete(key, Equals("observation_id", identifier))
                for key, row in self._table.get_many(scope, guard_keys(before)).items()
                if row["observation_id"] == identifier
            ],
            "totals": _recounted(pointer, "observations", old, new),
            "notes": [*change_notes(OBSERVATIONS, before, at), *change_notes(OBSERVATIONS, after, at)],
        }
        try:
            transact(self._table, scope, named)
        except Refused as refused:
            taken = [name for name in ("content", "topic") if name in refused]
            if not taken or any(name in refused for name in ("row", "pointer", "old", "old_guards")):
                raise Overtaken from None
            transact(self._table, scope, {name: given for name, given in named.items() if name not in taken})
        return True


def _recounted(marked: Item, total: str, old: str, new: str) -> Sequence[Action]:
    """Count a row in its new project, if the old one's totals have it."""
    if not marked.get("counted"):
        return ()
    return [
        Update(stats_key(project), set={"project": project}, add={total: by})
        for project, by in ((old, -1), (new, 1))
    ]
