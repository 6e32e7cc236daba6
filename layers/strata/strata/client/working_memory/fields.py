"""Checkpoints in the service: one field of the conversation's working memory.

All fields of a conversation together may take 64 KB there, so messages that do not fit are left out, oldest
first. And they live as long as the conversation's working memory does: 24 hours after it was last read or
written, unless `ttl_seconds` says more.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from strata.client.errors import StrataClientError
from strata.client.working_memory.checkpoints import Checkpoint, CheckpointError, Reading, size

logger = logging.getLogger("strata.client")

T = TypeVar("T")

MAX_BYTES = 65_536
"""Of all fields of a conversation as one JSON object, as the service counts it."""
_TOO_LARGE = 413


class FieldsClient(Protocol):
    """What a checkpoint needs of a `Client`."""

    def get_working_memory(self, conversation_id: str) -> Mapping[str, Any]:
        """All fields."""

    def put_working_memory(
        self,
        conversation_id: str,
        values: Mapping[str, Any],
        *,
        ttl_seconds: int | None = None,
        user_id: str | None = None,
    ) -> object:
        """Set these fields; the others stay."""


class AsyncFieldsClient(Protocol):
    """What a checkpoint needs of an `AsyncClient`."""

    async def get_working_memory(self, conversation_id: str) -> Mapping[str, Any]:
        """All fields."""

    async def put_working_memory(
        self,
        conversation_id: str,
        values: Mapping[str, Any],
        *,
        ttl_seconds: int | None = None,
        user_id: str | None = None,
    ) -> object:
        """Set these fields; the others stay."""


@dataclass(frozen=True, slots=True)
class _Get:
    """Ask for all fields."""


@dataclass(frozen=True, slots=True)
class _Put:
    """Set these fields; the answer is whether they fitted."""

    fields: Mapping[str, Any]


_Steps = Generator[_Get | _Put, Any, T]
"""What to ask the service, and what to make of it: the same for waiting and for awaiting callers."""


@dataclass(frozen=True)
class CheckpointField:
    """A checkpoint in the field `field` of a conversation, by a `Client`.

    `user_id` is whose conversation it is: what is stored about somebody is exported and erased by it.
    Its methods raise `StrataClientError` when the service does not answer, or refuses.
    """

    client: FieldsClient
    conversation_id: str
    field: str = "checkpoint"
    ttl_seconds: int | None = None
    user_id: str | None = None

    def write(self, checkpoint: Checkpoint) -> None:
        """Keep this checkpoint, or as many of its newest messages as there is room for, instead of the last.

        Raises:
            CheckpointError: not even the last turn fits, or something is no JSON or of a wrong type.
        """
        self._go(_writing(self.field, checkpoint))

    def read(self) -> Reading:
        """The checkpoint; None when there is none, or one that can't be read, which is then set aside."""
        return self._go(_reading(self.field))

    def _go(self, steps: _Steps[T]) -> T:
        answer: object = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if isinstance(step, _Get):
                answer = self.client.get_working_memory(self.conversation_id)
                continue
            try:
                self.client.put_working_memory(
                    self.conversation_id, step.fields, ttl_seconds=self.ttl_seconds, user_id=self.user_id
                )
                answer = True
            except StrataClientError as error:
                answer = _fitted(error)


@dataclass(frozen=True)
class AsyncCheckpointField:
    """The same by an `AsyncClient`."""

    client: AsyncFieldsClient
    conversation_id: str
    field: str = "checkpoint"
    ttl_seconds: int | None = None
    user_id: str | None = None

    async def write(self, checkpoint: Checkpoint) -> None:
        """As `CheckpointField.write`."""
        await self._go(_writing(self.field, checkpoint))

    async def read(self) -> Reading:
        """As `CheckpointField.read`."""
        return await self._go(_reading(self.field))

    async def _go(self, steps: _Steps[T]) -> T:
        answer: object = None
        while True:
            try:
                step = steps.send(answer)
            except StopIteration as end:
                return end.value  # type: ignore[no-any-return]
            if isinstance(step, _Get):
                answer = await self.client.get_working_memory(self.conversation_id)
                continue
            try:
                await self.client.put_working_memory(
                    self.conversation_id, step.fields, ttl_seconds=self.ttl_seconds, user_id=self.user_id
                )
                answer = True
            except StrataClientError as error:
                answer = _fitted(error)


def _fitted(error: StrataClientError) -> bool:
    if error.status != _TOO_LARGE:
        raise error
    return False


def _writing(field: str, checkpoint: Checkpoint) -> _Steps[None]:
    document = checkpoint.document()
    if size({field: document}) <= MAX_BYTES and (yield _Put({field: document})):
        return
    others = dict((yield _Get()))
    others[field] = None
    change: dict[str, Any] = {}
    if others.get(_aside(field)) is not None:  # what can't be read makes room for what can
        others[_aside(field)] = change[_aside(field)] = None
    fitted = checkpoint.fitted(MAX_BYTES - size(others))
    if fitted is None or not (yield _Put(change | {field: fitted.to_dict()})):
        raise CheckpointError("the last turn does not fit into what the conversation's 64 KB have left")
    logger.info("a checkpoint left out %d older messages that did not fit", fitted.left_out)


def _reading(field: str) -> _Steps[Reading]:
    fields = yield _Get()
    value = fields.get(field)
    if value is None:
        return Reading(None)
    try:
        return Reading(Checkpoint.from_dict(value))
    except (ValueError, RecursionError) as error:
        problem = str(error)
    if (yield _Put({field: None, _aside(field): value})):
        logger.warning("a checkpoint can't be read and was set aside in the field %s", _aside(field))
        return Reading(None, problem, _aside(field))
    logger.warning("a checkpoint can't be read, and there is no room to set it aside")
    return Reading(None, problem)


def _aside(field: str) -> str:
    return f"{field}.corrupt"
