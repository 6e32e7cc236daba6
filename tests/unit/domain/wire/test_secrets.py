"""Identifiers that hold a secret are refused where they are written; the refusal names the field alone."""

from typing import Any

import pytest
from pydantic import BaseModel, ValidationError

from strata.domain.wire.episodes import EpisodeQuery, NewEpisode, NewIngest
from strata.domain.wire.events import NewEvent, NewEventSession
from strata.domain.wire.ledger import LedgerMark
from strata.domain.wire.observations import NewObservation
from strata.domain.wire.sessions import NewSession, SessionEnd
from strata.domain.wire.transfer import ImportedObservation, ImportedSession
from support.memory import observation
from support.secret_forms import filled

SECRET, _ = filled("ghp_{N36}")
ORDINARY = "session-2024-01-15-9f8b7c6d-1234-4a5b-8c9d-0e1f2a3b4c5d"

EPISODE = {"conversation_id": "c", "agent_id": "a", "summary": "s"}
SESSION = {"id": "s", "project": "p"}
EVENT = {"event_type": "user_message", "content": "x"}
WRITTEN: list[tuple[type[BaseModel], dict[str, Any], list[str]]] = [
    (NewObservation, observation(), ["session_id", "user_id", "project"]),
    (ImportedObservation, observation(), ["session_id", "user_id", "project"]),
    (NewSession, SESSION, ["id", "project", "agent_id", "user_id"]),
    (
        ImportedSession,
        SESSION | {"started_at": "2026-01-01T00:00:00Z"},
        ["id", "project", "agent_id", "user_id"],
    ),
    (SessionEnd, {}, ["agent_id", "user_id"]),
    (NewEpisode, EPISODE, ["conversation_id", "agent_id", "user_id"]),
    (NewIngest, {"session_id": "s", "response": "r"}, ["session_id", "user_id"]),
    (NewEvent, EVENT, ["event_id", "user_id"]),
    (NewEventSession, {}, ["session_id", "app_name", "user_id"]),
    (LedgerMark, {"item": "i"}, ["item", "value", "user_id"]),
]


@pytest.mark.parametrize(("model", "body", "fields"), WRITTEN, ids=[each[0].__name__ for each in WRITTEN])
def test_a_secret_in_an_identifier_is_refused(
    model: type[BaseModel], body: dict[str, Any], fields: list[str]
) -> None:
    for field in fields:
        model.model_validate(body | {field: ORDINARY})
        with pytest.raises(ValidationError) as refused:
            model.model_validate(body | {field: f"x_{SECRET}"})
        (problem,) = refused.value.errors(include_input=False, include_context=False)
        assert problem["loc"][0] == field
        assert "github_token" in problem["msg"]
        assert SECRET not in str(problem)


def test_what_was_stored_under_such_an_identifier_can_still_be_asked_for() -> None:
    assert EpisodeQuery(query="x", agent_id=SECRET).agent_id == SECRET
