"""The border between projects: no layer, route or tool gives a memory of another project unasked."""

import itertools
import random

import pytest

from strata.domain.wire.episodes import NewEpisode
from strata.ports.rows import Update
from strata.services.records.episodes import episode_key, episode_number
from support.api import client
from support.clocks import HandClock
from support.memory import LOCAL, Memory, application

PROJECTS = ("cookbook", "secret-client")
WORDS = {"cookbook": "saffron", "secret-client": "initech"}
"""A word that stands in every memory of its project and in no other."""
PEOPLE, AGENTS = (None, "ann", "bob"), ("cook", "clerk")
QUERIES = ("", "what is the price?", "saffron or initech", "the acquisition price of initech")


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    folder = tmp_path_factory.mktemp("border")
    memory = Memory(application(folder, HandClock()))
    for project, person, agent in itertools.product(PROJECTS, PEOPLE, AGENTS):
        word, session = WORDS[project], f"{project}-{person}-{agent}"
        owner = {"user_id": person} if person else {}
        memory.start(session, project, agent_id=agent, **owner)
        memory.save(f"The price of {word} is 41 ({agent})", project=project, session_id=session, **owner)
        memory.end(
            session, *(f"We decided the price of {word} is 41 because of reason {n}" for n in range(8))
        )
    with client(memory.app) as api:
        for project, agent in itertools.product(PROJECTS, AGENTS):
            answer = f"## Price of {WORDS[project]}\n" + "1. Because of the price, therefore 41.\n" * 40
            body = {"session_id": f"{project}-None-{agent}", "response": answer, "tool_calls": 3, "steps": 5}
            assert api.post("/api/memory/ingest", json=body).json()["ingested"], project
        memory.app.episodes.catalog.store(
            LOCAL,
            NewEpisode(conversation_id="elsewhere", agent_id="cook", summary="The price is 7 everywhere"),
        )
        memory.save("All prices are gross", project="cookbook", scope="global", title="Prices")
        yield memory, api
    memory.app.close()


def contexts(seed: int):
    """Parameters of context calls, in every combination that a caller may choose."""
    rng = random.Random(seed)
    for number in range(60):
        params = {"query": rng.choice(QUERIES), "limit": rng.choice([1, 5, 50])}
        for name, value in (
            ("agent_id", rng.choice(AGENTS)),
            ("user_id", rng.choice(PEOPLE)),
            ("token_budget", rng.choice([50, 500, 8000])),
            ("conversation_id", f"talk{seed}-{number}"),
            ("layers", rng.choice(["episodes", "episodes,observations", "sessions,episodes"])),
            ("format", rng.choice(["json", "text"])),
            ("scope", rng.choice(["project", "global"])),
        ):
            if value is not None and rng.random() < 0.5:
                params[name] = value
        yield params


@pytest.mark.parametrize("project", PROJECTS)
def test_a_context_of_a_project_holds_nothing_of_another(filled, project):
    _, api = filled
    (other,) = set(PROJECTS) - {project}
    own = 0
    for params in contexts(len(project)):
        answer = api.get("/context", params=params | {"project": project})
        assert answer.status_code == 200, answer.text
        assert WORDS[other] not in answer.text.lower(), params
        own += WORDS[project] in answer.text.lower()
        for item in answer.json().get("items", []) if "format" not in params else ():
            assert item["project"] in (project, None) or "All prices are gross" in item["content"], item
    assert own > 20


@pytest.mark.parametrize("project", PROJECTS)
def test_a_tool_gives_a_model_nothing_of_another_project(filled, project):
    _, api = filled
    (other,) = set(PROJECTS) - {project}
    own = 0
    for tool, query in itertools.product(("mem_context", "mem_search"), QUERIES[1:]):
        call = {"name": tool, "arguments": {"query": query, "project": project, "limit": 10}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        answer = api.post("/mcp", json=body, headers={"accept": "application/json, text/event-stream"})
        assert answer.status_code == 200, answer.text
        assert WORDS[other] not in answer.text.lower(), call
        own += WORDS[project] in answer.text.lower()
    assert own


@pytest.mark.parametrize("asked", [{}, {"project": "cookbook", "across_projects": "true"}])
def test_over_the_border_goes_only_who_asks_for_it(filled, asked):
    _, api = filled
    items = api.get("/context", params={"layers": "episodes", "limit": 50, "user_id": "ann"} | asked).json()[
        "items"
    ]
    assert {item["project"] for item in items} == set(PROJECTS)


def test_an_episode_of_no_project_is_given_in_any(filled):
    _, api = filled
    for project in (*PROJECTS, "new"):
        params = {
            "project": project,
            "agent_id": "cook",
            "layers": "episodes",
            "query": "price everywhere",
            "limit": 50,
        }
        found = [
            item for item in api.get("/context", params=params).json()["items"] if item["project"] is None
        ]
        assert [item["content"] for item in found] == ["The price is 7 everywhere"]


def test_an_episode_of_the_first_version_waits_for_its_project(tmp_path):
    memory = Memory(application(tmp_path, HandClock()))
    with client(memory.app) as api:
        for project in PROJECTS:
            memory.start(project, project)
            memory.end(project, *(f"We decided on {WORDS[project]} because of reason {n}" for n in range(8)))

        def given(project: str | None = None) -> list[str]:
            params = {"layers": "episodes", "query": "decided"} | ({"project": project} if project else {})
            return [item["id"] for item in api.get("/context", params=params).json()["items"]]

        before = {project: given(project) for project in PROJECTS}
        assert all(len(ids) == 1 for ids in before.values())
        for (identity,) in before.values():
            key = episode_key("default", episode_number(identity))
            memory.app.stores.table.update(LOCAL, Update(key, remove=("project",)))
        assert {project: given(project) for project in PROJECTS} == {project: [] for project in PROJECTS}
        assert len(given()) == 2
        memory.app.repair.reindexer.reindex()
        assert {project: given(project) for project in PROJECTS} == before
    memory.app.close()


def test_a_search_in_a_project_finds_its_own_and_global_observations(filled):
    _, api = filled
    for project in PROJECTS:
        hits = api.get("/search", params={"q": "price", "project": project, "limit": 50}).json()
        own = {hit["content"] for hit in hits} - {"All prices are gross"}
        assert len(own) < len(hits)
        assert own
        assert all(WORDS[project] in content for content in own)
