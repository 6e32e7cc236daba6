"""Claude Code: `~/.claude/projects/<folder>/<session>.jsonl`, a record a line, and its memory folders.

The forms of 2.0 and 2.1. Sub-agents have files of their own, `agent-<id>.jsonl` beside the session's (2.0)
or in `<session>/subagents/` (2.1); what they were told was written by an agent. A session that was resumed or
forked repeats records of another one, with their ids. Left out are the tool's own words: meta records,
summaries of compactions (what they sum up is read), commands and reminders.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path

from strata.adapters.chats import files
from strata.adapters.chats.files import Record, Unread
from strata.adapters.chats.source import Places, Source, tolerant
from strata.ports.chats import ChatMessage, ChatNote, Conversation

_HEAD = 50
"""Records at the beginning of a file that may tell its folder."""
_NOT_SAID = "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage", "forkedFrom"
_TOOLS_WORDS = re.compile(
    r"<(system-reminder|command-(?:name|message|contents)|local-command-\w+|bash-(?:stdout|stderr)|ide_\w+"
    r"|task-notification|user-prompt-submit-hook)\b[^>]*>.*?</\1>|</?(?:command-args|bash-input)>",
    re.DOTALL,
)


class ClaudeCode(Source):
    """Conversations and notes that Claude Code keeps."""

    name = "claude-code"

    def __init__(self, places: Places) -> None:
        self.unread = Unread()
        self._places = places
        self._seen: dict[int, str] = {}

    def places(self) -> Sequence[Path]:
        """The places where it keeps something."""
        return self._places.under(".claude/projects", ".config/claude/projects")

    @tolerant
    def conversations(self, since: datetime | None = None) -> Iterator[Conversation]:
        """Yield the sessions, and those of their agents."""
        for path in files.files(self.places(), "*/*.jsonl", "*/*/subagents/**/*.jsonl"):
            if files.later(files.changed(path), since):
                head = list(islice(files.records(path, Unread()), _HEAD))
                folder = next((each["cwd"] for each in head if each.get("cwd")), None)
                started = next((at for each in head if (at := files.moment(each.get("timestamp")))), None)
                session = path.parent.parent.name if path.parent.name == "subagents" else path.parent.name
                yield Conversation(
                    path.stem if not path.stem.startswith("agent-") else f"{session}/{path.stem}",
                    partial(self._read, path),
                    project=files.project_of(folder),
                    title=next((each["summary"] for each in head if each.get("type") == "summary"), None),
                    started=started,
                    updated=files.changed(path),
                )

    @tolerant
    def _read(self, path: Path) -> Iterator[ChatMessage]:
        for record in files.records(path, self.unread):
            kind = record.get("type")
            if kind not in ("user", "assistant"):
                if "message" in record:
                    self.unread[f"{path}: records of the kind {kind!r}"] += 1
            elif not any(record.get(name) for name in _NOT_SAID) and (text := _said(record)):
                number = str(record.get("uuid") or "")
                if not number or self._seen.setdefault(hash(number), path.stem) == path.stem:
                    by_agent = record.get("isSidechain") or kind == "assistant"
                    at = files.moment(record.get("timestamp"))
                    yield ChatMessage("assistant" if by_agent else "user", text, at, number or None)

    @tolerant
    def notes(self, since: datetime | None = None) -> Iterator[ChatNote]:
        """Yield the person's CLAUDE.md, and what was remembered of each project."""
        for root in self.places():
            yield from files.note_files([root.parent], ["CLAUDE.md"], since)
            for folder in root.glob("*/memory") if root.is_dir() else ():
                heads = (
                    islice(files.records(each, Unread()), _HEAD) for each in folder.parent.glob("*.jsonl")
                )
                found = next((each["cwd"] for head in heads for each in head if each.get("cwd")), None)
                project = files.project_of(found) or folder.parent.name
                yield from files.note_files([folder], ["**/*.md"], since, project)


def _said(record: Record) -> str:
    message = record.get("message")
    text = files.texts(message.get("content")) if isinstance(message, dict) else ""
    return _TOOLS_WORDS.sub("", text).strip() if "<" in text else text.strip()
