"""Sessions and their transcripts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from strata.client.call import Call, model
from strata.client.calls.parts import Later, encodable, fields, params, path

if TYPE_CHECKING:
    from strata.domain.wire import sessions
else:
    sessions = Later("strata.domain.wire.sessions")

TranscriptMessage = Mapping[str, Any]
"""`{"role": …, "content": …}`."""

ROOM = 1_000_000
"""Largest size of the messages in bytes: a request body may have 1 MiB."""

_LONGEST, _QUOTED = 100_000, 1_000
"""Characters kept of any message at most, and at least of a message that the summary quotes. The quote is
shorter, but redaction recognizes only a complete secret."""


def create_session(
    id: str,
    project: str,
    *,
    agent_id: str | None = None,
    user_id: str | None = None,
    external_type: str | None = None,
    auto_summarize: bool | None = None,
    persist: bool | None = None,
    started_at: str | None = None,
) -> Call[sessions.Session]:
    """Start a session, or get the existing one with this id, unchanged.

    `POST /sessions`. With `persist=False` nothing is stored; with `auto_summarize=False` the session ends
    without a summary. `started_at` is when an imported session began, RFC 3339, by default now.
    """
    names = {"id": id, "project": project, "autoSummarize": auto_summarize}
    names |= {"agent_id": agent_id, "user_id": user_id, "external_type": external_type}
    body = fields(**names, persist=persist, started_at=started_at)
    return Call("POST", "/sessions", model(lambda: sessions.Session), body=body)


def end_session(
    id: str,
    messages: Iterable[TranscriptMessage] = (),
    *,
    summary: str | None = None,
    agent_id: str | None = None,
    user_id: str | None = None,
    ended_at: str | None = None,
) -> Call[sessions.EndedSession]:
    """End a session with its transcript and get its summary, which is `summary` where it is given.

    `POST /sessions/{id}/end`. Above 1 MB, images and other non-text parts are dropped and long messages
    truncated. `ended_at` is when an imported session ended, RFC 3339, by default now.
    """
    given = fields(summary=summary, agent_id=agent_id, user_id=user_id, ended_at=ended_at)
    body = {"messages": fitting(list(messages))} | given
    return Call("POST", path("/sessions/{}/end", id), model(lambda: sessions.EndedSession), body=body)


def read_session(id: str, *, user_id: str | None = None) -> Call[sessions.Session]:
    """Read one session; one of another user than `user_id` is not found. `GET /sessions/{id}`."""
    return Call("GET", path("/sessions/{}", id), model(lambda: sessions.Session), params(user_id=user_id))


def recent_sessions(
    project: str | None = None,
    *,
    limit: int | None = None,
    user_id: str | None = None,
    agent_id: str | None = None,
) -> Call[list[sessions.Session]]:
    """Sessions, newest first; a user's or an agent's own when one is named. `GET /sessions/recent`."""
    given = params(project=project, limit=limit, user_id=user_id, agent_id=agent_id)
    return Call("GET", "/sessions/recent", model(lambda: list[sessions.Session]), given)


def fitting(messages: Sequence[TranscriptMessage]) -> list[TranscriptMessage]:
    """The messages unchanged if they fit; otherwise their text alone, truncated to the same length.

    No message is dropped, because the server counts them. Lone surrogates are replaced: the server would
    reject the whole transcript. Messages that have no JSON form are returned unchanged.
    """
    whole = list(messages)
    try:
        text = _json(whole)
        if (sendable := encodable(text)) != text:
            whole = json.loads(sendable)
        if len(sendable.encode()) <= ROOM:
            return whole
        texts = [_words(message) for message in whole]
    except (LookupError, TypeError, ValueError, RecursionError):
        return whole
    asked = [place for place, (message, _) in enumerate(texts) if message["role"] == "user"]
    quoted = {*asked[:1], *asked[-1:]}
    most = _LONGEST
    while True:
        told: list[TranscriptMessage] = [
            {**message, "content": text[: max(most, _QUOTED) if place in quoted else most]}
            for place, (message, text) in enumerate(texts)
        ]
        if most == 0 or _size(told) <= ROOM:
            return told
        most //= 2


def _words(message: TranscriptMessage) -> tuple[TranscriptMessage, str]:
    """A message's role, and its text as the server reads it."""
    from strata.domain.wire.messages import Message as Told  # noqa: PLC0415 - few transcripts are so long

    role = message["role"]
    return {"role": role}, Told.model_construct(role=role, content=message.get("content")).text


def _size(messages: Sequence[TranscriptMessage]) -> int:
    return len(_json(messages).encode())


def _json(messages: Sequence[TranscriptMessage]) -> str:
    return json.dumps(messages, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
