"""GitHub Copilot: `chatSessions` of VS Code, and the sessions of its command line.

VS Code keeps a `.json` document (version 3), since 2026 a `.jsonl` log of its changes: kind 0 is the whole
document, 1 sets what is at the path `k`, 2 adds to the list there (after cutting it at `i`), 3 removes. The
command line (0.0.369, 0.0.407) keeps `session-state/<id>/events.jsonl`, before that `<id>.jsonl`, and the
first ones `history-session-state/*.json`.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from strata.adapters.chats import files
from strata.adapters.chats.cursor import folder_of
from strata.adapters.chats.files import Unread
from strata.adapters.chats.source import Source, tolerant
from strata.ports.chats import ChatMessage, Conversation

_EDITORS = tuple(f"{each}/User" for each in ("Code", "Code - Insiders", "VSCodium"))
_CHATS = (
    "workspaceStorage/*/chatSessions/*.json*",
    "globalStorage/emptyWindowChatSessions/*.json*",
)
_SAID = {"user.message": "user", "assistant.message": "assistant"}
_SET, _PUSH, _DELETE = 1, 2, 3


class Copilot(Source):
    """Conversations that GitHub Copilot keeps."""

    name = "copilot"

    def places(self) -> Sequence[Path]:
        """The places where it keeps something."""
        return self._places.data(*_EDITORS, beside=(".vscode-server/data/User", ".copilot"))

    @tolerant
    def conversations(self, since: datetime | None = None) -> Iterator[Conversation]:
        """Yield the chats of editors, and the sessions of the command line."""
        for path in files.files(self.places(), *_CHATS):
            if path.suffix in (".json", ".jsonl") and files.later(files.changed(path), since):
                folder = folder_of(path.parent.parent)
                yield self._conversation(path, path.stem, self._editor, folder)
        for path in files.files(self.places(), "session-state/*.jsonl", "session-state/*/events.jsonl"):
            if files.later(files.changed(path), since):
                number = path.parent.name if path.name == "events.jsonl" else path.stem
                head = next(files.records(path, Unread()), {})
                folder = files.inner(head, "data", "context").get("cwd") or _workspace(path)
                yield self._conversation(path, number, self._events, folder)
        for path in files.files(self.places(), "history-session-state/*.json"):
            if files.later(files.changed(path), since):
                yield self._conversation(path, path.stem, self._history, None)

    def _conversation(self, path: Path, number: str, read: Any, folder: object) -> Conversation:
        project = files.project_of(folder)
        return Conversation(number, partial(read, path), project=project, updated=files.changed(path))

    @tolerant
    def _editor(self, path: Path) -> Iterator[ChatMessage]:
        chat = self._replayed(path) if path.suffix == ".jsonl" else files.document(path, self.unread)
        requests = chat.get("requests") if isinstance(chat, dict) else None
        started = files.moment(chat.get("creationDate")) if isinstance(chat, dict) else None
        for request in requests if isinstance(requests, list) else ():
            if not isinstance(request, dict):
                self.unread[f"{path}: a request that is no object"] += 1
                continue
            at = files.moment(request.get("timestamp")) or started
            number = request.get("requestId")
            asked = request.get("message")
            question = asked.get("text") if isinstance(asked, dict) else asked
            if isinstance(question, str) and question.strip():
                yield ChatMessage("user", question.strip(), at, number)
            parts = request.get("response")
            answer = "".join(map(_part, parts)) if isinstance(parts, list) else ""
            if answer.strip():
                yield ChatMessage("assistant", answer.strip(), at, number and f"{number} answer")

    def _replayed(self, path: Path) -> Any:
        """The document that a log of changes comes to."""
        state: Any = None
        for change in files.records(path, self.unread):
            kind, way, value = change.get("kind"), change.get("k") or [], change.get("v")
            try:
                if kind == 0:
                    state = value
                elif kind in (_SET, _DELETE):
                    _set(state, way, value)
                elif kind == _PUSH:
                    _push(state, way, value or [], change.get("i"))
                else:
                    self.unread[f"{path}: changes of the kind {kind!r}"] += 1
            except (IndexError, KeyError, TypeError):
                self.unread[f"{path}: a change of what is not there"] += 1
        return state

    @tolerant
    def _events(self, path: Path) -> Iterator[ChatMessage]:
        for event in files.records(path, self.unread):
            role, data = _SAID.get(str(event.get("type"))), event.get("data")
            if role and isinstance(data, dict) and (text := files.texts(data.get("content")).strip()):
                yield ChatMessage(
                    "user" if role == "user" else "assistant",
                    text,
                    files.moment(event.get("timestamp")),
                    event.get("id"),
                )

    @tolerant
    def _history(self, path: Path) -> Iterator[ChatMessage]:
        chat = files.document(path, self.unread)
        if isinstance(chat, dict):
            at = files.moment(chat.get("startTime"))
            for message in files.objects(chat.get("chatMessages")):
                role = message.get("role")
                if role in ("user", "assistant") and (text := files.texts(message.get("content")).strip()):
                    yield ChatMessage(role, text, at)


def _set(state: Any, way: list[Any], value: Any) -> None:
    for step in way[:-1]:
        state = state[step]
    if isinstance(state, list) and way[-1] == len(state):
        state.append(value)
    else:
        state[way[-1]] = value


def _push(state: Any, way: list[Any], values: list[Any], cut: int | None) -> None:
    for step in way:
        state = state.setdefault(step, []) if isinstance(state, dict) else state[step]
    if cut is not None:
        del state[cut:]
    state.extend(values)


def _part(part: Any) -> str:
    """The words of a part of an answer: Markdown, or the name of what it refers to."""
    if not isinstance(part, dict):
        return ""
    kind, value = part.get("kind"), part.get("value")
    if kind == "markdownContent":
        value = part.get("content")
    if kind == "inlineReference":
        place = part.get("inlineReference") or {}
        return str(part.get("name") or PurePosixPath(str(place.get("path") or "")).name)
    value = value.get("value") if isinstance(value, dict) else value
    return value if kind in (None, "markdownContent") and isinstance(value, str) else ""


def _workspace(path: Path) -> str | None:
    lines = files.text_lines(path.with_name("workspace.yaml"))
    return next((line[4:].strip().strip("\"'") for line in lines if line.startswith("cwd:")), None)
