"""Exports of accounts: the `conversations.json` of ChatGPT and Claude, alone or in the downloaded zip.

The forms of 2025; ChatGPT's larger ones have several files `conversations-<n>.json`. A file may have a
gigabyte, so its conversations are read one at a time.
"""

import io
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import IO, Any, ClassVar, Literal

from strata.adapters.chats import files
from strata.adapters.chats.files import Record, Unread
from strata.adapters.chats.source import Source, tolerant
from strata.ports.chats import ChatMessage, Conversation


class Export(Source, ABC):
    """The conversations of an account."""

    name: str
    mark: ClassVar[str]
    """A field that only this tool's conversations have."""

    def places(self) -> Sequence[Path]:
        """The exports of this tool among the downloads, the newest first."""
        patterns = "*.zip", "conversations*.json", "*/conversations*.json"
        found = files.files(self._places.under("Downloads"), *patterns)
        return sorted(filter(self._is_ours, found), key=files.changed, reverse=True)

    @tolerant
    def conversations(self, since: datetime | None = None) -> Iterator[Conversation]:
        """Yield the conversations of every export, each as the newest one has it."""
        seen = set[str]()
        for path in self.places():
            for told in _elements(path, self.unread):
                if not isinstance(told, dict) or self.mark not in told:
                    self.unread[f"{path}: a conversation of another form"] += 1
                    continue
                updated = files.moment(told.get("update_time") or told.get("updated_at"))
                number = str(told.get("conversation_id") or told.get("id") or told.get("uuid") or "")
                if number and number not in seen and files.later(updated, since):
                    seen.add(number)
                    yield Conversation(
                        number,
                        partial(self.read, told),
                        title=told.get("title") or told.get("name"),
                        started=files.moment(told.get("create_time") or told.get("created_at")),
                        updated=updated,
                    )

    @abstractmethod
    def read(self, told: Record) -> Iterator[ChatMessage]:
        """Read the messages of a conversation."""

    def _is_ours(self, path: Path) -> bool:
        first = next(_elements(path, Unread()), None)
        return isinstance(first, dict) and self.mark in first


def _elements(path: Path, unread: Unread) -> Iterator[Any]:
    try:
        for opened in _streams(path):
            with opened as stream:
                yield from files.elements(io.TextIOWrapper(stream, encoding="utf-8", errors="replace"))
    except (OSError, ValueError, zipfile.BadZipFile, RecursionError) as error:
        unread[f"{path}: {error}"] += 1


def _streams(path: Path) -> Iterator[IO[bytes]]:
    if path.suffix != ".zip":
        yield path.open("rb")
        return
    with zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            if Path(name).name.startswith("conversations") and name.endswith(".json"):
                yield archive.open(name)


def _chatgpt(told: Record) -> Iterator[ChatMessage]:
    """The messages of the branch that is shown, from the first to the last."""
    nodes = files.inner(told, "mapping")
    node, way = told.get("current_node"), list[Record]()
    while isinstance(found := nodes.get(str(node)), dict) and len(way) < len(nodes):
        way.append(found)
        node = found.get("parent")
    for found in reversed(way):
        message, content = files.inner(found, "message"), files.inner(found, "message", "content")
        role = files.inner(message, "author").get("role")
        hidden = files.inner(message, "metadata").get("is_visually_hidden_from_conversation")
        spoken = content.get("content_type") in ("text", "multimodal_text")
        if role in ("user", "assistant") and spoken and not hidden:
            text = "\n".join(each for each in content.get("parts") or () if isinstance(each, str)).strip()
            if text:
                yield ChatMessage(role, text, files.moment(message.get("create_time")), message.get("id"))


def _claude(told: Record) -> Iterator[ChatMessage]:
    for message in files.objects(told.get("chat_messages")):
        if text := files.texts(message.get("content")) or message.get("text"):
            role, at = message.get("sender"), files.moment(message.get("created_at"))
            if role in ("human", "assistant"):
                speaker: Literal["user", "assistant"] = "user" if role == "human" else "assistant"
                yield ChatMessage(speaker, text.strip(), at, message.get("uuid"))


class ChatGPT(Export):
    """An export of ChatGPT."""

    name = "chatgpt"
    mark = "mapping"

    @tolerant
    def read(self, told: Record) -> Iterator[ChatMessage]:
        """Read the messages of a conversation."""
        yield from _chatgpt(told)


class ClaudeExport(Export):
    """An export of Claude."""

    name = "claude-export"
    mark = "chat_messages"

    @tolerant
    def read(self, told: Record) -> Iterator[ChatMessage]:
        """Read the messages of a conversation."""
        yield from _claude(told)
