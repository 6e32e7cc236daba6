"""`Client`: a typed method for every route, over pooled connections."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar
from uuid import uuid4

import httpx

from strata.client import calls, exchange
from strata.client.call import Call
from strata.client.calls import Message
from strata.client.config import endpoint
from strata.client.exchange import Reply
from strata.client.retries import RetryPolicy
from strata.client.session import ClientSession

if TYPE_CHECKING:
    from strata.domain import models

T = TypeVar("T")


class Client:
    """Speaks to one Strata server. Safe to share between threads.

    `url` and `key` default to `STRATA_URL` and `STRATA_API_KEY`, and those to the server of this machine.
    `timeout` is in seconds and for one try; idempotent calls are tried again as `retry` says. `transport`
    replaces the network, as in httpx.

    Every method raises `StrataClientError` when it does not succeed.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        key: str | None = None,
        timeout: float = 30.0,
        retry: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint = endpoint(url, key)
        self._retry = retry or RetryPolicy()
        self._sleep = sleep
        self._http = httpx.Client(**exchange.connection(self._endpoint, timeout), transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def send(self, call: Call[T]) -> Reply[T]:
        """Send one call and wait for its reply, as it came and typed."""
        tried = 0
        while True:
            outcome: exchange.Outcome
            try:
                outcome = self._http.request(**exchange.request(call))
            except httpx.TransportError as error:
                outcome = error
            tried += 1
            wait = self._retry.wait(call, tried, outcome)
            if wait is None:
                return exchange.settle(call, self._endpoint, outcome)
            self._sleep(wait)

    # --- sessions ---------------------------------------------------------------------------------

    def session(
        self,
        *,
        project: str,
        id: str | None = None,  # noqa: A002 - the wire's own name
        agent_id: str | None = None,
        user_id: str | None = None,
    ) -> ClientSession:
        """A session to use with `with`: begun on entry, ended with its messages on exit."""
        return ClientSession(self, id or uuid4().hex, project, agent_id=agent_id, user_id=user_id)

    def create_session(
        self,
        id: str,  # noqa: A002
        project: str,
        *,
        agent_id: str | None = None,
        user_id: str | None = None,
        auto_summarize: bool | None = None,
        persist: bool | None = None,
    ) -> models.Session:
        """Start a session; the same id again gives the existing one, unchanged."""
        call = calls.create_session(
            id, project, agent_id=agent_id, user_id=user_id, auto_summarize=auto_summarize, persist=persist
        )
        return self.send(call).value

    def end_session(
        self,
        id: str,  # noqa: A002
        messages: Iterable[Message] = (),
        *,
        agent_id: str | None = None,
        user_id: str | None = None,
    ) -> models.EndedSession:
        """End a session with its transcript, and get its summary."""
        return self.send(calls.end_session(id, messages, agent_id=agent_id, user_id=user_id)).value

    def recent_sessions(
        self, project: str | None = None, *, limit: int | None = None
    ) -> list[models.Session]:
        """Sessions, newest first."""
        return self.send(calls.recent_sessions(project, limit=limit)).value

    # --- observations -----------------------------------------------------------------------------

    def save(
        self,
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
    ) -> models.SavedObservation:
        """Save what was learnt; `topic_key` names a subject whose observation is replaced each time."""
        call = calls.save(
            content,
            project=project,
            session_id=session_id,
            title=title,
            type=type,
            tags=tags,
            scope=scope,
            topic_key=topic_key,
            user_id=user_id,
        )
        return self.send(call).value

    def recent(
        self,
        project: str | None = None,
        *,
        type: str | None = None,  # noqa: A002
        scope: str | None = None,
        limit: int | None = None,
    ) -> list[models.Observation]:
        """Observations, newest first."""
        return self.send(calls.recent(project, type=type, scope=scope, limit=limit)).value

    def get(self, id: int) -> models.Observation:  # noqa: A002
        """One observation, whole."""
        return self.send(calls.get(id)).value

    def change(
        self,
        id: int,  # noqa: A002
        *,
        type: str | None = None,  # noqa: A002
        title: str | None = None,
        content: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> models.Observation:
        """Change an observation; what is not named stays."""
        return self.send(calls.change(id, type=type, title=title, content=content, tags=tags)).value

    def delete(self, id: int, *, hard: bool = False) -> None:  # noqa: A002
        """Delete an observation; `hard` erases it for good."""
        self.send(calls.delete(id, hard=hard))

    # --- finding ----------------------------------------------------------------------------------

    def search(
        self,
        query: str,
        *,
        project: str | None = None,
        type: str | None = None,  # noqa: A002
        scope: str | None = None,
        limit: int | None = None,
        mode: str | None = None,
        min_score: float | None = None,
    ) -> list[models.SearchHit]:
        """The observations that answer a question best; `mode` is hybrid, bm25 or vector."""
        call = calls.search(
            query, project=project, type=type, scope=scope, limit=limit, mode=mode, min_score=min_score
        )
        return self.send(call).value

    def context(
        self,
        project: str | None = None,
        *,
        query: str | None = None,
        scope: str | None = None,
        limit: int | None = None,
    ) -> models.Context:
        """What an agent should know now, for this query or in general."""
        return self.send(calls.context(project, query=query, scope=scope, limit=limit)).value

    def context_text(
        self,
        project: str | None = None,
        *,
        query: str | None = None,
        scope: str | None = None,
        limit: int | None = None,
    ) -> str:
        """The same as the text that goes into a prompt; empty when nothing is known."""
        return self.send(calls.context_text(project, query=query, scope=scope, limit=limit)).value

    def timeline(
        self, observation_id: int, *, before: int | None = None, after: int | None = None
    ) -> list[models.TimelineEntry]:
        """What was saved around an observation, oldest first, itself included."""
        return self.send(calls.timeline(observation_id, before=before, after=after)).value

    def stats(self, project: str | None = None) -> models.Stats:
        """How much there is."""
        return self.send(calls.stats(project)).value

    def export(self, project: str | None = None) -> Iterator[models.Export]:
        """Everything, page by page."""
        cursor: str | None = None
        while True:
            page = self.send(calls.export(project, cursor=cursor)).value
            yield page
            cursor = page.next
            if not cursor:
                return

    def import_(self, document: Mapping[str, Any] | models.Export) -> models.Imported:
        """Add what `export` gave, at most 5 MB at once; what is there already is left alone."""
        return self.send(calls.import_(document)).value

    def health(self) -> models.Health:
        """How the server and what it needs are doing."""
        return self.send(calls.health()).value
