"""Imports what people agreed to or refused.

The newer statement holds. One that an import brings in leaves what one by its own route does: an entry of the
history, unless the export has that statement itself, and an entry of the audit log.

A time in the future would stand against whatever the person says from now on. So an agreement with such a
time is not taken. A refusal is, as one of now: without it the rows that it refuses would be taken.
"""

from collections.abc import Sequence
from datetime import datetime

from strata.domain.imports import NotTaken
from strata.domain.scope import Scope
from strata.domain.times import microseconds, rfc3339
from strata.domain.wire.lines import ConsentLine, StatementLine
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Action, AnyOf, AtMost, Item, Json, Key, Put, Update
from strata.ports.table import Table
from strata.services.people.audit import AuditLog
from strata.services.records.people import consent_key, consent_note_key
from strata.services.transfer.plan import Plan
from strata.services.transfer.seen import Seen

_AHEAD_US = 1_000_000
"""So far ahead a time may be: clocks differ, and the times of statements are unique, ahead of a clock's."""
_SAID = ("ai_consent", "persist")


def is_ahead(said: datetime, now_us: int) -> bool:
    """Whether a time lies in the future."""
    return microseconds(said) > now_us + _AHEAD_US


def ahead(field: str) -> NotTaken:
    """The refusal of a row whose field is a time in the future."""
    return NotTaken(f"{field}: should not lie in the future")


def imported_entry(audit: AuditLog, owner: str | None, by: str, said: Item) -> Put:
    """The entry of the audit log about a statement that an import brings in."""
    return audit.entry(
        "consent_refused" if False in said.values() else "consent_given", owner, by, said | {"imported": True}
    )


class ConsentPlanner:
    """Plans the import of consents and their history; `prepare` reads what the plans depend on."""

    def __init__(self, table: Table, clock: Clock, audit: AuditLog) -> None:
        self._table = table
        self._clock = clock
        self._audit = audit
        self._by = ""
        self._there: dict[Key, Item] = {}
        self._told: set[Key] = set()

    def prepare(self, scope: Scope, rows: Sequence[Seen], by: str) -> None:
        """Read the consents that are there, and which statements their history has, or will have.

        Args:
            scope: the caller's.
            rows: those that are taken.
            by: the caller who reports them.
        """
        consents = [seen.line for seen in rows if isinstance(seen.line, ConsentLine)]
        keys = {make for each in consents for make in (consent_key(each.user_id), _note_key(each))}
        self._by = by
        self._there = self._table.get_many(scope, list(keys)) if keys else {}
        coming = (seen.line for seen in rows if isinstance(seen.line, StatementLine))
        self._told = {consent_note_key(each.user_id, microseconds(each.at)) for each in coming}

    def plan(self, line: ConsentLine | StatementLine) -> Plan:
        """The plan of a row.

        Raises:
            NotTaken: its time lies in the future.
        """
        now = self._clock.now_us()
        if isinstance(line, ConsentLine):
            return self._refusal(line, now) if is_ahead(line.updated_at, now) else self._consent(line)
        if is_ahead(line.at, now):
            raise ahead("at")
        at = microseconds(line.at)
        return Plan(
            Put(consent_note_key(line.user_id, at), _said(line) | {"at": at, "by": line.by}, Absent())
        )

    def _consent(self, line: ConsentLine) -> Plan:
        at, said = microseconds(line.updated_at), _said(line)
        row = said | {"updated_at": at} | _forgets(line)
        older = AnyOf((Absent(), AtMost("updated_at", at - 1)))
        return Plan(
            Put(consent_key(line.user_id), row, older),
            beside=self._trace(line, said, said, at),
            stands=lambda there: there is not None and there["updated_at"] >= at,
        )

    def _refusal(self, line: ConsentLine, now: int) -> Plan:
        """The refusals of a line whose time lies in the future; what it agrees to stays as it is here."""
        said: Item = {name: False for name in _SAID if getattr(line, name) is False}
        if not said:
            raise ahead("updated_at")
        key = consent_key(line.user_id)
        before = self._there.get(key, {})
        at = max(now, before.get("updated_at", 0) + 1)
        holds = {"persist": True} | {name: before[name] for name in _SAID if name in before} | said
        older = AnyOf((Absent(), AtMost("updated_at", at - 1)))
        return Plan(
            Update(key, set=said | {"updated_at": at} | _forgets(line), condition=older),
            beside=self._trace(line, said, holds, at),
            stands=lambda there: there is not None and all(there.get(name) is False for name in said),
        )

    def _trace(self, line: ConsentLine, said: Item, holds: Item, at: int) -> list[Action]:
        """The entries of the history, where it does not have this statement, and of the audit log."""
        told: dict[str, Json] = {"updated_at": rfc3339(microseconds(line.updated_at))}
        entry = imported_entry(self._audit, line.user_id, self._by, said | told)
        key = consent_note_key(line.user_id, at)
        if key in self._told or key in self._there:
            return [entry]
        return [entry, Put(key, holds | {"at": at, "by": self._by}, Absent())]


def _note_key(line: ConsentLine) -> Key:
    return consent_note_key(line.user_id, microseconds(line.updated_at))


def _said(line: ConsentLine | StatementLine) -> Item:
    return {"persist": line.persist} | ({} if line.ai_consent is None else {"ai_consent": line.ai_consent})


def _forgets(line: ConsentLine) -> Item:
    """The order of a refusal that is still to erase what was learnt."""
    return {"forgets": line.user_id} if line.erase else {}
