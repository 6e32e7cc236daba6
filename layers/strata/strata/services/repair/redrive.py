"""Processes changes again that the indexer set aside, and changes that it never received.

A stream keeps a change for 24 hours. A change that fails alone waits on the redrive queue as
`{pk, sk, reason}`; a change that the stream lost, as in an outage of more than a day, still has its note.
"""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from strata.ports.clock import Clock
from strata.ports.queue import Message, Queue
from strata.ports.rows import Key
from strata.ports.table import Census, Table
from strata.services.repair.batches import AT_ONCE, Exclusively, Progress, unwatched
from strata.services.repair.open_notes import overdue_notes
from strata.services.stream.consumers import Consumer, fan_out

INVISIBLE_SECONDS = 900
"""For so long a message that stays is hidden from every other redrive; it is released at the end."""

MALFORMED = "it names no row"
_LISTED = 20


@dataclass(slots=True)
class Redriven:
    """The result of a redrive.

    Attributes:
        messages: the number of messages that went through.
        notes: the number of forgotten notes that were settled.
        stayed: the number of messages and notes that stay, for a reason of their own.
        stays: the first of those, `{pk, sk, reason}` each.
        outage: the store that was away, so that the rest was not tried; empty when none was.
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

    def add_stay(self, pk: str, sk: str, reason: str) -> None:
        """Count a change that stays."""
        self.stayed += 1
        if len(self.stays) < _LISTED:
            self.stays.append({"pk": pk, "sk": sk, "reason": reason})


@dataclass(frozen=True, slots=True)
class Redriver:
    """Processes failed and lost changes again.

    Attributes:
        consumers: in the indexer's order; the one that writes the index must bear a stream beside it.
        queue: holds the changes that the indexer set aside.
        census, table: hold the notes of lost changes.
        clock: tells which notes are overdue.
    """

    consumers: Sequence[Consumer]
    queue: Queue
    census: Census
    table: Table
    clock: Clock

    def redrive(self, on_progress: Progress = unwatched, exclusively: Exclusively = nullcontext) -> Redriven:
        """Process every message and every forgotten note once more.

        Raises:
            Unavailable: the queue or the table does not answer.
        """
        run = _Redrive(self, on_progress, exclusively)
        run.process_messages()
        if not run.result.outage:
            run.process_notes()
        return run.result


class _Redrive:
    """One run of a redriver: its result so far.

    Args:
        redriver: has the parts.
        on_progress, exclusively: of the run.
    """

    def __init__(self, redriver: Redriver, on_progress: Progress, exclusively: Exclusively) -> None:
        self.result = Redriven()
        self._redriver = redriver
        self._on_progress = on_progress
        self._exclusively = exclusively

    def process_messages(self) -> None:
        """Process the rows that the messages of the queue name, and release the messages that stay."""
        queue = self._redriver.queue
        total, seen = queue.depth(), 0
        kept: list[str] = []
        try:
            while not self.result.outage and (
                messages := queue.receive(AT_ONCE, invisible=INVISIBLE_SECONDS)
            ):
                kept += self._process_batch(messages)
                seen += len(messages)
                self._on_progress("messages", seen, max(total, seen))
        finally:
            queue.release(kept, "its row could not be processed")

    def process_notes(self) -> None:
        """Process the notes that the stream forgot."""
        parts = self._redriver
        for scope, overdue, _ in overdue_notes(parts.census, parts.table, parts.clock):
            left = self._process(scope.tenant, overdue)
            self.result.notes += len(overdue) - len(left)
            self._on_progress("notes", self.result.notes, self.result.notes)
            if self.result.outage:
                return

    def _process_batch(self, messages: Sequence[Message]) -> list[str]:
        """Process the rows that these messages name; the receipts of the messages that stay."""
        named: dict[str, dict[Key, list[str]]] = {}
        stay: list[str] = []
        for message in messages:
            changed = _changed(message.body)
            if changed is None:
                stay.append(message.receipt)
                self.result.add_stay("", "", MALFORMED)
            else:
                named.setdefault(changed[0], {}).setdefault(changed[1], []).append(message.receipt)
        done: list[str] = []
        for tenant, keys in named.items():
            left = set(keys) if self.result.outage else self._process(tenant, list(keys))
            for key, receipts in keys.items():
                (stay if key in left else done).extend(receipts)
        self._redriver.queue.delete(done)
        self.result.messages += len(done)
        return stay

    def _process(self, tenant: str, keys: Sequence[Key]) -> set[Key]:
        """Process these rows of a tenant; those that stay."""
        if not keys:
            return set()
        with self._exclusively():
            result = fan_out(self._redriver.consumers, tenant, keys)
        for key, reason in result.poisoned.items():
            self.result.add_stay(f"{tenant}#{key.pk}", key.sk, reason)
        self.result.outage = result.outage
        return {*result.poisoned, *result.pending}


def _changed(body: Any) -> tuple[str, Key] | None:
    """Tenant and key of the row that a message names; None where it names none."""
    try:
        tenant, separator, pk = body["pk"].partition("#")
        sk = body["sk"]
    except (TypeError, KeyError, AttributeError):
        return None
    return (tenant, Key(pk, sk)) if separator and isinstance(sk, str) else None
