"""Cursor: SQLite files `state.vscdb`, one of all conversations and one a workspace, as text or bytes of JSON.

The forms of 0.50 and of `_v` 3 and 10 (2025). The file of all holds `composerData:<id>` with the messages in
it, as `conversation`, or their order, as `fullConversationHeadersOnly` with `bubbleId:<id>:<bubble>` for
each. A workspace's file says which conversations are its own, and before that held them (`aichat.chatdata`).
All is read by key: a file may have gigabytes.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from strata.adapters.chats import files
from strata.adapters.chats.files import Record, Unread
from strata.adapters.chats.source import Source, tolerant
from strata.ports.chats import ChatMessage, ChatNote, Conversation

_PERSON = 1, "user"
_ITEM = "SELECT value FROM ItemTable WHERE key = ?"
_ENTRY = "SELECT value FROM cursorDiskKV WHERE key = ?"
_COMPOSERS = "SELECT value FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;'"
_RULES = ".cursorrules", ".cursor/rules/**/*.mdc", ".cursor/rules/**/*.md"


class Cursor(Source):
    """Conversations and rules that Cursor keeps."""

    name = "cursor"

    def places(self) -> Sequence[Path]:
        """The places where it keeps something."""
        return self._places.data("Cursor/User", beside=(".cursor-server/data/User",))

    @tolerant
    def conversations(self, since: datetime | None = None) -> Iterator[Conversation]:
        """Yield the conversations of workspaces, and those in the file of all."""
        projects: dict[str, str | None] = {}
        for path in self._workspaces():
            project = files.project_of(folder_of(path.parent))
            for tab in self._list(path, _OLD_CHATS, "tabs"):
                yield from self._conversation(path, tab, project, since)
            for composer in self._list(path, "composer.composerData", "allComposers"):
                projects[str(composer.get("composerId"))] = project
                yield from self._conversation(path, composer, project, since)
        for path in files.files(self.places(), "globalStorage/state.vscdb"):
            for row in files.rows(path, self.unread, _COMPOSERS):
                composer = files.value_of(row["value"])
                if isinstance(composer, dict):
                    own = projects.get(str(composer.get("composerId")))
                    told = files.inner(composer, "workspaceIdentifier", "uri").get("fsPath")
                    yield from self._conversation(path, composer, own or files.project_of(told), since)
                else:
                    self.unread[f"{path}: a conversation that is not JSON"] += 1

    @tolerant
    def notes(self, since: datetime | None = None) -> Iterator[ChatNote]:
        """Yield the rules of workspaces."""
        for path in self._workspaces():
            folder = folder_of(path.parent)
            if root := files.local(folder):
                yield from files.note_files([root], _RULES, since, files.project_of(folder))

    def _workspaces(self) -> list[Path]:
        return files.files(self.places(), "workspaceStorage/*/state.vscdb")

    def _list(self, path: Path, key: str, name: str) -> list[Record]:
        value = self._value(path, _ITEM, key)
        return files.objects(value.get(name)) if isinstance(value, dict) else []

    def _value(self, path: Path, query: str, key: str) -> Any:
        return next((files.value_of(row["value"]) for row in files.rows(path, self.unread, query, key)), None)

    def _conversation(
        self, path: Path, told: Record, project: str | None, since: datetime | None
    ) -> Iterator[Conversation]:
        number = told.get("composerId") or told.get("tabId")
        bubbles = files.objects(told.get("conversation") or told.get("bubbles"))
        heads = files.objects(told.get("fullConversationHeadersOnly"))
        started = files.moment(told.get("createdAt"))
        updated = files.moment(told.get("lastUpdatedAt") or told.get("lastSendTime")) or started
        if number and (bubbles or heads) and files.later(updated, since):
            yield Conversation(
                str(number),
                partial(self._read, path, str(number), bubbles, heads),
                project=project,
                title=told.get("name") or told.get("chatTitle"),
                started=started or updated,
                updated=updated,
            )

    @tolerant
    def _read(
        self, path: Path, number: str, bubbles: Sequence[Record], heads: Sequence[Record]
    ) -> Iterator[ChatMessage]:
        named = (str(head.get("bubbleId")) for head in heads) if not bubbles else ()
        stored = (self._value(path, _ENTRY, f"bubbleId:{number}:{each}") for each in named)
        for bubble in chain(bubbles, stored):
            if not isinstance(bubble, dict):
                self.unread[f"{path}: a message that is missing"] += 1
                continue
            timing = files.inner(bubble, "timingInfo")
            text = bubble.get("text") or bubble.get("rawText")
            if isinstance(text, str) and text.strip():
                yield ChatMessage(
                    "user" if bubble.get("type") in _PERSON else "assistant",
                    text.strip(),
                    files.moment(bubble.get("createdAt") or timing.get("clientRpcSendTime")),
                    bubble.get("bubbleId") or bubble.get("id"),
                )


_OLD_CHATS = "workbench.panel.aichat.view.aichat.chatdata"


def folder_of(workspace: Path) -> Any:
    """The folder of a workspace, as `workspace.json` beside its data names it."""
    told = files.document(workspace / "workspace.json", Unread())
    return (told.get("folder") or told.get("workspace")) if isinstance(told, dict) else None
