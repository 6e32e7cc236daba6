"""Removals written many at a time, each transaction with the job's own counts in it."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from strata.domain.scope import Scope
from strata.domain.wire.erasures import RUNNING
from strata.ports import Action, Clock, ConditionFailed, Equals, Item, Json, Key, Table, Update
from strata.services.privacy.erasure.remove import Removal
from strata.services.records.erasures import erasure_key

_ACTIONS = 100
_BYTES = 2_500_000
"""Of the rows that one transaction erases; DynamoDB takes 4 MB."""

COUNT = "erased_"
"""What the attributes of a job begin with that count what it erased."""


class Overtaken(Exception):
    """Another process works on the same erasure."""


class Batch:
    """Collects removals of one erasure and writes them.

    A transaction holds only if the job is as this process left it: so whatever is erased is counted, once,
    however often the work is begun again and by however many.

    Args:
        table, clock: what is written, and the time.
        scope: whose rows they are.
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
        """Rows that were removed so far."""

    @property
    def taken(self) -> int:
        """Rows that were removed, and that wait to be."""
        return self.written + len(self._waiting)

    def add(self, removal: Removal, item: Item) -> None:
        """Add the removal of a row; what waits is written when there is no room for it."""
        size = len(json.dumps(item))
        actions = sum(len(each.actions) for each in self._waiting) + len(removal.actions)
        if actions >= _ACTIONS or self._bytes + size > _BYTES or self._keys & removal.keys:
            self.flush()
        self._waiting.append(removal)
        self._keys |= removal.keys
        self._bytes += size

    def flush(self) -> None:
        """Write what waits. What has gone or changed meanwhile is left as it is.

        Raises:
            Overtaken: another process works on this erasure.
        """
        left, self._waiting = self._waiting, []
        self._keys, self._bytes = set(), 0
        while left:
            try:
                self.write([action for removal in left for action in removal.actions], _counts(left))
            except ConditionFailed as failed:
                left = _holding(left, set(failed.failures))
            else:
                self.written += len(left)
                return

    def write(self, actions: Sequence[Action], counts: Item) -> None:
        """Write these actions and, in the job, what they come to; its last look round begins anew.

        Raises:
            ConditionFailed: one of the actions does not hold.
            Overtaken: another process works on this erasure.
        """
        changed = Update(
            self._key,
            set={"status": RUNNING, "quiet_since": self._clock.now_us()},
            add=counts,
            remove=("cursor",),
        )
        self._step(actions, changed)

    def note(self, actions: Sequence[Action] = (), *, remove: tuple[str, ...] = (), **fields: Json) -> None:
        """Write how far the job is, and with it these actions, which erase nothing.

        Raises:
            ConditionFailed: one of the actions does not hold.
            Overtaken: another process works on this erasure.
        """
        self._step(actions, Update(self._key, set=fields, remove=remove))

    def _step(self, actions: Sequence[Action], job: Update) -> None:
        step = replace(job, add={**job.add, "steps": 1}, condition=Equals("steps", self._steps))
        try:
            self._table.transact(self._scope, [*actions, step])
        except ConditionFailed as failed:
            if len(actions) in failed.failures:
                raise Overtaken from None
            raise
        self._steps += 1


def _counts(removals: Sequence[Removal]) -> Item:
    found = Counter(COUNT + each.holding.name for each in removals if each.holding.counted)
    return dict(found)


def _holding(removals: Sequence[Removal], failed: set[int]) -> list[Removal]:
    """What is left of removals once those of their actions are out that do not hold."""
    left, place = [], 0
    for removal in removals:
        mine = [number - place for number in failed if place <= number < place + len(removal.actions)]
        place += len(removal.actions)
        if (rest := removal.without(mine)) is not None:
            left.append(rest)
    return left
