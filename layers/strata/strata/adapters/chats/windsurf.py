"""Windsurf: memories and rules as Markdown in `~/.codeium/windsurf`, and exported trajectories.

The forms of 2025 and 2026. Conversations (`cascade/*.pb`) and newer memories (`*.pb`) are encrypted on disk;
Windsurf writes a conversation as Markdown on "Download trajectory", without times.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Literal

from strata.adapters.chats import files
from strata.adapters.chats.source import Source, tolerant
from strata.ports.chats import ChatMessage, ChatNote, Conversation

_TITLE = "# Cascade Chat Conversation"
_HEADS: dict[str, Literal["user", "assistant", ""]] = {
    "### User Input": "user",
    "### Planner Response": "assistant",
}
_STEP = re.compile(
    r"\*(?:Viewed|Edited|Grep|Checked|Listed|Searched|Read|Ran|Found|User (?:accepted|rejected))\b.*\*"
)
"""A line that names a call of a tool."""


class Windsurf(Source):
    """The part of what Windsurf keeps that is not encrypted, as far as it can be read."""

    name = "windsurf"

    def places(self) -> Sequence[Path]:
        """The places where it keeps something."""
        return self._places.under(".codeium/windsurf", ".codeium/windsurf-next")

    @tolerant
    def conversations(self, since: datetime | None = None) -> Iterator[Conversation]:
        """Yield the trajectories that were exported."""
        for path in files.files(self.places(), "cascade/*.pb", "memories/*.pb"):
            self.unread[f"{path.parent}: encrypted; download conversations as Markdown in Windsurf"] += 1
        for path in files.files(self._places.under("Downloads"), "*.md"):
            at = files.changed(path)
            if files.later(at, since) and next(files.text_lines(path), "").startswith(_TITLE):
                read = partial(self._read, path)
                yield Conversation(path.name, read, title=path.stem, started=at, updated=at)

    @tolerant
    def notes(self, since: datetime | None = None) -> Iterator[ChatNote]:
        """Yield memories and rules."""
        for root in self.places():
            if root.is_dir():
                yield from files.note_files([root], ["memories/**/*.md"], since)

    @tolerant
    def _read(self, path: Path) -> Iterator[ChatMessage]:
        role: Literal["user", "assistant", ""] = ""
        said: list[str] = []
        for line in (*files.text_lines(path), "### "):
            if not line.startswith("### "):
                said += [] if _STEP.fullmatch(line.strip()) else [line]
                continue
            if role and (text := "\n".join(said).strip()):
                yield ChatMessage(role, text)
            role, said = _HEADS.get(line.strip(), ""), []
