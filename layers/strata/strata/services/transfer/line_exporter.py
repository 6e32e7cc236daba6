"""Exports rows of every kind as lines of JSON, in pages.

The first line of an export names it; the last line of a page holds the cursor of the following one, or says
that the export is whole. So pages that are written one behind the other are one file, and its last cursor
continues it.
"""

import json
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from strata.domain.cursors import foreign, opened, sealed
from strata.domain.errors import InvalidRequest
from strata.domain.faults import reason
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.exact_json import to_text
from strata.domain.wire.lines import BEGIN, END, NEXT
from strata.ports.clock import Clock
from strata.ports.rows import Item, Key
from strata.ports.table import Inventory, Place, Row, Table
from strata.services.records.erasures import tombstone_key
from strata.services.records.parts import digest
from strata.services.records.sessions import session_around, session_key
from strata.services.transfer.exporter import PAGE_BYTES
from strata.services.transfer.kinds import CONSENTS, GROUPS, KINDS, ON_REQUEST, LineKind, kind_of, owner_in
from strata.services.transfer.person import PersonRows, Position

VERSION = 1
SECONDS = 12
"""A page is collected for so long; a function has 29 seconds."""

_AT_ONCE = 100
_ORDERS = sorted({kind.order for kind in KINDS})

_log = logging.getLogger("strata.export")


@dataclass(frozen=True, slots=True)
class _Found:
    """A row, the place at which an export continues with it, and the owner of the session it lies in."""

    place: Place | None
    row: Row | None = None
    session_owner: str | None = None


class LineExporter:
    """Exports everything of a tenant, or everything of one person.

    Args:
        table, inventory, clock: the rows, the keys of all of them, and the time.
    """

    def __init__(self, table: Table, inventory: Inventory, clock: Clock) -> None:
        self._table = table
        self._inventory = inventory
        self._persons = PersonRows(table)
        self._clock = clock

    def page(self, scope: Scope, kinds: str | None, user_id: str | None, cursor: str | None) -> str:
        """One page of at most 4 MB: consents and configurations first, then sessions, then what lies in them.

        Args:
            kinds: names of kinds with commas between them, or `all`; None for all but those on request.
            user_id: only what is this person's.
            cursor: where to continue.

        Raises:
            InvalidRequest: a kind is unknown, or the cursor is not one of this export.
        """
        groups = _groups(kinds)
        export = digest(scope.tenant, "lines", ",".join(sorted(groups)), user_id or "")
        order, place = _opened(cursor, export) if cursor else (_ORDERS[0], None)
        written: list[str] = []
        if not cursor:
            named = {"user_id": user_id} if user_id else {}
            at = rfc3339(self._clock.now_us())
            begin = {"kind": BEGIN, "version": VERSION, "exported_at": at, "kinds": sorted(groups)}
            written.append(to_text(begin | named))
        size, until = 0, self._clock.now_us() + SECONDS * 1_000_000
        for each, found in self._rows(scope, groups, user_id, order, place):
            text = _line(found)
            size += len(json.dumps(text)) if text else 0
            if (size > PAGE_BYTES or self._clock.now_us() > until) and (text is None or len(written) > 1):
                written.append(to_text({"kind": NEXT, "cursor": sealed(export, (each, found.place))}))
                break
            if text:
                written.append(text)
        else:
            written.append(to_text({"kind": END}))
        return "\n".join(written) + "\n"

    def _rows(
        self, scope: Scope, groups: frozenset[str], user_id: str | None, order: int, place: Place | None
    ) -> Iterator[tuple[int, _Found]]:
        for each in _ORDERS:
            kinds = [kind for kind in KINDS if kind.order == each and kind.group in groups]
            if each < order or not kinds:
                continue
            start = place if each == order else None
            if user_id:
                rows = self._of_person(scope, kinds, user_id, start)
            else:
                rows = self._of_tenant(scope, kinds, start)
            for found in rows:
                yield each, found

    def _of_person(
        self, scope: Scope, kinds: Sequence[LineKind], user_id: str, start: Place | None
    ) -> Iterator[_Found]:
        begin = Position() if start is None else Position.at(list(start))
        if begin is None:
            raise foreign("export")
        mark = self._table.get(scope, tombstone_key(user_id))
        if mark is not None and "erasure_id" in mark:  # their consents alone stay
            kinds = [kind for kind in kinds if kind.group == CONSENTS]
        for position, row in self._persons.rows(scope, user_id, begin):
            if kind_of(row.key) in kinds:
                yield _Found(position.place, row, user_id)

    def _of_tenant(self, scope: Scope, kinds: Sequence[LineKind], start: Place | None) -> Iterator[_Found]:
        waiting: list[tuple[Place | None, Key]] = []
        before = start
        for place, key in self._inventory.keys(scope, [kind.row for kind in kinds], start):
            if key is not None and kind_of(key) in kinds:
                waiting.append((before, key))
            before = place
            if key is None or len(waiting) == _AT_ONCE:
                yield from self._read(scope, waiting)
                waiting = []
            if key is None:
                yield _Found(place)
        yield from self._read(scope, waiting)

    def _read(self, scope: Scope, waiting: Sequence[tuple[Place | None, Key]]) -> Iterator[_Found]:
        """The rows of these keys that are there, each with the owner of its session where it names nobody.

        Those of people who are being erased are left out, or a copy of the store would have them again.
        """
        rows = self._table.get_many(scope, [key for _, key in waiting]) if waiting else {}
        around = {key: session for key, row in rows.items() if (session := _session_of(key, row))}
        keys = [session_key(each) for each in dict.fromkeys(around.values())]
        sessions = self._table.get_many(scope, keys) if keys else {}
        owners = {key: sessions.get(session_key(each), {}).get("user_id") for key, each in around.items()}
        people = {key: row.get("user_id") or owner_in(key) or owners.get(key) for key, row in rows.items()}
        marks = {each: tombstone_key(each) for each in people.values() if each}
        found = self._table.get_many(scope, list(marks.values())) if marks else {}
        erased = {key for key, mark in found.items() if "erasure_id" in mark}
        for place, key in waiting:
            if key in rows and marks.get(people[key]) not in erased:
                yield _Found(place, Row(key, rows[key]), owners.get(key))


