"""Imports other tools' chats: each conversation becomes a session with its events and its end.

Sessions and events have ids made from the tool's own, so an import after another adds only what is new, and
one that was interrupted goes on where it stopped. Conversations are read a message at a time.
"""

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import chain
from typing import Any, Protocol

from strata.domain.redaction.redact import redact
from strata.domain.text.recalled import without_recalled
from strata.domain.text.strings import cut, encodable, project_name
from strata.domain.wire.events import AGENT_RESPONSE, MAX_BATCH, USER_MESSAGE
from strata.domain.wire.fields import MAX_CONTENT, MAX_IDENT, MAX_LABEL, MAX_TITLE
from strata.ports.chats import ChatNote, ChatSource, Conversation

_PART = 40_000
"""Characters of an event; a longer message becomes several."""
_ROOM = 600_000
"""Characters of a request."""
_ENDING = 4
"""Conversations that may wait for their end while the next ones are sent."""
_TYPES = {"user": USER_MESSAGE, "assistant": AGENT_RESPONSE}
_USUAL_TYPE = "discovery"

Event = dict[str, Any]


class ChatRefused(Exception):
    """The store does not take a conversation, for the reason that is its text."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A session of a conversation: when it ended, and the id of its newest event; None where it has none."""

    ended: datetime | None
    last: str | None


class ChatStore(Protocol):
    """Takes conversations. Every method is idempotent.

    Methods raise `ChatRefused` where this conversation can't be taken, and anything else where none can.
    """

    def begin(self, session: str, project: str, app: str, started: datetime | None) -> Begun:
        """Make the session and its log, or get them."""

    def append(self, session: str, events: Sequence[Event]) -> None:
        """Append those of up to 100 events that are not there yet."""

    def end(self, session: str, ended: datetime | None) -> None:
        """End the session with what its events say."""

    def keep(self, notes: Sequence[dict[str, Any]]) -> int:
        """Keep those observations that are not there yet; return how many."""


@dataclass(slots=True)
class ChatReport:
    """The result of an import.

    Attributes:
        conversations: how many were added, or had something new.
        unchanged: how many had nothing new.
        messages, notes: how many were added.
        refused: what was not taken, by the reason.
        whole: False where the import stopped before its end.
    """

    conversations: int = 0
    unchanged: int = 0
    messages: int = 0
    notes: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    whole: bool = True


