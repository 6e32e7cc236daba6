"""Codex: `~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl`, a record a line, and its AGENTS.md.

The forms of 0.46 and 0.65 are records `{timestamp, type, payload}`; before 2025-09 they were the payloads
themselves, after a first line about the session; the earliest are one `.json` document. What the tool tells
the model stands among the person's messages, in tags of its own.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from strata.adapters.chats import files
from strata.adapters.chats.files import Record, Unread
from strata.adapters.chats.source import Source, tolerant
from strata.ports.chats import ChatMessage, ChatNote, Conversation

_PATTERNS = "**/rollout-*.jsonl", "**/rollout-*.json"
_KINDS = frozenset(
    ("session_meta", "response_item", "event_msg", "turn_context", "compacted", "state", "message")
)
_TOOLS_WORDS = (
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
    "<turn_aborted>",
    "<permissions",
    "<skill>",
    "<user_shell_command>",
    "<collaboration_mode>",
)


class Codex(Source):
    """Conversations and notes that Codex keeps."""

    name = "codex"

    def places(self) -> Sequence[Path]:
        """The places where it keeps something."""
        return self._places.under(".codex/sessions", ".codex/archived_sessions")

    @tolerant
    def conversations(self, since: datetime | None = None) -> Iterator[Conversation]:
        """Yield the sessions."""
        for path in files.files(self.places(), *_PATTERNS):
            if files.later(files.changed(path), since):
                about, cwd = _about(islice(_records(path, Unread()), 10))
                by_agent = isinstance(about.get("source"), dict) and "subagent" in about["source"]
                yield Conversation(
                    str(about.get("id") or path.stem),
                    partial(self._read, path, by_agent=by_agent),
                    project=files.project_of(cwd),
                    started=files.moment(about.get("timestamp")),
                    updated=files.changed(path),
                )

    @tolerant
    def notes(self, since: datetime | None = None) -> Iterator[ChatNote]:
        """Yield the person's instructions."""
        yield from files.note_files(
            {each.parent for each in self.places() if each.is_dir()}, ["AGENTS.md"], since
        )

    @tolerant
    def _read(self, path: Path, *, by_agent: bool) -> Iterator[ChatMessage]:
        for record in _records(path, self.unread):
            kind = record.get("type") or record.get("record_type")
            wrapped = isinstance(record.get("payload"), dict)
            item = record["payload"] if wrapped else record
            if wrapped and kind not in _KINDS:
                self.unread[f"{path}: records of the kind {kind!r}"] += 1
            role = item.get("role")
            if kind not in ("response_item", "message") or item.get("type") != "message":
                continue
            text = files.texts(item.get("content")).strip()
            if role in ("user", "assistant") and text and not text.startswith(_TOOLS_WORDS):
                number, at = item.get("id") if wrapped else None, files.moment(record.get("timestamp"))
                person = role == "user" and not by_agent
                yield ChatMessage("user" if person else "assistant", text, at, number)


def _records(path: Path, unread: Unread) -> Iterator[Record]:
    if path.suffix == ".jsonl":
        yield from files.records(path, unread)
        return
    told = files.document(path, unread)
    if isinstance(told, dict):
        yield files.inner(told, "session")
        yield from files.objects(told.get("items"))


def _about(head: Iterable[Record]) -> tuple[Record, Any]:
    """The session's own record among the first ones, and its folder."""
    records = list(head)
    first = records[0] if records else {}
    about = first["payload"] if isinstance(first.get("payload"), dict) else first
    cwds = (
        (each.get("payload") or {}).get("cwd") for each in records if isinstance(each.get("payload"), dict)
    )
    return about, next(filter(None, cwds), None)
