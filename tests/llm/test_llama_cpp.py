"""The real server with a real small model, in minutes: `make llm-test`, which is no part of `make test`."""

from collections.abc import Iterator

import pytest

from llm.talks import TALKS, asked, model
from servers.llama_cpp import NAME, llama_cpp


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with llama_cpp() as url:
        yield url


def test_the_server_is_asked_for_objects_with_a_schema_and_its_answers_are_of_that_shape(url, caplog):
    chat = model(url, NAME)
    said = [fact for person in TALKS for fact in asked(chat, person)]
    assert said, "of two people something is noted"
    told = [record.getMessage() for record in caplog.records if "does not take" in record.getMessage()]
    assert [line.split("; ")[1] for line in told] == ["from now on it is sent a JSON object with a schema"]
