"""A checkpoint as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from strata.client.working_memory.messages import Message
from strata.client.working_memory.parts import ToolCall
from strata.client.working_memory.reading import Count, Json, read
from strata.client.working_memory.trimming import kept_within

VERSION = 1


class CheckpointError(Exception):
    """A checkpoint that cannot be written; the previous one is still there."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """All that an agent needs to resume after a crash.

    Attributes:
        session_id: the session in the memory service.
        tool_meta: the client's metadata of tool calls, by call id.
        delegations: the state of groups of delegated work, by group id.
        left_out: number of older messages that did not fit.
    """

    messages: tuple[Message, ...] = ()
    session_id: str | None = None
    tool_meta: Mapping[str, Any] = field(default_factory=dict)
    delegations: Mapping[str, Json] = field(default_factory=dict)
    left_out: Count = 0

    def document(self) -> Json:
        """The document, validated so that it can be read again.

        Raises:
            CheckpointError: a value has the wrong type.
        """
        document = self.to_dict()
        try:
            Checkpoint.from_dict(document)
        except ValueError as error:
            raise CheckpointError(f"the checkpoint could not be read again: {error}") from error
        return document

    def to_dict(self) -> Json:
        """The document."""
        return {
            "version": VERSION,
            "session_id": self.session_id,
            "messages": [message.to_dict() for message in self.messages],
            "tool_meta": dict(self.tool_meta),
            "delegations": dict(self.delegations),
            "left_out": self.left_out,
        }

    @classmethod
    def from_dict(cls, value: object) -> Checkpoint:
        """The checkpoint of a document.

        Raises:
            ValueError: it is not of this version; the error names the field and quotes no value.
        """
        version = read(Count, value.get("version", 0), "version") if isinstance(value, Mapping) else VERSION
        if version != VERSION:
            raise ValueError(f"version is {version}, and only {VERSION} can be read")
        checkpoint: Checkpoint = read(cls, value)
        return checkpoint

    def fitted(self, room: int) -> Checkpoint | None:
        """This checkpoint, or one with only its newest messages, in at most `room` bytes.

        `kept_within` chooses the messages. None when not even the last turn fits.
        """
        content = encoded(self.to_dict())
        if len(content) <= room:
            return self
        in_ascii = content.isascii()
        costs = [
            size(message.to_dict(), in_ascii)
            + sum(size({call.id: self.tool_meta[call.id]}, in_ascii) for call in self._described(message))
            for message in self.messages
        ]
        told = {call.id for message in self.messages for call in self._described(message)}
        rest = {call_id: meta for call_id, meta in self.tool_meta.items() if call_id not in told}
        bare = replace(self, messages=(), tool_meta=rest, left_out=self.left_out + len(self.messages))
        places = kept_within(self.messages, costs, room - size(bare.to_dict(), in_ascii))
        messages = tuple(self.messages[place] for place in places)
        gone = told - {call.id for message in messages for call in message.calls}
        part = replace(
            self,
            messages=messages,
            tool_meta={call_id: meta for call_id, meta in self.tool_meta.items() if call_id not in gone},
            left_out=self.left_out + len(self.messages) - len(messages),
        )
        return part if size(part.to_dict(), in_ascii) <= room else None

    def _described(self, message: Message) -> list[ToolCall]:
        return [call for call in message.calls if call.id in self.tool_meta]


@dataclass(frozen=True, slots=True)
class Restored:
    """The outcome of a restore; true when a checkpoint was restored.

    Attributes:
        left_out: number of older messages that the checkpoint had no room for.
        problem: why the checkpoint could not be read; empty if it could.
        set_aside: the new location of the unreadable checkpoint; empty when it could not be kept.
    """

    found: bool
    left_out: int = 0
    problem: str = ""
    set_aside: str = ""

    def __bool__(self) -> bool:
        return self.found


@dataclass(frozen=True, slots=True)
class Reading:
    """The outcome of reading a checkpoint store: the checkpoint, or None with the fields of `Restored`."""

    checkpoint: Checkpoint | None
    problem: str = ""
    set_aside: str = ""


def size(value: Any, in_ascii: bool = False) -> int:
    """Bytes of this JSON and a comma, compact, in UTF-8 or, where that is impossible, in ASCII.

    Raises:
        CheckpointError: it has no JSON form.
    """
    return len(encoded(value, in_ascii)) + 1


def encoded(value: Any, in_ascii: bool = False) -> bytes:
    """The JSON, compact and in UTF-8; in ASCII when it contains a lone surrogate, which UTF-8 cannot encode.

    Raises:
        CheckpointError: it has no JSON form (NaN, a set, nested too deeply, …).
    """
    try:
        if not in_ascii:
            with suppress(UnicodeEncodeError):
                return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
        return json.dumps(value, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise CheckpointError(f"the checkpoint can't be written as JSON: {error}") from error


def stamp() -> str:
    """The current time in a form for file names: `20261121T201500.123456Z`."""
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ")
