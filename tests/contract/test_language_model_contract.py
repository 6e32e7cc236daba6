"""The promises of every adapter of the port `LanguageModel`, while its server works and while it fails."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from servers.tables import CREDENTIALS
from strata.domain.errors import ModelFailed, Throttled, Unavailable
from strata.domain.model_costs import Usage
from strata.ports.models import Question
from support.model_adapters import KEY, WAYS, Way
from support.model_server import HANG, ModelServer, Told, as_json, model_server

PRIVATE = "my sister Ann drinks"
QUESTION = Question("Find the facts.", PRIVATE, most_tokens=100)


class Facts(BaseModel):
    """The fields that the model is asked for."""

    facts: list[str]
    sure: float = Field(ge=0, le=1)


GOOD = json.dumps({"facts": ["Ann is her sister"], "sure": 0.5})
WRONG = json.dumps({"facts": "Ann", "sure": 7})


@pytest.fixture(params=sorted(WAYS))
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Way:
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    return WAYS[request.param]


@pytest.fixture(scope="module")
def shared_server() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@pytest.fixture
def server(shared_server: ModelServer) -> ModelServer:
    shared_server.asked.clear()
    return shared_server


@pytest.fixture(autouse=True)
def said(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """Sentences of errors; no test lets a question, an answer or a key get into these or into a log."""
    sentences: list[str] = []
    caplog.set_level(logging.DEBUG, logger="strata")
    yield sentences
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("strata")]
    for line in [*sentences, *ours]:
        assert not [each for each in (PRIVATE, "Ann", "SECRET", KEY) if each in line], line


def refused(way: Way, server: ModelServer, said: list[str], kind: type[Exception], **limits: float) -> Usage:
    usage = Usage()
    with pytest.raises(kind) as raised:
        way.model(server, **limits).ask(QUESTION, Facts, usage)
    said.append(str(raised.value))
    return usage


# --- answers


def test_an_answer_of_the_right_form_is_an_instance_with_its_tokens(way: Way, server: ModelServer) -> None:
    server.script(way.speaks.says(GOOD))
    usage = Usage()
    answer = way.model(server).ask(QUESTION, Facts, usage)
    assert answer == Facts(facts=["Ann is her sister"], sure=0.5)
    assert usage == Usage(7, 3)
    system, text = way.speaks.prompt(server.asked[0])
    assert text == PRIVATE
    assert system.startswith("Find the facts.")
    assert '"sure"' in system


@pytest.mark.parametrize("text", [f"```json\n{GOOD}\n```", f"Here you are:\n{GOOD}\nAnything else?"])
def test_what_stands_round_an_answer_is_passed_over(way: Way, server: ModelServer, text: str) -> None:
    server.script(way.speaks.says(text))
    assert way.model(server).ask(QUESTION, Facts, Usage()).sure == 0.5
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "first", [WRONG, "no JSON at all", '{"facts": [', "", "{" * 100_000, '{"sure": NaN}']
)
def test_a_wrong_answer_may_be_mended_once(way: Way, server: ModelServer, first: str) -> None:
    server.script(way.speaks.says(first), way.speaks.says(GOOD))
    usage = Usage()
    assert way.model(server).ask(QUESTION, Facts, usage).sure == 0.5
    assert usage == Usage(14, 6)
    system, text, answer, problems = way.speaks.prompt(server.asked[1])
    assert (system, text) == tuple(way.speaks.prompt(server.asked[0]))
    assert answer
    assert "does not fit" in problems


def test_the_model_is_told_what_is_wrong(way: Way, server: ModelServer) -> None:
    server.script(way.speaks.says(WRONG), way.speaks.says(GOOD))
    way.model(server).ask(QUESTION, Facts, Usage())
    problems = way.speaks.prompt(server.asked[1])[-1]
    assert "- facts: Input should be a valid array" in problems
    assert "- sure: Input should be less than or equal to 1" in problems


def test_an_answer_that_is_wrong_twice_is_a_failure_that_counts(
    way: Way, server: ModelServer, said: list[str]
) -> None:
    server.script(way.speaks.says(WRONG))
    assert refused(way, server, said, ModelFailed) == Usage(14, 6)
    assert len(server.asked) == 2


def test_a_refusal_is_a_failure_and_is_not_argued_with(
    way: Way, server: ModelServer, said: list[str]
) -> None:
    if (refusal := way.speaks.refuses()) is None:
        pytest.skip("this protocol knows no refusals")
    server.script(refusal)
    refused(way, server, said, ModelFailed)
    assert len(server.asked) == 1


@pytest.mark.parametrize("lie", [-5, 2.5, "many", None, True, 10**12])
def test_tokens_that_can_be_none_are_estimated(way: Way, server: ModelServer, lie: Any) -> None:
    if way is WAYS["bedrock"] and not (isinstance(lie, int) and not isinstance(lie, bool)):
        pytest.skip("its client reads numbers only")
    server.script(way.speaks.says(GOOD, given=lie, made=lie))
    usage = Usage()
    way.model(server).ask(QUESTION, Facts, usage)
    assert 20 < usage.input_tokens < 2000
    assert 5 < usage.output_tokens < 50


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=200) | st.just("half a pair: \ud83d"))
def test_any_text_reaches_the_model_as_whole_characters(way: Way, server: ModelServer, text: str) -> None:
    server.asked.clear()
    server.script(way.speaks.says(GOOD))
    way.model(server).ask(Question("Go.", text or "-"), Facts, Usage())
    (_, arrived) = way.speaks.prompt(server.asked[0])
    assert arrived == (text or "-").encode(errors="replace").decode()


# --- bad days


@pytest.mark.parametrize("status", [500, 503])
def test_a_server_that_fails_for_a_moment_is_asked_again(way: Way, server: ModelServer, status: int) -> None:
    server.script(way.speaks.fails(status), way.speaks.fails(status), way.speaks.says(GOOD))
    usage = Usage()
    assert way.model(server).ask(QUESTION, Facts, usage).sure == 0.5
    assert (len(server.asked), usage) == (3, Usage(7, 3))


def test_a_server_that_goes_on_failing_is_unavailable(way: Way, server: ModelServer, said: list[str]) -> None:
    server.script(way.speaks.fails(500))
    refused(way, server, said, Unavailable, deadline=0.6)
    assert server.asked


def test_being_asked_to_slow_down_is_heeded(way: Way, server: ModelServer, said: list[str]) -> None:
    server.script(way.speaks.fails(429, retry_after="0"), way.speaks.says(GOOD))
    assert way.model(server).ask(QUESTION, Facts, Usage()).sure == 0.5
    server.script(way.speaks.fails(429, retry_after="3600"))
    refused(way, server, said, Throttled, deadline=5)


@pytest.mark.parametrize("status", [401, 404])
def test_a_wrong_key_or_name_is_told_at_once(
    way: Way, server: ModelServer, said: list[str], status: int
) -> None:
    server.script(way.speaks.fails(status))
    refused(way, server, said, Unavailable)
    assert len(server.asked) == 1


def test_a_question_that_is_not_taken_is_a_failure_at_once(
    way: Way, server: ModelServer, said: list[str]
) -> None:
    server.script(way.speaks.fails(400))
    refused(way, server, said, ModelFailed)
    assert len(server.asked) == 1


def test_silence_ends_at_the_deadline_and_the_question_counts(
    way: Way, server: ModelServer, said: list[str]
) -> None:
    server.script(HANG)
    usage = refused(way, server, said, Unavailable, seconds=0.3, deadline=0.5)
    assert usage.input_tokens > 20
    assert usage.output_tokens == 0


def test_a_question_may_be_of_use_for_a_shorter_time_only(
    way: Way, server: ModelServer, said: list[str]
) -> None:
    server.script(HANG)
    hasty = Question("Go.", PRIVATE, seconds=0.3)
    with pytest.raises(Unavailable) as raised:
        way.model(server, deadline=3600, seconds=3600).ask(hasty, Facts, Usage())
    said.append(str(raised.value))


@pytest.mark.parametrize(
    "told",
    [
        Told(body=b'{"choices": [', length=1000),
        Told(body=b"{", length=10_000, forever=b" ", pause=0.02),
    ],
    ids=["hangs", "drips"],
)
def test_an_answer_that_never_ends_ends_at_the_deadline(
    way: Way, server: ModelServer, said: list[str], told: Told
) -> None:
    server.script(told)
    refused(way, server, said, Unavailable, seconds=0.4, deadline=0.5)


NO_ANSWERS = {
    "html": Told(body=b"<html>Ann</html>", headers={"content-type": "text/html"}),
    "nothing": Told(body=b""),
    "a list": as_json([]),
    "another object": as_json({"Ann": 1}),
    "nulls": as_json({"choices": None, "message": None, "output": None}),
    "deep": Told(body=b'{"a":' * 100_000),
    "no text": Told(body=b"\xff\xfe\x00"),
}


@pytest.mark.parametrize("told", NO_ANSWERS.values(), ids=NO_ANSWERS)
def test_an_answer_of_another_kind_is_no_answer(
    way: Way, server: ModelServer, said: list[str], told: Told
) -> None:
    server.script(told)
    refused(way, server, said, Unavailable, deadline=0.3)


def test_nothing_is_sent_to_where_a_redirect_points(way: Way, server: ModelServer, said: list[str]) -> None:
    server.script(Told(307, headers={"location": f"{server.url}/elsewhere"}))
    refused(way, server, said, Unavailable, deadline=0.5)
    assert "/elsewhere" not in {each.path for each in server.asked}


def test_a_server_that_is_not_there_is_unavailable(way: Way, said: list[str]) -> None:
    usage = refused(way, ModelServer(url="http://127.0.0.1:9"), said, Unavailable, deadline=0.5)
    assert usage == Usage()


@pytest.mark.parametrize("name", ["ollama", "openai"])
def test_of_an_endless_answer_a_bounded_part_is_read(name: str, server: ModelServer, said: list[str]) -> None:
    server.script(Told(length=10**9, forever=b" " * 1_000_000))
    refused(WAYS[name], server, said, Unavailable)
    assert len(server.asked) == 1


# --- what one protocol has alone


def test_a_key_is_a_bearer_token(server: ModelServer) -> None:
    way = WAYS["openai"]
    server.script(way.speaks.says(GOOD))
    way.model(server).ask(QUESTION, Facts, Usage())
    assert server.asked[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize("part", ["temperature", "max_tokens"])
def test_what_a_model_does_not_take_is_left_out_from_then_on(server: ModelServer, part: str) -> None:
    way = WAYS["openai"]
    model = way.model(server)

    def picky(asked: Any) -> Told:
        if part in asked.body:
            return as_json({"error": {"param": part, "code": "unsupported_parameter"}}, 400)
        return way.speaks.says(GOOD)

    server.answer = picky
    assert model.ask(QUESTION, Facts, Usage()).sure == 0.5
    assert model.ask(QUESTION, Facts, Usage()).sure == 0.5
    assert len(server.asked) == 3
    assert ("max_completion_tokens" in server.asked[2].body) == (part == "max_tokens")


def _rejects(status: int, said: Any, *known: str) -> Any:
    """A server of OpenAI's protocol that takes these forms of an answer only, and rejects others so."""

    def answer(asked: Any) -> Told:
        form = asked.body.get("response_format", {})
        named = form.get("type", "text") + (" with schema" if "schema" in form else "")
        return WAYS["openai"].speaks.says(GOOD) if named in known else as_json(said, status)

    return answer


