"""Questions about people."""

from __future__ import annotations

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
