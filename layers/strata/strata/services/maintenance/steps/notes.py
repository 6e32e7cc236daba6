"""Step: changes that the stream has lost are noted again."""

from collections.abc import Sequence

from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.ports.clock import Clock
from strata.ports.rows import Action, Delete, Key, Present, Put
from strata.ports.table import ConditionFailed, Query, Row, Table
from strata.services.maintenance.step import Swept, Window
from strata.services.records.change_notes import SHARDS, shard_pk
from strata.services.records.kinds import KINDS, OBSERVATIONS, Kind
from strata.services.records.observations import GLOBAL_PK
from strata.services.records.parts import CHANGE_PREFIX, numbered, parts_of_note
from strata.services.stream.totals import Totals

FORGOTTEN_SECONDS = DAY
"""A stream keeps a change for 24 hours; it has lost the change of an older note."""

AT_ONCE = 100


class ForgottenNotes:
    """Writes forgotten change notes anew, so that the stream carries them to the indexer again."""

    name = "notes"

    def __init__(self, table: Table, clock: Clock, totals: Totals) -> None:
        self._table = table
        self._clock = clock
        self._totals = totals

    def sweep(self, scope: Scope, window: Window, cursor: str | None) -> Swept:
        before = numbered(self._clock.now_us() - FORGOTTEN_SECONDS * 1_000_000)
        renewed, full = 0, False
        for kind in KINDS:
            for shard in range(SHARDS):
                pk, first = shard_pk(shard, kind), numbered(0)  # before that are applied changes
                query = Query(pk, index="gsi2", first=first, last=before, limit=AT_ONCE, resumable=False)
                rows = self._table.query(scope, query).rows
                done = self._renewed(scope, kind, rows)
                full |= done == AT_ONCE
                renewed += done
        return Swept({"renewed": renewed}, cursor="more" if full else None)

    def _renewed(self, scope: Scope, kind: Kind, notes: Sequence[Row]) -> int:
        """Renew notes; the number of those that were. Totals are owed by a note as it was written first."""
        noted = [row.key for row in notes if kind is OBSERVATIONS and kind.noted_row(row.key) is not None]
        accounts = self._totals.fold(scope, noted)
        renewed = [row.key for row in notes if self._renew(scope, kind, row)]
        self._totals.forget(scope, accounts, renewed)
        return len(renewed)

    def _renew(self, scope: Scope, kind: Kind, note: Row) -> bool:
        """Replace an old note by a new one; False where it was settled, or is malformed."""
        if "expires_at" in note.item or kind.noted_row(note.key) is None:
            return False
        _, number, name = parts_of_note(note.key.sk)
        at = self._clock.now_us()
        sk = CHANGE_PREFIX + "#".join((numbered(at), number, name))
        places = {"gsi2pk": note.item["gsi2pk"], "gsi2sk": f"{numbered(at)}#{number}"}
        actions: list[Action] = [
            Delete(note.key, Present()),
            Put(Key(note.key.pk, sk), places),
        ]
        twin = Key(GLOBAL_PK, note.key.sk)
        if note.key.pk != GLOBAL_PK and self._table.get(scope, twin) is not None:
            actions += [Delete(twin), Put(Key(GLOBAL_PK, sk), {})]
        try:
            self._table.transact(scope, actions)
        except ConditionFailed:
            return False
        return True
