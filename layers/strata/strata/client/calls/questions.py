"""Questions about people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from strata.client.call import Call, model
from strata.client.calls.parts import Later, fields

if TYPE_CHECKING:
    from strata.domain.wire import questions as wire
else:
    wire = Later("strata.domain.wire.questions")


def ask(
    question: str, user_id: str | None = None, *, agent_id: str | None = None, project: str | None = None
) -> Call[wire.Answer]:
    """An answer about a person from everything that is known of them, with its sources.

    `POST /api/memory/ask`. Below a floor of confidence it says that this is not known, without sources.
    """
    body = fields(question=question, userId=user_id, agent_id=agent_id, project=project)
    return Call("POST", "/api/memory/ask", model(lambda: wire.Answer), body=body)


def forget(
    query: str | None = None,
    user_id: str | None = None,
    *,
    ids: Sequence[str] | None = None,
    agent_id: str | None = None,
    project: str | None = None,
    dry_run: bool = True,
) -> Call[wire.Forgotten]:
    """Show a person's memories that a text means; with `dry_run=False`, delete the `ids` that were shown.

    `POST /api/memory/forget`. What was forgotten is not learnt again.
    """
    named = None if ids is None else list(ids)
    body = fields(query=query, ids=named, userId=user_id, agent_id=agent_id, project=project, dry_run=dry_run)
    return Call("POST", "/api/memory/forget", model(lambda: wire.Forgotten), body=body)
