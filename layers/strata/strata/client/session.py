"""A session as a `with` block: started on entry, ended with its messages on exit."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from strata.client.call import Call
from strata.client.calls import context as context_calls
from strata.client.calls import observations as observation_calls
from strata.client.calls.parts import Later
from strata.client.calls.sessions import create_session, end_session
from strata.client.errors import StrataClientError
from strata.client.exchange import Reply
from strata.client.method import AsyncSender, Method, Sender

if TYPE_CHECKING:
    from strata.domain.wire import observations, sessions
else:
    sessions = Later("strata.domain.wire.sessions")

C = TypeVar("C")
T = TypeVar("T")


class _Session(Generic[C]):
    """The part without waiting, shared by both kinds."""

    def __init__(
        self, client: C, id: str, project: str, *, agent_id: str | None = None, user_id: str | None = None
    ) -> None:
        self._client = client
        self._agent_id = agent_id
        self._user_id = user_id
        self.id = id
        self.project = project
        self.messages: list[dict[str, Any]] = []
        self.ended: sessions.EndedSession | None = None

    def add(self, role: str, content: Any) -> None:
        """Remember one message: `user`, `assistant`, `tool`, …"""
        self.messages.append({"role": role, "content": content})

    def _begin(self) -> Call[sessions.Session]:
        return create_session(self.id, self.project, agent_id=self._agent_id, user_id=self._user_id)

    def _end(self) -> Call[sessions.EndedSession]:
        return end_session(self.id, self.messages)

    @Method
    def save(
        self,
        content: str,
        *,
        title: str,
        type: str,
        tags: Sequence[str] | None = None,
        topic_key: str | None = None,
    ) -> Call[observations.SavedObservation]:
        """Save an observation of this session."""
        return observation_calls.save(
            content,
            project=self.project,
            session_id=self.id,
            title=title,
            type=type,
            tags=tags,
            topic_key=topic_key,
            user_id=self._user_id,
        )

    @Method
    def context_text(
        self,
        query: str | None = None,
        *,
        token_budget: int | None = None,
        limit: int | None = None,
        layers: Sequence[str] | None = None,
        turn_id: str | None = None,
        min_relevance: float | None = None,
    ) -> Call[str]:
        """Context for this query as text for a prompt, without items that this session received before.

        `Client.context_text` for the session's project, agent and user, with the session as the conversation.
        Keep the text: each item comes once. The same `turn_id` returns the same text again.
        """
        return context_calls.context_text(
            self.project,
            query=query,
            agent_id=self._agent_id,
            user_id=self._user_id,
            conversation_id=self.id,
            token_budget=token_budget,
            limit=limit,
            layers=layers,
            turn_id=turn_id,
            min_relevance=min_relevance,
            fill=None,
        )


class ClientSession(_Session[Sender]):
    """Collects the messages of one conversation and ends it with them.

    After the block `ended` holds the summary. A block that raises ends its session, too, with the messages so
    far; an error while ending does not hide the block's own.
    """

    def send(self, call: Call[T]) -> Reply[T]:
        """Send a call with the session's client."""
        return self._client.send(call)

    def __enter__(self) -> Self:
        self.send(self._begin())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(*_hidden_by(kind)):
            self.ended = self.send(self._end()).value


class AsyncClientSession(_Session[AsyncSender]):
    """`ClientSession` for `async with`."""

    async def send(self, call: Call[T]) -> Reply[T]:
        """Send a call with the session's client."""
        return await self._client.send(call)

    async def __aenter__(self) -> Self:
        await self.send(self._begin())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(*_hidden_by(kind)):
            self.ended = (await self.send(self._end())).value


def _hidden_by(error: type[BaseException] | None) -> tuple[type[StrataClientError], ...]:
    return () if error is None else (StrataClientError,)