def _session_of(key: Key, row: Item) -> str | None:
    """The session of a row that names nobody; None for others."""
    if row.get("user_id"):
        return None
    session: str | None = row.get("session_id")
    return session or (session_around(key) if key.pk == session_key(session_around(key)).pk else None)


def _line(found: _Found) -> str | None:
    if found.row is None:
        return None
    kind = kind_of(found.row.key)
    if kind is None:
        return None
    try:
        line = kind.line(found.row.key, found.row.item)
        if found.session_owner and "session_user_id" in kind.model.model_fields and not line.get("user_id"):
            line["session_user_id"] = found.session_owner
        return to_text({"kind": kind.name} | line)
    except Exception as error:  # one malformed row must not keep the others from being exported
        _log.error("a row of the kind %s is malformed and left out: %s", kind.name, reason(error))
        return None


def _groups(kinds: str | None) -> frozenset[str]:
    named = [each.strip() for each in (kinds or "").split(",") if each.strip()]
    if not named:
        return frozenset(GROUPS) - ON_REQUEST
    unknown = [each for each in named if each not in GROUPS and each != "all"]
    if unknown:
        raise InvalidRequest.of("kinds", f"should be 'all', or some of {', '.join(GROUPS)}")
    return frozenset(GROUPS if "all" in named else named)


def _opened(cursor: str, export: str) -> tuple[int, Place | None]:
    match opened(cursor, export):
        case [int(order), list(place)] if order in _ORDERS:
            return order, tuple(place)
        case [int(order), None] if order in _ORDERS:
            return order, None
    raise foreign("export")
