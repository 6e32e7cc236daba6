"""Sessions, from their start to their summary."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from strata.client.call import Call, model
from strata.client.calls.building import Later, fields, params, path
from strata.client.calls.transcripts import Message, fitting

if TYPE_CHECKING:
    from strata.domain.wire import sessions
else:
    sessions = Later("strata.domain.wire.sessions")


def create_session(
    id: str,  # noqa: A002 - the wire's own name
    project: str,
    *,
    agent_id: str | None = None,
    user_id: str | None = None,
    auto_summarize: bool | None = None,
    persist: bool | None = None,
) -> Call[sessions.Session]:
    """Start a session, or get the one that has this id, unchanged.

    `POST /sessions`. With `persist` false nothing of it is kept, with `auto_summarize` false it ends
    without a summary.
    """
    names = {"id": id, "project": project, "autoSummarize": auto_summarize}
    body = fields(**names, agent_id=agent_id, user_id=user_id, persist=persist)
    return Call("POST", "/sessions", model(lambda: sessions.Session), body=body)


def end_session(
    id: str,  # noqa: A002
    messages: Iterable[Message] = (),
    *,
    agent_id: str | None = None,
    user_id: str | None = None,
) -> Call[sessions.EndedSession]:
    """End a session with its transcript, and get its summary.

    `POST /sessions/{id}/end`. A transcript of more than a megabyte goes without what is no text, and with the
    beginnings of its longest messages.
    """
    body = fields(messages=fitting(list(messages)), agent_id=agent_id, user_id=user_id)
    return Call("POST", path("/sessions/{}/end", id), model(lambda: sessions.EndedSession), body=body)


def recent_sessions(project: str | None = None, *, limit: int | None = None) -> Call[list[sessions.Session]]:
    """Sessions, newest first.

    `GET /sessions/recent`.
    """
    given = params(project=project, limit=limit)
    return Call("GET", "/sessions/recent", model(lambda: list[sessions.Session]), given)
