"""Redrive: changes that the indexer set aside or never saw are processed again.

A stream keeps a change for 24 hours. A change that fails alone waits on the redrive queue as
`{pk, sk, reason}`; what died with the stream, as in an outage of more than a day, is known by its note.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from strata.ports import Census, Clock, Key, Message, Queue, Table
from strata.services.repair.open_notes import notes, overdue
from strata.services.stream.consumers import Consumer, fan_out
from strata.services.table.batches import AT_ONCE, Exclusively, Progress, unwatched

INVISIBLE_SECONDS = 900
"""For as long a message that stays is kept from this and every other redrive; given back at the end."""

MALFORMED = "it names no row"
_LISTED = 20


@dataclass(slots=True)
class Redriven:
    """What a redrive came to.

    Attributes:
        messages: how many messages went through.
        notes: how many forgotten notes were settled.
        stayed: how many messages and notes stay, for a reason of their own.
        stays: the first of those, `{pk, sk, reason}` each.
        outage: which store was away, so that the rest was not tried; empty when none was.
    """

    messages: int = 0
    notes: int = 0
    stayed: int = 0
    stays: list[dict[str, str]] = field(default_factory=list)
    outage: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether nothing stays."""
        return not self.stayed and not self.outage

    def stay(self, pk: str, sk: str, reason: str) -> None:
        """Count one that stays."""
        self.stayed += 1
        if len(self.stays) < _LISTED:
            self.stays.append({"pk": pk, "sk": sk, "reason": reason})


class Redriver:
    """Processes changes again, with the indexer's own consumers.

    Args:
        consumers: in the indexer's order; what writes the index must bear a stream beside it.
        queue: the dead letters of the indexer.
        census, table: to find forgotten notes.
        clock: the time.
    """

    def __init__(
        self, consumers: Sequence[Consumer], queue: Queue, census: Census, table: Table, clock: Clock
    ) -> None:
        self._consumers = consumers
        self._queue = queue
        self._census = census
        self._table = table
        self._clock = clock

    def redrive(self, on_progress: Progress = unwatched, exclusively: Exclusively = nullcontext) -> Redriven:
        """Process every message and every forgotten note again.

        Raises:
            Unavailable: the queue or the table does not answer.
        """
        result = Redriven()
        self._messages(result, on_progress, exclusively)
        if not result.outage:
            self._notes(result, on_progress, exclusively)
        return result

    def deliver(
        self, result: Redriven, tenant: str, keys: Sequence[Key], exclusively: Exclusively
    ) -> set[Key]:
        """Process these keys of a tenant; returns those that fail and adds them to `result`."""
        if not keys:
            return set()
        with exclusively():
            delivered = fan_out(self._consumers, tenant, keys)
        for key, reason in delivered.poisoned.items():
            result.stay(f"{tenant}#{key.pk}", key.sk, reason)
        result.outage = delivered.outage
        return {*delivered.poisoned, *delivered.pending}

    def _messages(self, result: Redriven, on_progress: Progress, exclusively: Exclusively) -> None:
        total, seen = self._queue.depth(), 0
        kept: list[str] = []
        try:
            while not result.outage and (
                messages := self._queue.receive(AT_ONCE, invisible=INVISIBLE_SECONDS)
            ):
                kept += self._batch(result, messages, exclusively)
                seen += len(messages)
                on_progress("messages", seen, max(total, seen))
        finally:
            self._queue.release(kept, "it could not be processed")

    def _batch(self, result: Redriven, messages: Sequence[Message], exclusively: Exclusively) -> list[str]:
        """Process the keys in these messages; returns the receipts of those that fail."""
        named: dict[str, dict[Key, list[str]]] = {}
        stay: list[str] = []
        for message in messages:
            changed = _changed(message.body)
            if changed is None:
                stay.append(message.receipt)
                result.stay("", "", MALFORMED)
            else:
                named.setdefault(changed[0], {}).setdefault(changed[1], []).append(message.receipt)
        done: list[str] = []
        for tenant, keys in named.items():
            left = set(keys) if result.outage else self.deliver(result, tenant, list(keys), exclusively)
            for key, receipts in keys.items():
                (stay if key in left else done).extend(receipts)
        self._queue.delete(done)
        result.messages += len(done)
        return stay

    def _notes(self, result: Redriven, on_progress: Progress, exclusively: Exclusively) -> None:
        for scope, keys in notes(self._census, self._table):
            late = overdue(keys, self._clock)
            left = self.deliver(result, scope.tenant, late, exclusively)
            result.notes += len(late) - len(left)
            on_progress("notes", result.notes, result.notes)
            if result.outage:
                return


def _changed(body: Any) -> tuple[str, Key] | None:
    """Tenant and key of the row that a message names."""
    try:
        tenant, separator, pk = body["pk"].partition("#")
        sk = body["sk"]
    except (TypeError, KeyError, AttributeError):
        return None
    return (tenant, Key(pk, sk)) if separator and isinstance(sk, str) else None
