"""Filters of a search: the same rows by the index, before it, and without it."""

import json

import pytest

from strata.domain.scope import Scope
from strata.ports.rows import Update
from strata.services.records.index import index_marker_key
from strata.services.records.observations import observation_key
from strata.services.search.marker import SECONDS
from support.api import ClaimsFromHeader, client
from support.memory import Memory, application, learn, observation

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
                        metadata={"env": f"{agent}-{user}", "draft": user == "ann", "line": 7},
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
        ({"metadata": '{"env": "coder-ann"}'}, every("coder", "ann")),
        ({"metadata": '{"env": {"prefix": "coder"}, "draft": false, "line": 7}'}, every("coder", "bob")),
        ({"metadata": '{"env": "coder"}'}, []),
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


def test_lists_and_contexts_are_filtered_too(saved, memory):
    def listed(path, **filters):
        answer = saved.get(path, params={"limit": 50} | filters, headers={"x-tenant": "acme"})
        assert answer.status_code == 200, answer.text
        return answer.json()

    for filters, expected in (
        ({"session_id": "acme-p1-ann"}, every("p1", "ann")),
        ({"metadata": '{"env": "clerk-bob"}'}, every("clerk", "bob")),
        ({"tags_any": "ann", "project": "p2"}, every("p2", "ann")),
        ({"created_after": "9d"}, ["p2 bob clerk"]),
        ({"tags_any": "none"}, []),
    ):
        recent = listed("/observations/recent", **filters)
        assert sorted(each["title"] for each in recent) == expected, filters
        for more in ({}, {"query": "heron", "min_relevance": 0}, {"token_budget": 5000, "fill": "recent"}):
            context = listed("/context", **filters, **more)
            assert sorted(each["title"] for each in context["recent_observations"]) == expected, (
                filters,
                more,
            )
    assert [each["title"] for each in listed("/observations/recent", user_id="bob", agent_id="coder")] == [
        "p2 bob coder",
        "p1 bob coder",
    ]


def test_sessions_and_episodes_of_a_context_are_filtered_and_facts_are_left_out(memory, clock):
    acme = Memory(memory.app, Scope("acme"))
    for number in (1, 2):
        acme.start(f"s{number}", "p1")
        acme.end(f"s{number}", f"We decided that heron {number} moves to the pond", "Noted, it moves.")
        clock.forward(DAY)
    api = client(memory.app, ClaimsFromHeader())
    asked = {"project": "p1", "created_after": "36h"}
    assert learn(memory.app, acme.scope, ("place", "Ann lives in Oslo."), owner="default")
    plain = api.get("/context", params=asked, headers={"x-tenant": "acme"}).json()
    assert ["heron 2" in each["summary"] for each in plain["recent_sessions"]] == [True]
    api.put("/api/agents-config/a1", json={"memory_enabled": True}, headers={"x-tenant": "acme"})

    def items(layer, **more):
        params = {"project": "p1", "layers": layer, "fill": "recent", "agent_id": "a1"} | more
        answer = api.get("/context", params=params, headers={"x-tenant": "acme"}).json()
        return [each["content"] for each in answer["items"]]

    for layer in ("sessions", "episodes"):
        assert len(items(layer)) == 2
        assert ["heron 2" in each for each in items(layer, created_after="36h")] == [True], layer
    assert items("facts") == ["Ann lives in Oslo."]
    assert items("facts", created_after="36h") == []


def test_metadata_are_kept_changed_united_by_dedup_and_redacted(memory):
    acme = Memory(memory.app, Scope("acme"))
    first = acme.save("The heron", metadata={"env": "prod", "count": 1.5})
    secret = "ghp_" + "a1B2" * 9
    again = acme.save("the HERON", metadata={"env": "dev", "key": f"is {secret}", "on": True})
    assert (again.id, again.action) == (first.id, "deduplicated")
    known = acme.get(first.id).metadata
    assert (known["env"], known["count"], known["on"]) == ("dev", 1.5, True)
    assert secret not in known["key"]

    assert acme.change(first.id, metadata={"a": "b"}).metadata == {"a": "b"}
    assert acme.change(first.id, title="other").metadata == {"a": "b"}
    assert acme.change(first.id, metadata={}).metadata is None

    topic = acme.save("one", topic_key="k", metadata={"a": "1"})
    assert acme.save("two", topic_key="k", metadata={"b": "2"}).id == topic.id
    assert acme.get(topic.id).metadata == {"b": "2"}


