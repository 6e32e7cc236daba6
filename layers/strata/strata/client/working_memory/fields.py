"""Checkpoints in the service: one field of the conversation's working memory.

All fields of a conversation together may take 64 KB, so messages that do not fit are left out, oldest first.
The field expires with the working memory: 24 hours after the last read or write, or `ttl_seconds`.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from strata.client.errors import StrataClientError
from strata.client.working_memory.checkpoints import Checkpoint, CheckpointError, Reading, size

logger = logging.getLogger("strata.client")

T = TypeVar("T")
C = TypeVar("C", "FieldsClient", "AsyncFieldsClient")

MAX_BYTES = 65_536
"""Limit for all fields of a conversation as one JSON object, as the service counts."""
_TOO_LARGE = 413


class FieldsClient(Protocol):
    """The methods of a `Client` that a checkpoint uses."""

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
    """The methods of an `AsyncClient` that a checkpoint uses."""

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


_Steps = Generator[Any, Any, T]
"""Yields the return value of each client call, and receives it back, awaited where necessary."""


@dataclass(frozen=True)
class _Field(Generic[C]):
    """The part without waiting, shared by both kinds."""

    client: C
    conversation_id: str
    field: str = "checkpoint"
    ttl_seconds: int | None = None
    user_id: str | None = None

    @property
    def _aside(self) -> str:
        return f"{self.field}.corrupt"

    def _get(self) -> _Steps[Mapping[str, Any]]:
        fields: Mapping[str, Any] = yield self.client.get_working_memory(self.conversation_id)
        return fields

    def _put(self, fields: Mapping[str, Any]) -> _Steps[bool]:
        """Set these fields; whether there is room for them."""
        try:
            yield self.client.put_working_memory(
                self.conversation_id, fields, ttl_seconds=self.ttl_seconds, user_id=self.user_id
            )
        except StrataClientError as error:
            if error.status != _TOO_LARGE:
                raise
            return False
        return True

    def _write(self, checkpoint: Checkpoint) -> _Steps[None]:
        document = checkpoint.document()
        if size({self.field: document}) <= MAX_BYTES and (yield from self._put({self.field: document})):
            return
        others = dict((yield from self._get()))
        others[self.field] = None
        change: dict[str, Any] = {}
        if others.get(self._aside) is not None:  # what can't be read makes room for what can
            others[self._aside] = change[self._aside] = None
        fitted = checkpoint.fitted(MAX_BYTES - size(others))
        if fitted is None or not (yield from self._put(change | {self.field: fitted.to_dict()})):
            raise CheckpointError("the last turn does not fit into what the conversation's 64 KB have left")
        logger.info("a checkpoint left out %d older messages that did not fit", fitted.left_out)

    def _read(self) -> _Steps[Reading]:
        value = (yield from self._get()).get(self.field)
        if value is None:
            return Reading(None)
        try:
            return Reading(Checkpoint.from_dict(value))
        except (ValueError, RecursionError) as error:
            problem = str(error)
        if (yield from self._put({self.field: None, self._aside: value})):
            logger.warning("a checkpoint can't be read and was set aside in the field %s", self._aside)
            return Reading(None, problem, self._aside)
        logger.warning("a checkpoint can't be read, and there is no room to set it aside")
        return Reading(None, problem)


@dataclass(frozen=True)
class CheckpointField(_Field[FieldsClient]):
    """A checkpoint in the field `field` of a conversation, through a `Client`.

    `user_id` is the conversation's user, by whom their data is exported and erased. Its methods raise
    `StrataClientError` when the service does not respond, or refuses.
    """

    def write(self, checkpoint: Checkpoint) -> None:
        """Replace the checkpoint by this one, with as many of its newest messages as fit.

        Raises:
            CheckpointError: not even the last turn fits, or a value has no JSON form or the wrong type.
        """
        _taken(self._write(checkpoint))

    def read(self) -> Reading:
        """Read the checkpoint; None when there is none. An unreadable one is set aside."""
        return _taken(self._read())


@dataclass(frozen=True)
class AsyncCheckpointField(_Field[AsyncFieldsClient]):
    """As `CheckpointField`, through an `AsyncClient`."""

    async def write(self, checkpoint: Checkpoint) -> None:
        """As `CheckpointField.write`."""
        await _awaited(self._write(checkpoint))

    async def read(self) -> Reading:
        """As `CheckpointField.read`."""
        return await _awaited(self._read())


def _taken(steps: _Steps[T]) -> T:
    given: object = None
    while True:
        try:
            given = steps.send(given)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


async def _awaited(steps: _Steps[T]) -> T:
    try:
        step = next(steps)
        while True:
            try:
                given = await step
            except StrataClientError as error:
                step = steps.throw(error)
            else:
                step = steps.send(given)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
