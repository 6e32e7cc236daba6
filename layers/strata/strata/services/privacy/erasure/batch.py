"""Deletes a person's rows: many removals in one transaction, with the counts of the job."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from strata.domain.scope import Scope
from strata.domain.wire.erasures import RUNNING
from strata.ports.clock import Clock
from strata.ports.rows import Action, Equals, Item, Json, Key, Update
from strata.ports.table import Table
from strata.services.privacy.erasure.remove import Removal
from strata.services.records.erasures import erasure_key
from strata.services.table.transaction import Named, Refused, transact

_ACTIONS = 100
_BYTES = 2_500_000
"""The size of the rows that one transaction erases; DynamoDB takes 4 MB."""

COUNT = "erased_"
"""The prefix of a job's attributes that count what it erased."""


class TakenOver(Exception):
    """Another process has taken a step of the same erasure."""


class RemovalBatch:
    """Collects removals of one erasure and writes them.

    Every transaction has the condition that the job is as this process left it: each row is counted once,
    however often the work is begun again and by however many processes.

    Args:
        job: the row of the erasure, as it was just read.
    """

    def __init__(self, table: Table, clock: Clock, scope: Scope, job: Item) -> None:
        self._table = table
        self._clock = clock
        self._scope = scope
        self._key = erasure_key(job["erasure_id"])
        self._steps: int = job["steps"]
        self._waiting: list[Removal] = []
        self._keys: set[Key] = set()
        self._bytes = 0
        self.written = 0
        """The number of rows that were removed so far."""

    @property
    def taken(self) -> int:
        """The number of rows that were removed or wait to be."""
        return self.written + len(self._waiting)

    def add(self, removal: Removal, item: Item) -> None:
        """Add the removal of a row; those that wait are written first where there is no room for it."""
        size = len(json.dumps(item))
        actions = sum(len(each.actions) for each in self._waiting) + len(removal.actions)
        if actions >= _ACTIONS or self._bytes + size > _BYTES or self._keys & removal.keys:
            self.flush()
        self._waiting.append(removal)
        self._keys |= removal.keys
        self._bytes += size

    def flush(self) -> None:
        """Write the removals that wait, but for rows that have gone or changed meanwhile.

        Raises:
            TakenOver: another process works on this erasure.
        """
        left, self._waiting = self._waiting, []
        self._keys, self._bytes = set(), 0
        while left:
            named = {f"row {place}": removal.actions for place, removal in enumerate(left)}
            try:
                self._write(named, _counts(left))
            except Refused as refused:
                rest = [each.without(refused.actions(name)) for name, each in zip(named, left, strict=True)]
                left = [removal for removal in rest if removal is not None]
            else:
                self.written += len(left)
                return

    def _write(self, named: Named, counts: Item) -> None:
        """Write these actions and add to the job's counts; its last check of everything begins anew."""
        changed = Update(
            self._key,
            set={"status": RUNNING, "quiet_since": self._clock.now_us()},
            add=counts,
            remove=("cursor",),
        )
        self._step(named, changed)

    def note(self, actions: Sequence[Action] = (), *, remove: tuple[str, ...] = (), **fields: Json) -> None:
        """Write how far the job is, and with it these actions, which are not counted.

        Raises:
            Refused: the condition of an action does not hold.
            TakenOver: another process works on this erasure.
        """
        self._step({"beside": actions}, Update(self._key, set=fields, remove=remove))

    def _step(self, named: Named, job: Update) -> None:
        step = replace(job, add={**job.add, "steps": 1}, condition=Equals("steps", self._steps))
        try:
            transact(self._table, self._scope, {**named, "job": step})
        except Refused as refused:
            if "job" in refused:
                raise TakenOver from None
            raise
        self._steps += 1


def _counts(removals: Sequence[Removal]) -> Item:
    found = Counter(COUNT + each.holding.name for each in removals if each.holding.counted)
    return dict(found)