_BY_PARAM = {"error": {"param": "response_format.type", "message": "unknown"}}
_BY_FASTAPI = {"detail": [{"type": "literal_error", "loc": ["body", "response_format", "type"]}]}
_BY_WORDS = {"error": "response_format is not supported by this model"}


@pytest.mark.parametrize(
    ("status", "said", "known", "asked"),
    [
        (400, _BY_PARAM, ["json_object with schema", "text"], 2),
        (422, _BY_FASTAPI, ["json_object with schema", "text"], 2),
        (400, _BY_WORDS, ["json_object", "text"], 3),
        (500, _BY_WORDS, ["text"], 4),
    ],
)
def test_a_server_that_refuses_a_form_of_answers_is_asked_in_the_next_one_and_it_is_said_once(
    server: ModelServer,
    caplog: pytest.LogCaptureFixture,
    status: int,
    said: Any,
    known: list[str],
    asked: int,
) -> None:
    model, another = (WAYS["openai"].model(server) for _ in range(2))
    server.answer = _rejects(status, said, *known)
    for _ in range(3):
        assert model.ask(QUESTION, Facts, Usage()).facts == ["Ann is her sister"]
    assert len(server.asked) == asked + 2, "the form that was taken is remembered"
    schemas = ["facts" in json.dumps(each.body["messages"][0]) for each in server.asked]
    assert all(schemas), "the instructions say the schema in every form"
    told = [record.getMessage() for record in caplog.records if "does not take" in record.getMessage()]
    assert len(told) == asked - 1
    assert another.ask(QUESTION, Facts, Usage()).sure == 0.5
    assert len(server.asked) == 2 * asked + 2, "another model of the server is asked for itself"


