"""The limits of what goes over the wire: each at its edge and just over it."""

from typing import Any

import pytest
from pydantic import ValidationError

from strata.domain.wire.messages import Message
from strata.domain.wire.observations import NewObservation, ObservationChange
from strata.domain.wire.sessions import NewSession, SessionEnd
from strata.domain.wire.transfer import ImportedObservation, ImportedSession
from support.memory import observation

LIMITS = [
    ("title", 500),
    ("content", 50_000),
    ("project", 200),
    ("topic_key", 200),
    ("type", 50),
    ("scope", 50),
    ("session_id", 200),
    ("user_id", 200),
]
CHARACTERS = ["x", "é", "字", "😀", "ש"]


def wrong(model, value) -> list[str]:
    """The names of the fields that are refused."""
    with pytest.raises(ValidationError) as refused:
        model.model_validate(value)
    return sorted({str(found["loc"][0]) for found in refused.value.errors()})


@pytest.mark.parametrize("character", CHARACTERS)
@pytest.mark.parametrize(("field", "limit"), LIMITS)
def test_a_field_holds_its_limit_in_characters_of_any_script_and_not_one_more(field, limit, character):
    kept = NewObservation(**observation(**{field: character * limit}))
    assert getattr(kept, field) == character * limit
    assert wrong(NewObservation, observation(**{field: character * (limit + 1)})) == [field]


def test_twenty_tags_of_a_hundred_characters_fit():
    assert len(NewObservation(**observation(tags=["x" * 100] * 20)).tags) == 20
    assert wrong(NewObservation, observation(tags=["x"] * 21)) == ["tags"]
    assert wrong(NewObservation, observation(tags=["x" * 101])) == ["tags"]


@pytest.mark.parametrize("field", ["session_id", "type", "title", "content", "project"])
@pytest.mark.parametrize("blank", ["", " ", "\n\t ", "\u3000", None])
def test_what_must_be_there_must_not_be_blank(field, blank):
    assert wrong(NewObservation, observation(**{field: blank})) == [field]


def test_every_problem_is_named_at_once():
    assert wrong(NewObservation, {"title": "x" * 501, "tags": [""]}) == [
        "content",
        "project",
        "session_id",
        "tags",
        "title",
        "type",
    ]


@pytest.mark.parametrize("field", ["scope", "topic_key", "user_id"])
def test_an_empty_optional_is_absent(field):
    assert getattr(NewObservation(**observation(**{field: ""})), field) is None


@pytest.mark.parametrize("field", ["session_id", "project", "type", "scope", "topic_key", "user_id"])
@pytest.mark.parametrize("character", ["\0", "\n", "\x1f", "\x7f"])
def test_names_hold_no_control_characters(field, character):
    assert wrong(NewObservation, observation(**{field: f"a{character}b"})) == [field]


@pytest.mark.parametrize("field", ["title", "content"])
def test_words_may_hold_any_character(field):
    text = "a\0b\x1b[31m\n\u202e\ufeff"
    assert getattr(NewObservation(**observation(**{field: text})), field) == text


@pytest.mark.parametrize("field", ["session_id", "type", "title", "content", "project", "topic_key"])
def test_a_lone_surrogate_is_no_text(field):
    assert wrong(NewObservation, observation(**{field: "a\ud800"})) == [field]


def test_a_project_has_one_spelling():
    assert NewSession(id="s", project="  DeMo ").project == "demo"


def test_a_project_counts_as_it_is_kept():
    assert wrong(NewSession, {"id": "s", "project": "İ" * 101}) == ["project"]
    assert len(NewSession(id="s", project="İ" * 100).project) == 200


def test_an_unknown_field_or_type_is_no_mistake():
    assert NewObservation(**observation(type="lesson", colour="red")).type == "lesson"


def test_a_change_has_the_limits_of_a_save():
    bad = {"type": "", "title": "x" * 501, "content": " ", "tags": ["x"] * 21}
    assert wrong(ObservationChange, bad) == ["content", "tags", "title", "type"]
    assert ObservationChange.model_validate({}).model_dump(exclude_none=True) == {}


@pytest.mark.parametrize("number", [True, -1, 1.5, 2**53, 10**40])
def test_an_imported_count_is_a_number_that_every_client_can_hold(number):
    row = observation() | {"revision_count": number, "duplicate_count": number}
    with pytest.raises(ValidationError) as refusal:
        ImportedObservation.model_validate(row)
    assert {error["loc"] for error in refusal.value.errors()} == {("revision_count",), ("duplicate_count",)}
    session = {"id": "s", "project": "p", "started_at": "2024-01-01T00:00:00Z", "message_count": number}
    with pytest.raises(ValidationError):
        ImportedSession.model_validate(session)


def test_a_transcript_holds_ten_thousand_messages():
    message = {"role": "user", "content": "x"}
    assert len(SessionEnd.model_validate({"messages": [message] * 10_000}).messages) == 10_000
    assert wrong(SessionEnd, {"messages": [message] * 10_001}) == ["messages"]


def test_a_message_of_any_depth_has_its_words():
    content: Any = "deep"
    for _ in range(5000):
        content = [{"content": content}]
    assert Message(role="user", content=content).text == "deep"


def test_a_message_with_a_lone_surrogate_is_refused():
    assert wrong(Message, {"role": "user", "content": [{"text": "\udfff"}]}) == ["content"]


@pytest.mark.parametrize(
    "moment",
    [
        "1969-12-31T23:59:59Z",
        "2256-01-01T00:00:00Z",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
        "yesterday",
        -1,
        1e300,
    ],
)
def test_a_time_that_no_id_can_hold_is_refused(moment):
    assert wrong(ImportedSession, {"id": "s", "project": "p", "started_at": moment}) == ["started_at"]


@pytest.mark.parametrize("number", [-1, 2**53, 10**400, 1.5, "x"])
def test_an_id_that_a_double_does_not_hold_is_refused(number):
    assert wrong(ImportedObservation, observation(id=number)) == ["id"]
    assert ImportedObservation(**observation(id=2**53 - 1)).id == 2**53 - 1
