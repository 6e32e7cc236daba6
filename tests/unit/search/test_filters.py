"""Filters of a search: the same rows by the index, before it, and without it."""

import pytest

from strata.domain.scope import Scope
from strata.ports.rows import Update
from strata.services.records.index import index_marker_key
from strata.services.search.marker import SECONDS
from support.api import ClaimsFromHeader, client
from support.memory import Memory, application, observation

SERVICE = Scope.maintenance()
DAY = 24 * 3600


@pytest.fixture
def memory(tmp_path, clock):
    app = application(tmp_path, clock, AUTH="required")
    yield Memory(app)
    app.close()


@pytest.fixture
def api(memory):
    return client(memory.app, ClaimsFromHeader())


@pytest.fixture
def saved(api, memory, clock):
    """Two tenants, projects, people and agents; each memory named by all of them, one a day."""
    for tenant in ("acme", "beta"):
        for project in ("p1", "p2"):
            for user in ("ann", "bob"):
                for agent in ("coder", "clerk"):
                    name = f"{project} {user} {agent}"
                    body = observation(
                        session_id=f"{tenant}-{project}-{user}",
                        title=name,
                        content=f"The heron of {tenant} {name}",
                        project=project,
                        user_id=user,
                        agent_id=agent,
                        tags=["bird", user, f"{user}, {agent}"],
                    )
                    clock.forward(DAY)
                    answer = api.post("/observations", json=body, headers={"x-tenant": tenant})
                    assert answer.json()["action"] == "created", answer.text
    return api


def found(api, tenant="acme", **filters):
    given = {"q": "heron", "min_relevance": 0, "limit": 100} | filters
    answer = api.get("/search", params=given, headers={"x-tenant": tenant})
    assert answer.status_code == 200, answer.text
    return answer.headers.get("Strata-Degraded"), sorted(hit["title"] for hit in answer.json())


def every(*parts):
    """The titles that hold these words."""
    names = [f"{p} {u} {a}" for p in ("p1", "p2") for u in ("ann", "bob") for a in ("clerk", "coder")]
    return sorted(name for name in names if set(parts) <= set(name.split()))


@pytest.mark.parametrize("is_indexed", [False, True])
@pytest.mark.parametrize("mode", ["bm25", "vector", "hybrid"])
def test_a_search_is_filtered_by_user_agent_session_tags_and_times(saved, memory, clock, is_indexed, mode):
    if is_indexed:
        memory.follow()
    for filters, expected in (
        ({}, every()),
        ({"user_id": "ann"}, every("ann")),
        ({"agent_id": "coder"}, every("coder")),
        ({"agent_id": "coder", "user_id": "bob", "project": "p2"}, every("coder", "bob", "p2")),
        ({"session_id": "acme-p1-ann"}, every("p1", "ann")),
        ({"session_id": "beta-p1-ann"}, []),
        ({"tags_any": "ann,bob", "project": "p1"}, every("p1")),
        ({"tags_all": "ann,bird"}, every("ann")),
        ({"tags_all": "ann,bob"}, []),
        ({"tags_any": '["ann, clerk"]'}, every("ann", "clerk")),
        ({"created_after": "9d"}, ["p2 bob clerk"]),  # beta's eight came after acme's
        ({"created_before": "8d", "updated_after": "10d", "project": "p2"}, ["p2 bob clerk", "p2 bob coder"]),
        ({"updated_before": "2026-01-03T12:00:00Z"}, ["p1 ann clerk", "p1 ann coder"]),
    ):
        assert found(saved, mode=mode, **filters) == (None, expected), filters


def test_an_observation_is_its_session_s_agent_s_unless_it_names_one(api, memory):
    api.post(
        "/sessions", json={"id": "s1", "project": "demo", "agent_id": "coder"}, headers={"x-tenant": "acme"}
    )
    for agent in ({}, {"agent_id": "clerk"}):
        body = observation(title=str(agent), content=f"The heron {agent}", **agent)
        saved = api.post("/observations", json=body, headers={"x-tenant": "acme"}).json()
        shown = api.get(f"/observations/{saved['id']}", headers={"x-tenant": "acme"}).json()
        assert shown["agent_id"] == agent.get("agent_id", "coder")
    assert found(api, agent_id="coder") == (None, ["{}"])


def test_a_bad_filter_is_refused_by_name_and_nothing_is_searched(saved):
    given = {"q": "heron", "created_after": "soon", "tags_any": "x" * 101, "user_id": "x" * 201}
    answer = saved.get("/search", params=given, headers={"x-tenant": "acme"})
    assert answer.status_code == 400
    assert {each["field"] for each in answer.json()["details"]} == {"created_after", "tags_any", "user_id"}


def test_an_index_of_an_earlier_version_is_not_asked_for_what_it_lacks_until_it_is_rebuilt(
    saved, memory, clock
):
    memory.follow()
    with memory.app.stores.database.writing() as connection:
        connection.execute("DELETE FROM narrowings")
    marker = index_marker_key("sqlite")
    memory.app.stores.table.update(SERVICE, Update(marker, remove=("shape", "next_shape")))
    clock.forward(SECONDS + 1)

    assert found(saved, agent_id="coder", project="p1") == ("index", every("coder", "p1"))
    assert found(saved, created_after="9d") == ("index", ["p2 bob clerk"])
    assert found(saved, project="p1", user_id="ann") == (None, every("p1", "ann"))

    memory.app.repair.reindexer.reindex()
    assert found(saved, agent_id="coder", project="p1") == (None, every("coder", "p1"))
