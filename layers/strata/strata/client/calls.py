"""Every route of the wire contract, from its arguments to a `Call`.

Nothing here touches the network, so that any kind of client can send these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from strata.client.call import Call, plain_text

if TYPE_CHECKING:
    from strata.domain import models
else:

    class _Models:
        """Stands for the module, which is imported at the first look at a model."""

        def __getattr__(self, name: str) -> object:
            return getattr(import_module("strata.domain.models"), name)

    models = _Models()

Message = Mapping[str, Any]
"""`{"role": …, "content": …}`."""


def _params(**given: object) -> dict[str, str]:
    return {name: _text(value) for name, value in given.items() if value is not None}


def _text(value: object) -> str:
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return _encodable(text)


def _encodable(text: str) -> str:
    """The text with halves of surrogate pairs replaced: an address can't hold them."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _fields(**given: object) -> dict[str, object]:
    return {name: value for name, value in given.items() if value is not None}


def _one(template: str, identity: str | int) -> str:
    """The path of one thing; an id may hold any character, `/` included."""
    return template.format(quote(_encodable(str(identity)), safe=""))


# --- sessions -------------------------------------------------------------------------------------


def create_session(
    id: str,  # noqa: A002 - the wire's own name
    project: str,
    *,
    agent_id: str | None = None,
    user_id: str | None = None,
    auto_summarize: bool | None = None,
    persist: bool | None = None,
) -> Call[models.Session]:
    """`POST /sessions`: start a session, or get the one that has this id."""
    names = {"id": id, "project": project, "autoSummarize": auto_summarize}
    body = _fields(**names, agent_id=agent_id, user_id=user_id, persist=persist)
    return Call("POST", "/sessions", lambda: models.Session, body=body)


def end_session(
    id: str,  # noqa: A002
    messages: Iterable[Message] = (),
    *,
    agent_id: str | None = None,
    user_id: str | None = None,
) -> Call[models.EndedSession]:
    """`POST /sessions/{id}/end`: end a session with its transcript."""
    body = _fields(messages=list(messages), agent_id=agent_id, user_id=user_id)
    return Call("POST", _one("/sessions/{}/end", id), lambda: models.EndedSession, body=body)


def recent_sessions(project: str | None = None, *, limit: int | None = None) -> Call[list[models.Session]]:
    """`GET /sessions/recent`, newest first."""
    return Call(
        "GET", "/sessions/recent", lambda: list[models.Session], _params(project=project, limit=limit)
    )


# --- observations ---------------------------------------------------------------------------------


def save(
    content: str,
    *,
    project: str,
    session_id: str,
    title: str,
    type: str,  # noqa: A002
    tags: Sequence[str] | None = None,
    scope: str | None = None,
    topic_key: str | None = None,
    user_id: str | None = None,
) -> Call[models.SavedObservation]:
    """`POST /observations`. Saving twice counts twice, so it is not repeated on its own."""
    body = _fields(
        session_id=session_id,
        type=type,
        title=title,
        content=content,
        project=project,
        tags=list(tags) if tags else None,
        scope=scope,
        topic_key=topic_key,
        user_id=user_id,
    )
    return Call("POST", "/observations", lambda: models.SavedObservation, body=body, idempotent=False)


def recent(
    project: str | None = None,
    *,
    type: str | None = None,  # noqa: A002
    scope: str | None = None,
    limit: int | None = None,
) -> Call[list[models.Observation]]:
    """`GET /observations/recent`, newest first."""
    params = _params(project=project, type=type, scope=scope, limit=limit)
    return Call("GET", "/observations/recent", lambda: list[models.Observation], params)


def get(id: int) -> Call[models.Observation]:  # noqa: A002
    """`GET /observations/{id}`."""
    return Call("GET", _one("/observations/{}", id), lambda: models.Observation)


def change(
    id: int,  # noqa: A002
    *,
    type: str | None = None,  # noqa: A002
    title: str | None = None,
    content: str | None = None,
    tags: Sequence[str] | None = None,
) -> Call[models.Observation]:
    """`PATCH /observations/{id}`: what is not named stays; an empty `tags` removes them."""
    body = _fields(type=type, title=title, content=content, tags=None if tags is None else list(tags))
    return Call("PATCH", _one("/observations/{}", id), lambda: models.Observation, body=body)


def delete(id: int, *, hard: bool = False) -> Call[None]:  # noqa: A002
    """`DELETE /observations/{id}`; `hard` erases it."""
    path = _one("/observations/{}", id)
    return Call("DELETE", path, lambda: type(None), _params(hard=True if hard else None))


# --- finding --------------------------------------------------------------------------------------


def search(
    query: str,
    *,
    project: str | None = None,
    type: str | None = None,  # noqa: A002
    scope: str | None = None,
    limit: int | None = None,
    mode: str | None = None,
    min_score: float | None = None,
) -> Call[list[models.SearchHit]]:
    """`GET /search`, best first."""
    params = _params(
        q=query, project=project, type=type, scope=scope, limit=limit, mode=mode, min_score=min_score
    )
    return Call("GET", "/search", lambda: list[models.SearchHit], params)


def context(
    project: str | None = None,
    *,
    query: str | None = None,
    scope: str | None = None,
    limit: int | None = None,
) -> Call[models.Context]:
    """`GET /context`: what an agent should know now."""
    return Call(
        "GET",
        "/context",
        lambda: models.Context,
        _params(project=project, query=query, scope=scope, limit=limit),
    )


def context_text(
    project: str | None = None,
    *,
    query: str | None = None,
    scope: str | None = None,
    limit: int | None = None,
) -> Call[str]:
    """`GET /context?format=text`: the same as the text that goes into a prompt."""
    params = _params(project=project, query=query, scope=scope, limit=limit, format="text")
    return Call("GET", "/context", plain_text, params)


def timeline(
    observation_id: int, *, before: int | None = None, after: int | None = None
) -> Call[list[models.TimelineEntry]]:
    """`GET /timeline`: what was saved around one observation, oldest first."""
    params = _params(observation_id=observation_id, before=before, after=after)
    return Call("GET", "/timeline", lambda: list[models.TimelineEntry], params)


# --- the whole ------------------------------------------------------------------------------------


def stats(project: str | None = None) -> Call[models.Stats]:
    """`GET /stats`."""
    return Call("GET", "/stats", lambda: models.Stats, _params(project=project))


def export(project: str | None = None, *, cursor: str | None = None) -> Call[models.Export]:
    """`GET /export`: one page of at most 4 MB; its `next` is the `cursor` of the following one."""
    return Call("GET", "/export", lambda: models.Export, _params(project=project, cursor=cursor))


def import_(document: Mapping[str, Any] | models.Export) -> Call[models.Imported]:
    """`POST /import`: what `/export` gave, at most 5 MB at once. Importing twice adds nothing."""
    rows = document if isinstance(document, Mapping) else document.model_dump(mode="json", exclude_none=True)
    return Call("POST", "/import", lambda: models.Imported, body=dict(rows))


def health() -> Call[models.Health]:
    """`GET /health`."""
    return Call("GET", "/health", lambda: models.Health)