def test_what_is_refused_in_every_form_is_an_error_and_no_endless_round(
    server: ModelServer, said: list[str]
) -> None:
    server.answer = _rejects(400, _BY_PARAM)
    refused(WAYS["openai"], server, said, ModelFailed)
    assert len(server.asked) == 4


def test_an_error_that_names_something_else_changes_no_form(server: ModelServer, said: list[str]) -> None:
    server.script(as_json({"error": {"param": "messages", "message": "response_format"}}, 400))
    refused(WAYS["openai"], server, said, ModelFailed)
    assert len(server.asked) == 1


def test_ollamas_window_is_as_wide_as_the_question(server: ModelServer) -> None:
    way = WAYS["ollama"]
    server.script(way.speaks.says(GOOD))
    way.model(server).ask(QUESTION, Facts, Usage())
    way.model(server).ask(Question("Go.", "word " * 10_000), Facts, Usage())
    assert [each.body["options"]["num_ctx"] for each in server.asked] == [4096, 32768]


def test_bedrock_makes_the_model_call_the_one_tool(server: ModelServer, way: Way) -> None:
    way = WAYS["bedrock"]
    server.script(way.speaks.says(GOOD))
    way.model(server).ask(QUESTION, Facts, Usage())
    told = server.asked[0].body["toolConfig"]
    assert told["toolChoice"] == {"tool": {"name": told["tools"][0]["toolSpec"]["name"]}}
