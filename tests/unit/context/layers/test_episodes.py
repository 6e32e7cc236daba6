"""The layer of episodes: what it gives is relevant by itself, not by words that it does not give."""

from itertools import product

import pytest

from support.api import client
from support.clocks import HandClock
from support.memory import Memory, application

CELLS = {
    cell: f"street {number}" for number, cell in enumerate(product(("ann", "bob"), ("shop", "lab")), 101)
}
"""Each person with each project, and a place."""


@pytest.fixture(params=[False, True], ids=["not indexed yet", "indexed"])
def api(request, tmp_path):
    """Sessions of which a decision is the line; further words of the person's are its episode's keywords."""
    app = application(tmp_path, HandClock())
    memory = Memory(app)
    for (user, project), place in CELLS.items():
        memory.start(user + project, project, user_id=user)
        said = f"We decided that the boat goes to {place}.", "My sister collects zeppelins.", "Thanks."
        memory.end(user + project, *(words for each in said for words in (each, "ok")))
    if request.param:
        memory.follow()
    with client(app) as api:
        yield api
    app.close()


def episodes(api, user, project, query, **asked):
    params = {"user_id": user, "project": project, "query": query, "layers": "episodes"} | asked
    return api.get("/context", params=params).json()["items"]


def test_a_derived_episode_is_relevant_by_what_it_says_and_not_by_its_keywords(api):
    for (user, project), place in CELLS.items():
        (given,) = episodes(api, user, project, "where does the boat go?")
        assert given["content"] == f"We decided that the boat goes to {place}."
        assert given["relevance"] > 0.5
        for query in ("who collects zeppelins?", "zeppelins", "what does my sister collect?"):
            assert episodes(api, user, project, query) == []


def test_keywords_of_a_derived_episode_find_it(api):
    for user, project in CELLS:
        found = api.get(
            "/api/memory/search", params={"userId": user, "q": "zeppelins", "mode": "bm25"}
        ).json()
        assert {each["conversation_id"] for each in found["results"]} == {f"{user}shop", f"{user}lab"}
        assert all("zeppelins" in " ".join(each["keywords"]) for each in found["results"])
        (nearest,) = episodes(api, user, project, "zeppelins", min_relevance=0)
        assert nearest["relevance"] < 0.1


def test_words_that_an_agent_gave_an_episode_count_as_its_own(api):
    for user, project in CELLS:
        body = {"conversation_id": f"c{user}{project}", "agent_id": "a1", "user_id": user, "project": project}
        given = {"summary": f"The {project} of {user} floats", "keywords": ["zeppelins"]}
        assert api.post("/episodic/store", json=body | given).status_code == 201
    for user, project in CELLS:
        (found,) = episodes(api, user, project, "zeppelins?", agent_id="a1", min_relevance=0.05)
        assert found["content"] == f"The {project} of {user} floats"