@pytest.mark.parametrize(
    ("metadata", "told"),
    [
        ({f"k{number}": "v" for number in range(21)}, "at most 20 items"),
        ({"k": "v" * 201}, "at most 200 characters"),
        ({"a b": "v"}, "should match pattern"),
        ({"k" * 51: "v"}, "should match pattern"),
        ({"k": ["v"]}, "a number, or true or false"),
        ({"k": 2**53}, "must lie between"),
    ],
)
def test_bad_metadata_are_refused_by_name_and_limit_and_nothing_is_kept(api, metadata, told):
    headers = {"x-tenant": "acme"}
    refused = api.post("/observations", json=observation(metadata=metadata), headers=headers)
    assert refused.status_code == 400
    assert any(
        each["field"].startswith("metadata") and told in each["message"] for each in refused.json()["details"]
    )
    assert api.get("/observations/recent", headers=headers).json() == []


def test_a_search_that_finds_nothing_tells_where_it_would_for_its_caller_only(saved):
    def elsewhere(tenant="acme", **given):
        params = {"q": "heron", "min_relevance": 0, "project": "p3"} | given
        answer = saved.get("/search", params=params, headers={"x-tenant": tenant})
        return json.loads(answer.headers.get("Strata-Elsewhere", "{}")), answer.json()

    assert elsewhere() == ({"p1": 4, "p2": 4}, [])
    assert elsewhere(user_id="ann", agent_id="coder", session_id="acme-p2-ann") == ({"p2": 1}, [])
    assert elsewhere("beta", session_id="acme-p2-ann") == ({}, [])
    assert elsewhere("gamma") == ({}, [])
    found_there, hits = elsewhere(project="p1")
    assert (found_there, len(hits)) == ({}, 4)


def test_a_model_filters_and_is_told_where_it_would_find_something(saved, memory):
    def call(name, **arguments):
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        answer = saved.post(
            "/mcp",
            json=message,
            headers={"x-tenant": "acme", "accept": "application/json, text/event-stream"},
        )
        return answer.json()["result"]["content"][0]["text"]

    asked = {"query": "heron", "project": "p1", "min_relevance": 0}
    for tool in ("mem_search", "mem_context"):
        text = call(
            tool, **asked, user_id="ann", tags_all=["ann, coder"], metadata={"env": {"prefix": "coder"}}
        )
        assert "p1 ann coder" in text
        assert text.count("The heron of") == 1
    assert call("mem_search", **asked | {"project": "p9"}, user_id="bob") == (
        'Nothing close to that is remembered. In other projects there is: "p1" (2), "p2" (2).'
    )
    assert "created_after: should be an ISO 8601 date" in call("mem_search", **asked, created_after="soon")
    assert "nosuch: is not an argument" in call("mem_search", **asked, nosuch=1)


def test_a_model_sees_superseded_memories_when_it_asks_for_them(saved, memory):
    table, acme = memory.app.stores.table, Scope("acme")
    (row,) = saved.get(
        "/observations/recent", params={"project": "p1", "limit": 1}, headers={"x-tenant": "acme"}
    ).json()
    table.update(acme, Update(observation_key("p1", row["id"]), set={"superseded_by": 1}))
    given = {"query": "heron", "project": "p1", "min_relevance": 0, "limit": 50}
    texts = []
    for more in ({}, {"include_superseded": True}):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
        message["params"] = {"name": "mem_search", "arguments": given | more}
        answer = saved.post(
            "/mcp",
            json=message,
            headers={"x-tenant": "acme", "accept": "application/json, text/event-stream"},
        )
        texts.append(answer.json()["result"]["content"][0]["text"])
    assert [text.count("The heron of") for text in texts] == [3, 4]
