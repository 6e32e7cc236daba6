"""What people agree to, for every agent of the tenant, and how that came about.

Facts are found and used unless the person has refused; who writes them makes that a condition of the write
(`unrefused`), so that a refusal holds from the moment in which it was accepted.

What a refusal erases is looked for twice: before the answer, and behind the stream. The second time finds
what an index of the table did not show yet, and what is left where the first was broken off.
"""

from collections.abc import Sequence
from typing import Protocol

from strata.domain.errors import Conflict
from strata.domain.ids import IdSource
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.consent import Consent, ConsentChange, ConsentNote
from strata.ports import (
    Absent,
    Clock,
    Condition,
    ConditionFailed,
    Equals,
    Item,
    Key,
    Put,
    Query,
    Table,
    Update,
)
from strata.services.records.people import CONSENT_PREFIX, CONSENT_SK, consent_key, consent_note_key
from strata.services.table.retry import attempts
from strata.services.table.transaction import write_what_holds

MOST_NOTES = 1000
"""Statements that an answer shows, the newest."""


class Forgets(Protocol):
    """Removes what was learnt of a person."""

    def forget(self, scope: Scope, owner: str) -> object:
        """Remove facts, and what else was derived of what they said."""


class Consents:
    """Keeps what people agree to.

    Args:
        table, clock, ids: where it is kept, the time, and the source of the statements' times.
        learnt: removes what was learnt, where a refusal asks for it.
    """

    def __init__(self, table: Table, clock: Clock, ids: IdSource, learnt: Forgets) -> None:
        self._table = table
        self._clock = clock
        self._ids = ids
        self._learnt = learnt

    def get(self, scope: Scope, owner: str) -> Consent:
        """What a person agrees to now, and every statement of theirs."""
        row = self._table.get(scope, consent_key(owner)) or {}
        query = Query(
            consent_key(owner).pk, prefix=CONSENT_PREFIX, newest_first=True, limit=MOST_NOTES, resumable=False
        )
        notes = [_note(found.item) for found in self._table.query(scope, query).rows]
        return Consent(
            external_ref=owner,
            ai_consent=row.get("ai_consent"),
            persist=row.get("persist", True),
            updated_at=rfc3339(row["updated_at"]) if row else None,
            history=notes,
        )

    def put(self, scope: Scope, owner: str, change: ConsentChange, by: str) -> Consent:
        """Take a statement down, whole and with its place in the history, then erase where it says so.

        Args:
            scope: the caller's.
            owner: whose word it is.
            change: what they say.
            by: who tells us.

        Raises:
            Conflict: concurrent writers did not let this one settle.
        """
        for _ in attempts():
            row = self._table.get(scope, consent_key(owner))
            now = self._ids.next(self._clock.now_us())
            said: Item = {
                "ai_consent": (row or {}).get("ai_consent"),
                "persist": (row or {}).get("persist", True),
            }
            said |= change.model_dump(include={"ai_consent", "persist"}, exclude_none=True)
            note = {name: value for name, value in said.items() if value is not None} | {"at": now, "by": by}
            seen: Condition = Absent() if row is None else Equals("updated_at", row["updated_at"])
            fields: Item = {name: note[name] for name in ("ai_consent", "persist") if name in note}
            fields |= {"updated_at": now} | ({"forgets": owner} if change.erase else {})
            rest = () if change.erase else ("forgets",)
            try:
                self._table.transact(
                    scope,
                    [
                        Update(consent_key(owner), set=fields, remove=rest, condition=seen),
                        Put(consent_note_key(owner, now), note, Absent()),
                    ],
                )
            except ConditionFailed:
                continue
            if change.erase:
                self._learnt.forget(scope, owner)
            return self.get(scope, owner)
        raise Conflict("the consent is being written by others; try again")

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """A consumer of the stream: erase once more what refusals erase that still stand."""
        said = [key for key in dict.fromkeys(keys) if key.sk == CONSENT_SK]
        rows = self._table.get_many(scope, said) if said else {}
        for key, row in rows.items():
            if "forgets" not in row:
                continue
            if refused(row):
                self._learnt.forget(scope, row["forgets"])
            done = Update(key, remove=("forgets",), condition=Equals("updated_at", row["updated_at"]))
            write_what_holds(self._table, scope, [done])


def refused(consent: Item | None) -> bool:
    """Whether a person whose consent row this is keeps facts about them from being found and used."""
    row = consent or {}
    return row.get("ai_consent") is False or row.get("persist") is False


def _note(row: Item) -> ConsentNote:
    return ConsentNote(
        ai_consent=row.get("ai_consent"), persist=row["persist"], at=rfc3339(row["at"]), by=row["by"]
    )
