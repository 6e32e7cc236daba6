"""A session as a `with` block: begun on entry, ended with what was said on exit."""

from __future__ import annotations

from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from strata.client.errors import StrataClientError

if TYPE_CHECKING:
    from strata.client.client import Client
    from strata.domain import models


class ClientSession:
    """Collects the messages of one conversation and ends it with them.

    After the block `ended` holds the summary. A block that fails ends its session too, with what was said
    until then; an error of that ending does not hide the block's own.
    """

    def __init__(
        self,
        client: Client,
        id: str,  # noqa: A002 - the wire's own name
        project: str,
        *,
        agent_id: str | None = None,
        user_id: str | None = None,
    ) -> None:
        self._client = client
        self._agent_id = agent_id
        self._user_id = user_id
        self.id = id
        self.project = project
        self.messages: list[dict[str, Any]] = []
        self.ended: models.EndedSession | None = None

    def __enter__(self) -> Self:
        self._client.create_session(self.id, self.project, agent_id=self._agent_id, user_id=self._user_id)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self._end()
        else:
            with suppress(StrataClientError):
                self._end()

    def _end(self) -> None:
        self.ended = self._client.end_session(self.id, self.messages)

    def add(self, role: str, content: Any) -> None:
        """Remember one message: `user`, `assistant`, `tool`, …"""
        self.messages.append({"role": role, "content": content})

    def save(
        self,
        content: str,
        *,
        title: str,
        type: str,  # noqa: A002
        tags: list[str] | None = None,
        topic_key: str | None = None,
    ) -> models.SavedObservation:
        """Save what was learnt in this session."""
        return self._client.save(
            content,
            project=self.project,
            session_id=self.id,
            title=title,
            type=type,
            tags=tags,
            topic_key=topic_key,
            user_id=self._user_id,
        )