class ChatImporter:
    """Imports what sources hold into a store.

    Args:
        store: takes it.
        stop: asked before each conversation, and within long ones, whether to stop there.
        tell: called after each conversation.
        ending: ends conversations while the next ones are read; without it they are ended in their turn.
    """

    def __init__(
        self,
        store: ChatStore,
        *,
        stop: Callable[[], bool] = lambda: False,
        tell: Callable[[ChatReport], None] = lambda _: None,
        ending: Executor | None = None,
    ) -> None:
        self._store = store
        self._stop = stop
        self._tell = tell
        self._ending = ending
        self._ends: deque[tuple[str, int, Callable[[], object] | None]] = deque()

    def run(
        self, sources: Sequence[ChatSource], *, since: datetime | None = None, project: str | None = None
    ) -> ChatReport:
        """Import what changed since then, of one project where it is named."""
        report = ChatReport()
        for source in sources:
            for conversation in source.conversations(since):
                if self._stop():
                    report.whole = False
                    break
                if project is None or project_name(project) == _project(source, conversation.project):
                    self._take(source, conversation, report)
                    self._settle(report, _ENDING if self._ending else 0)
            self._settle(report)
            if not report.whole:
                break
            self._keep(source, since, project, report)
        return report

    def _settle(self, report: ChatReport, most: int = 0) -> None:
        """Count conversations in their order, until at most so many ends are awaited."""
        while len(self._ends) > most:
            name, new, end = self._ends.popleft()
            try:
                if end is not None:
                    end()
            except ChatRefused as refused:
                report.refused[f"{name}: {refused}"] += 1
            else:
                report.messages += new
                report.conversations += bool(new)
                report.unchanged += not new
            self._tell(report)

    def _take(self, source: ChatSource, conversation: Conversation, report: ChatReport) -> None:
        new, at, name = 0, None, f"{source.name} {conversation.id}"

        def noted(events: Iterator[Event]) -> Iterator[Event]:
            nonlocal at
            for event in events:
                at = event["timestamp"] or at
                yield event

        events: Iterator[Event] = noted(_events(conversation))
        first = next(events, None)
        if first is None:
            return
        session, started = (
            f"chats-{source.name}-{_digest(conversation.id)}",
            _time(at) or conversation.started,
        )
        try:
            project = _project(source, conversation.project)
            begun = self._store.begin(session, project, f"chats/{source.name}", started)
            if begun.last is not None and begun.last not in (
                each["event_id"] for each in chain([first], events)
            ):
                begun = Begun(begun.ended, None)
                first, events = None, noted(_events(conversation))
            elif begun.last is not None:
                first = None
            for batch in _batches(chain([first] if first else [], events)):
                self._store.append(session, batch)
                new += len(batch)
                if self._stop():
                    report.messages += new
                    report.whole = False
                    return
        except ChatRefused as refused:
            report.refused[f"{name}: {refused}"] += 1
            return
        ended = _time(at) or conversation.updated
        end: Callable[[], object] | None = None
        if new or begun.ended is None or (ended is not None and begun.ended < ended):
            end = partial(self._store.end, session, ended)
        if end and self._ending:
            end = self._ending.submit(end).result
        self._ends.append((name, new, end))

    def _keep(
        self, source: ChatSource, since: datetime | None, project: str | None, report: ChatReport
    ) -> None:
        wanted = (
            _observation(source, note)
            for note in source.notes(since)
            if project is None or project_name(project) == _project(source, note.project)
        )
        for batch in _batches(wanted):
            try:
                report.notes += self._store.keep(batch)
            except ChatRefused as refused:
                report.refused[f"{source.name}: {refused}"] += len(batch)
            self._tell(report)


def _events(conversation: Conversation) -> Iterator[Event]:
    """The messages as events, without secrets and without what memory gave the conversation."""
    at: datetime | None = conversation.started
    same = Counter[str]()
    for message in conversation.read():
        at = message.at or at
        text = encodable(without_recalled(message.text).strip())
        if not text:
            continue
        number = message.id or _digest(f"{message.role} {message.at} {message.text}")
        same[number] += 1
        name = _digest(f"{conversation.id} {number} {same[number]}")
        parts = [text] if len(text) <= _PART else [text[i : i + _PART] for i in range(0, len(text), _PART)]
        for place, part in enumerate(parts):
            yield {
                "event_id": f"chat-{name}" if place == 0 else f"chat-{name}-{place}",
                "event_type": _TYPES[message.role],
                "content": redact(part)[0],
                "timestamp": at.isoformat() if at else None,
            }


def _observation(source: ChatSource, note: ChatNote) -> dict[str, Any]:
    text = cut(encodable(without_recalled(note.text).strip()), MAX_CONTENT)
    title = (note.title or "").strip() or text.split("\n", 1)[0].strip()
    return {
        "session_id": f"chats-{source.name}-notes",
        "project": _project(source, note.project),
        "type": cut(note.type or _USUAL_TYPE, MAX_LABEL),
        "title": cut(encodable(title), MAX_TITLE),
        "content": text,
        "tags": [source.name],
        "topic_key": note.topic,
        "created_at": note.at.isoformat(),
    }


def _batches(found: Iterator[Event]) -> Iterator[list[Event]]:
    """Lists that fit a request."""
    batch: list[Event] = []
    size = 0
    for each in found:
        length = len(each["content"])
        if batch and (len(batch) >= MAX_BATCH or size + length > _ROOM):
            yield batch
            batch, size = [], 0
        batch.append(each)
        size += length
    if batch:
        yield batch


def _project(source: ChatSource, project: str | None) -> str:
    """The project that something belongs to; one named after the tool where none is known."""
    return cut(project_name(encodable(project or "")), MAX_IDENT) or source.name


def _time(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:24]
