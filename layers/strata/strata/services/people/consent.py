"""The consent of people, for every agent of the tenant, with its history.

Facts are extracted and used unless the person has refused (`permission`).

A refusal may ask for erasure. That is done twice: before the answer, and behind the stream. The second time
finds rows that an index of the table did not show yet, and those that an interrupted first time left.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from strata.domain.ids import IdSource
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.consent import Consent, ConsentChange, ConsentNote
from strata.ports.clock import Clock
from strata.ports.rows import Absent, Condition, Equals, Item, Key, Put, Update
from strata.ports.table import Query, Table
from strata.services.people.audit import AuditLog
from strata.services.records.people import CONSENT_PREFIX, CONSENT_SK, consent_key, consent_note_key
from strata.services.table.retry import settled
from strata.services.table.transaction import write_what_holds

MOST_NOTES = 1000
"""An answer shows so many statements, the newest first."""


class Forgetter(Protocol):
    """Deletes what was derived from a person's words."""

    def forget(self, scope: Scope, owner: str) -> object:
        """Delete a person's facts and whatever else was derived from their words."""


@dataclass(frozen=True, slots=True)
class Consents:
    """The consent of people.

    Attributes:
        table, clock, ids: the store, the time, and the source of the statements' times.
        forgetter: deletes what was derived from a person's words, where a refusal asks for it.
        audit: takes an entry of every statement.
    """

    table: Table
    clock: Clock
    ids: IdSource
    forgetter: Forgetter
    audit: AuditLog

    def get(self, scope: Scope, owner: str) -> Consent:
        """A person's consent now, and every statement of theirs."""
        row = self.table.get(scope, consent_key(owner)) or {}
        query = Query(
            consent_key(owner).pk, prefix=CONSENT_PREFIX, newest_first=True, limit=MOST_NOTES, resumable=False
        )
        notes = [_note(found.item) for found in self.table.query(scope, query).rows]
        return Consent(
            external_ref=owner,
            ai_consent=row.get("ai_consent"),
            persist=row.get("persist", True),
            updated_at=rfc3339(row["updated_at"]) if row else None,
            history=notes,
        )

    def put(self, scope: Scope, owner: str, change: ConsentChange, by: str) -> Consent:
        """Write a statement with its entry in the history, then erase where it says so.

        Args:
            scope: the caller's.
            owner: the person.
            change: their statement.
            by: the caller who reports it.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        settled(self.clock, "the consent", lambda _: self._write(scope, owner, change, by))
        if change.erase:
            self.forgetter.forget(scope, owner)
        return self.get(scope, owner)

    def _write(self, scope: Scope, owner: str, change: ConsentChange, by: str) -> None:
        row = self.table.get(scope, consent_key(owner))
        before = row or {}
        said: Item = {"ai_consent": before.get("ai_consent"), "persist": before.get("persist", True)}
        said |= change.model_dump(include={"ai_consent", "persist"}, exclude_none=True)
        said = {name: value for name, value in said.items() if value is not None}
        now = self.ids.next(self.clock.now_us())
        fields = said | {"updated_at": now} | ({"forgets": owner} if change.erase else {})
        rest = () if change.erase else ("forgets",)
        seen: Condition = Absent() if row is None else Equals("updated_at", row["updated_at"])
        refusal = change.ai_consent is False or change.persist is False
        told = change.model_dump(exclude_none=True, exclude_defaults=True)
        self.table.transact(
            scope,
            [
                self.audit.entry("consent_refused" if refusal else "consent_given", owner, by, told),
                Update(consent_key(owner), set=fields, remove=rest, condition=seen),
                Put(consent_note_key(owner, now), said | {"at": now, "by": by}, Absent()),
            ],
        )

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """A consumer of the stream: erase once more for refusals that still stand."""
        said = [key for key in dict.fromkeys(keys) if key.sk == CONSENT_SK]
        rows = self.table.get_many(scope, said) if said else {}
        for key, row in rows.items():
            if "forgets" not in row:
                continue
            if refused(row):
                self.forgetter.forget(scope, row["forgets"])
            done = Update(key, remove=("forgets",), condition=Equals("updated_at", row["updated_at"]))
            write_what_holds(self.table, scope, [done])


def refused(consent: Item | None) -> bool:
    """Whether the person of this consent row has refused that facts about them are extracted and used."""
    row = consent or {}
    return row.get("ai_consent") is False or row.get("persist") is False


def refusing(table: Table, scope: Scope, people: Iterable[str]) -> set[str]:
    """Those of these people who refuse that anything is learnt about them."""
    keys = {each: consent_key(each) for each in people}
    rows = table.get_many(scope, list(keys.values())) if keys else {}
    return {each for each, key in keys.items() if refused(rows.get(key))}


def of_willing(table: Table, scope: Scope, episodes: Sequence[Item]) -> list[Item]:
    """These episodes without those that were derived from the words of who refuses; stored ones stay."""
    silent = refusing(table, scope, {row["owner"] for row in episodes if row.get("derived")})
    return [row for row in episodes if not (row.get("derived") and row["owner"] in silent)]


def _note(row: Item) -> ConsentNote:
    return ConsentNote(
        ai_consent=row.get("ai_consent"), persist=row["persist"], at=rfc3339(row["at"]), by=row["by"]
    )
