"""Requests of each method of the client: the routes and the field names of the wire contract."""

import inspect
import json
import pkgutil
import re
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import strata
from strata.client import AsyncClient, Client, StrataClientError, calls
from strata.client.call import Call
from strata.client.calls import (
    agents,
    conclusions,
    episodes,
    events,
    ledger,
    maintenance,
    mcp,
    observations,
    privacy,
    profiles,
    questions,
    sessions,
    transfer,
    working_memory,
)
from strata.client.calls import context as context_calls
from strata.client.calls import entities as entity_calls
from strata.client.calls import health as health_calls
from strata.client.calls import search as search_calls
from strata.domain.wire.contexts import CONTEXT_QUERY_RUNES

OPENAPI = Path(strata.__file__).with_name("openapi.json")
NOT_OF_A_CLIENT = {
    "/openapi.json",
    "/mcp",
    "/api/health",
    "/health/{service}",
    "/metrics",
    "/prompts",
    "/observations/passive",
    "/projects/migrate",
    "/project/current",
    "/api/memory/sources",
    "/api/memory/import",
    "/api/devices/{deviceId}/link",
}

SIGHT: dict[str, Any] = {"agent_id": "a", "project": "p"}
OF_ANN = {"userId": "ann"}
SEEN = OF_ANN | SIGHT
ENTITY = "/api/entities/e"
ALL_LAYERS = "facts,profile,conclusions,episodes,observations,sessions"


class Sent(NamedTuple):
    """A call, and the request that it is."""

    call: Call[Any]
    method: str
    path: str
    params: Any = MappingProxyType({})
    body: Any = None


MESSAGE = {"role": "user", "content": "hello"}
EXPORT = {"exported_at": "2026-01-02T03:04:05Z", "sessions": [], "observations": []}

SENT = {
    "create_session": Sent(
        sessions.create_session("s", "web", agent_id="a", user_id="ann", auto_summarize=False, persist=False),
        "POST",
        "/sessions",
        body={
            "id": "s",
            "project": "web",
            "agent_id": "a",
            "user_id": "ann",
            "autoSummarize": False,
            "persist": False,
        },
    ),
    "end_session": Sent(
        sessions.end_session("s", iter([MESSAGE]), agent_id="a", user_id="ann"),
        "POST",
        "/sessions/s/end",
        body={"messages": [MESSAGE], "agent_id": "a", "user_id": "ann"},
    ),
    "read_session": Sent(sessions.read_session("s/1"), "GET", "/sessions/s/1"),
    "recent_sessions": Sent(
        sessions.recent_sessions("web", limit=3), "GET", "/sessions/recent", {"project": "web", "limit": "3"}
    ),
    "save": Sent(
        observations.save(
            "c",
            project="web",
            session_id="s",
            title="t",
            type="note",
            tags=("x",),
            scope="global",
            topic_key="k",
            user_id="ann",
        ),
        "POST",
        "/observations",
        body={
            "content": "c",
            "project": "web",
            "session_id": "s",
            "title": "t",
            "type": "note",
            "tags": ["x"],
            "scope": "global",
            "topic_key": "k",
            "user_id": "ann",
        },
    ),
    "recent": Sent(
        observations.recent("web", type="note", scope="global", limit=3, agent_id="coder"),
        "GET",
        "/observations/recent",
        {"project": "web", "type": "note", "scope": "global", "limit": "3", "agent_id": "coder"},
    ),
    "get": Sent(observations.get(7), "GET", "/observations/7"),
    "change": Sent(
        observations.change(7, type="note", title="t", content="c", tags=[]),
        "PATCH",
        "/observations/7",
        body={"type": "note", "title": "t", "content": "c", "tags": []},
    ),
    "delete": Sent(observations.delete(7, hard=True), "DELETE", "/observations/7", {"hard": "true"}),
    "search": Sent(
        search_calls.search(
            "q",
            project="web",
            type="note",
            scope="global",
            limit=3,
            mode="bm25",
            min_score=0.5,
            user_id="ann",
            tags_any=["a", "b,c"],
            tags_all=None,
            created_after="7d",
            updated_before=datetime(2026, 11, 1, tzinfo=UTC),
            metadata={"env": "prod", "path": {"prefix": "src/"}},
        ),
        "GET",
        "/search",
        {
            "q": "q",
            "project": "web",
            "type": "note",
            "scope": "global",
            "limit": "3",
            "mode": "bm25",
            "min_score": "0.5",
            "user_id": "ann",
            "tags_any": '["a", "b,c"]',
            "created_after": "7d",
            "updated_before": "2026-11-01T00:00:00+00:00",
            "metadata": '{"env": "prod", "path": {"prefix": "src/"}}',
        },
    ),
    "timeline": Sent(
        search_calls.timeline(7, before=1, after=2),
        "GET",
        "/timeline",
        {"observation_id": "7", "before": "1", "after": "2"},
    ),
    "context": Sent(
        context_calls.context("web", query="q", scope="global", limit=3, min_relevance=0.5),
        "GET",
        "/context",
        {
            "project": "web",
            "query": "q",
            "scope": "global",
            "limit": "3",
            "min_relevance": "0.5",
            "fill": "none",
        },
    ),
    "context_text": Sent(
        context_calls.context_text(
            "web", conversation_id="c", token_budget=100, layers=["facts"], turn_id="t1"
        ),
        "GET",
        "/context",
        {
            "project": "web",
            "conversation_id": "c",
            "token_budget": "100",
            "layers": "facts",
            "turn_id": "t1",
            "format": "text",
        },
    ),
    "assemble_context": Sent(
        context_calls.assemble_context(
            "web",
            query="q",
            scope="global",
            limit=3,
            agent_id="a",
            user_id="ann",
            conversation_id="c",
            token_budget=100,
            turn_id="t1",
        ),
        "GET",
        "/context",
        {
            "project": "web",
            "query": "q",
            "scope": "global",
            "limit": "3",
            "agent_id": "a",
            "user_id": "ann",
            "conversation_id": "c",
            "token_budget": "100",
            "layers": ALL_LAYERS,
            "turn_id": "t1",
        },
    ),
    "call_tool": Sent(
        mcp.call_tool("mem_save", {"title": "t"}, project="web", session_id="s", user_id="ann"),
        "POST",
        "/mcp",
        {"project": "web", "session_id": "s", "user_id": "ann"},
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "mem_save", "arguments": {"title": "t"}},
        },
    ),
    "stats": Sent(health_calls.stats("web"), "GET", "/stats", {"project": "web"}),
    "export": Sent(transfer.export("web", cursor="n"), "GET", "/export", {"project": "web", "cursor": "n"}),
    "export_lines": Sent(
        transfer.export_lines(["facts", "consents"], user_id="ann", cursor="n"),
        "GET",
        "/export",
        {"format": "jsonl", "kinds": "facts,consents", "user_id": "ann", "cursor": "n"},
    ),
    "import_": Sent(transfer.import_(EXPORT), "POST", "/import", body=EXPORT),
    "health": Sent(health_calls.health(), "GET", "/health"),
    "maintain": Sent(maintenance.maintain(), "POST", "/api/memory/maintain"),
    "maintenance_history": Sent(
        maintenance.maintenance_history(3), "GET", "/api/memory/maintain/history", {"limit": "3"}
    ),
    "maintenance_report": Sent(maintenance.maintenance_report(7), "GET", "/api/memory/maintain/history/7"),
    "get_working_memory": Sent(working_memory.get_working_memory("c"), "GET", "/working-memory/c"),
    "put_working_memory": Sent(
        working_memory.put_working_memory("c", {"plan": [1.0]}, ttl_seconds=60, user_id="ann"),
        "PUT",
        "/working-memory/c",
        {"user_id": "ann"},
        {"plan": [1.0], "ttl_seconds": 60},
    ),
    "delete_working_memory": Sent(
        working_memory.delete_working_memory("c", ["a,b", "c"]),
        "DELETE",
        "/working-memory/c",
        {"fields": ["a,b", "c"]},
    ),
    "get_scratchpad": Sent(working_memory.get_scratchpad("c"), "GET", "/working-memory/c"),
    "set_scratchpad": Sent(
        working_memory.set_scratchpad("c", None), "PUT", "/working-memory/c", body={"scratchpad": None}
    ),
    "get_entities": Sent(working_memory.get_entities("c"), "GET", "/working-memory/c"),
    "set_entities": Sent(
        working_memory.set_entities("c", ({"type": "Well"},)),
        "PUT",
        "/working-memory/c",
        body={"entities": [{"type": "Well"}]},
    ),
    "get_ledger": Sent(ledger.get_ledger("c"), "GET", "/ledger/c"),
    "check_ledger": Sent(
        ledger.check_ledger("c", "facts:1"), "POST", "/ledger/c/check", body={"item": "facts:1"}
    ),
    "mark_ledger": Sent(
        ledger.mark_ledger("c", "facts:1", "shown", user_id="ann"),
        "POST",
        "/ledger/c/mark",
        body={"item": "facts:1", "value": "shown", "user_id": "ann"},
    ),
    "evict_ledger": Sent(
        ledger.evict_ledger("c", "facts:1", user_id="ann"),
        "POST",
        "/ledger/c/evict",
        body={"item": "facts:1", "user_id": "ann"},
    ),
    "store_episode": Sent(
        episodes.store_episode(
            "we shipped",
            conversation_id="c",
            agent_id="a",
            user_id="ann",
            key_decisions=["ship"],
            entities=[{"name": "web"}],
            tools_used=["git"],
            importance=0.5,
            keywords=["ship"],
            topic="release",
            type="task",
            ttl_days=3,
        ),
        "POST",
        "/episodic/store",
        body={
            "conversation_id": "c",
            "agent_id": "a",
            "user_id": "ann",
            "summary": "we shipped",
            "key_decisions": ["ship"],
            "entities": [{"name": "web"}],
            "tools_used": ["git"],
            "importance": 0.5,
            "keywords": ["ship"],
            "topic": "release",
            "type": "task",
            "ttl_days": 3,
        },
    ),
    "similar_episodes": Sent(
        episodes.similar_episodes("q", agent_id="a", user_id="ann", top_k=3),
        "POST",
        "/episodic/search",
        body={"query": "q", "agent_id": "a", "user_id": "ann", "top_k": 3},
    ),
    "conversation_episodes": Sent(episodes.conversation_episodes("c"), "GET", "/episodic/c"),
    "recent_episodes": Sent(
        episodes.recent_episodes("ann", limit=3),
        "GET",
        "/api/memory/episodes",
        {"userId": "ann", "limit": "3"},
    ),
    "search_episodes": Sent(
        episodes.search_episodes("q", user_id="ann", limit=3, mode="vector", min_relevance=0),
        "GET",
        "/api/memory/search",
        {"q": "q", "userId": "ann", "limit": "3", "mode": "vector", "min_relevance": "0"},
    ),
    "entities": Sent(
        entity_calls.entities("ann", **SIGHT, q="q", type="person", deleted=True, limit=3, cursor="c"),
        "GET",
        "/api/entities",
        SEEN | {"q": "q", "type": "person", "deleted": "true", "limit": "3", "cursor": "c"},
    ),
    "merge_proposals": Sent(
        entity_calls.merge_proposals("ann", **SIGHT), "GET", "/api/entities/merge-proposals", SEEN
    ),
    "entity_stats": Sent(entity_calls.entity_stats("ann", **SIGHT), "GET", "/api/entities/stats", SEEN),
    "get_entity": Sent(entity_calls.get_entity("e", "ann", **SIGHT), "GET", ENTITY, SEEN),
    "put_entity": Sent(
        entity_calls.put_entity("e", {"name": None}, "ann"),
        "PUT",
        ENTITY,
        OF_ANN,
        body={"name": None},
    ),
    "delete_entity": Sent(entity_calls.delete_entity("e", "ann"), "DELETE", ENTITY, OF_ANN),
    "restore_entity": Sent(entity_calls.restore_entity("e", "ann"), "POST", f"{ENTITY}/restore", OF_ANN),
    "merge_entities": Sent(
        entity_calls.merge_entities("e", "s", "ann"),
        "POST",
        f"{ENTITY}/merge",
        OF_ANN,
        body={"sourceId": "s"},
    ),
    "undo_merge": Sent(
        entity_calls.undo_merge("e", "s", "ann"),
        "POST",
        f"{ENTITY}/merge/undo",
        OF_ANN,
        body={"sourceId": "s"},
    ),
    "entity_episodes": Sent(
        entity_calls.entity_episodes("e", "ann", **SIGHT, limit=3),
        "GET",
        f"{ENTITY}/episodes",
        SEEN | {"limit": "3"},
    ),
    "entity_conclusions": Sent(
        entity_calls.entity_conclusions("e", "ann", **SIGHT),
        "GET",
        f"{ENTITY}/conclusions",
        SEEN,
    ),
    "entity_relationships": Sent(
        entity_calls.entity_relationships("e", "ann", **SIGHT),
        "GET",
        f"{ENTITY}/relationships",
        SEEN,
    ),
    "entity_graph": Sent(
        entity_calls.entity_graph("e", "ann", **SIGHT, depth=1, limit=3),
        "GET",
        f"{ENTITY}/graph",
        SEEN | {"depth": "1", "limit": "3"},
    ),
    "entity_page": Sent(entity_calls.entity_page("e", "ann", **SIGHT), "GET", f"{ENTITY}/page", SEEN),
    "conclusions": Sent(
        conclusions.conclusions("ann", agent_id="a", project="p", type="inferred", min_confidence=0.5),
        "GET",
        "/api/memory/conclusions",
        {"userId": "ann", "agent_id": "a", "project": "p", "type": "inferred", "minConfidence": "0.5"},
    ),
    "delete_conclusion": Sent(
        conclusions.delete_conclusion("c1", user_id="ann"),
        "DELETE",
        "/api/memory/conclusions/c1",
        {"userId": "ann"},
    ),
    "delete_conclusions": Sent(
        conclusions.delete_conclusions("ann"), "DELETE", "/api/memory/conclusions", {"userId": "ann"}
    ),
    "consolidations": Sent(
        conclusions.consolidations("ann", limit=3),
        "GET",
        "/api/memory/consolidations",
        {"userId": "ann", "limit": "3"},
    ),
    "undo_consolidation": Sent(
        conclusions.undo_consolidation("17", user_id="ann"),
        "POST",
        "/api/memory/consolidations/17/undo",
        {"userId": "ann"},
    ),
    "ask": Sent(
        questions.ask("Which tea?", "ann", agent_id="a", project="p"),
        "POST",
        "/api/memory/ask",
        body={"question": "Which tea?", "userId": "ann", "agent_id": "a", "project": "p"},
    ),
    "forget": Sent(
        questions.forget(ids=["facts:f1"], user_id="ann", dry_run=False),
        "POST",
        "/api/memory/forget",
        body={"ids": ["facts:f1"], "userId": "ann", "dry_run": False},
    ),
    "delete_episode": Sent(
        episodes.delete_episode("ep-7", user_id="ann"),
        "DELETE",
        "/api/memory/episodes/ep-7",
        {"userId": "ann"},
    ),
    "ingest": Sent(
        episodes.ingest("s", "it works", tool_calls=2, steps=[1, 2], user_id="ann"),
        "POST",
        "/api/memory/ingest",
        body={"session_id": "s", "response": "it works", "tool_calls": 2, "steps": [1, 2], "user_id": "ann"},
    ),
    "create_event_session": Sent(
        events.create_event_session("s", app_name="app", user_id="ann"),
        "POST",
        "/memory/sessions",
        body={"session_id": "s", "app_name": "app", "user_id": "ann"},
    ),
    "event_sessions": Sent(events.event_sessions("ann"), "GET", "/memory/sessions", {"user_id": "ann"}),
    "get_event_session": Sent(events.get_event_session("s"), "GET", "/memory/sessions/s"),
    "delete_event_session": Sent(events.delete_event_session("s"), "DELETE", "/memory/sessions/s"),
    "add_event": Sent(
        events.add_event(
            "s",
            "user_message",
            None,
            metadata={"k": 1},
            event_id="e1",
            timestamp="2026-01-02T03:04:05Z",
            user_id="ann",
        ),
        "POST",
        "/memory/sessions/s/events",
        body={
            "event_type": "user_message",
            "content": None,
            "metadata": {"k": 1},
            "event_id": "e1",
            "timestamp": "2026-01-02T03:04:05Z",
            "user_id": "ann",
        },
    ),
    "add_events": Sent(
        events.add_events("s", iter([{"event_type": "error", "content": "no", "event_id": "e1"}])),
        "POST",
        "/memory/sessions/s/events",
        body=[{"event_type": "error", "content": "no", "event_id": "e1"}],
    ),
    "session_events": Sent(
        events.session_events("s", event_types=["error", "tool_call"], limit=3),
        "GET",
        "/memory/sessions/s/events",
        {"event_types": "error,tool_call", "limit": "3"},
    ),
    "recent_events": Sent(
        events.recent_events("s", limit=3), "GET", "/memory/events", {"session_id": "s", "limit": "3"}
    ),
    "conversation_text": Sent(
        events.conversation_text("s", max_events=3), "GET", "/memory/sessions/s/context", {"max_events": "3"}
    ),
    "get_agent_config": Sent(agents.get_agent_config("a"), "GET", "/api/agents-config/a"),
    "put_agent_config": Sent(
        agents.put_agent_config("a", memory_enabled=True, fact_retention_days=None),
        "PUT",
        "/api/agents-config/a",
        body={"memory_enabled": True, "fact_retention_days": None},
    ),
    "facts": Sent(agents.facts("a", "ann", limit=3), "GET", "/api/agents/a/users/ann/facts", {"limit": "3"}),
    "delete_fact": Sent(
        agents.delete_fact("a", "ann", "fact-1"), "DELETE", "/api/agents/a/users/ann/facts/fact-1"
    ),
    "get_consent": Sent(privacy.get_consent("ann"), "GET", "/api/rgpd/users/ann/consent"),
    "put_consent": Sent(
        privacy.put_consent("ann", False, erase=True),
        "PUT",
        "/api/rgpd/users/ann/consent",
        body={"ai_consent": False, "erase": True},
    ),
    "personal_data": Sent(
        privacy.personal_data("ann b", cursor="c"),
        "GET",
        "/api/rgpd/users/ann b/ai-data",
        params={"cursor": "c"},
    ),
    "erase_personal_data": Sent(
        privacy.erase_personal_data("ann b", external_type="web"),
        "DELETE",
        "/api/rgpd/users/ann b/ai-data",
        params={"external_type": "web"},
    ),
    "put_session_consent": Sent(
        privacy.put_session_consent("s 1", False),
        "POST",
        "/api/rgpd/sessions/s 1/consent",
        body={"consent": False},
    ),
    "audit_log": Sent(
        privacy.audit_log("ann", limit=3),
        "GET",
        "/api/rgpd/audit-log",
        params={"external_ref": "ann", "limit": "3"},
    ),
    "accept_dpa": Sent(privacy.accept_dpa("acme"), "POST", "/api/auth/tenants/acme/dpa-accept"),
    "dpa_status": Sent(privacy.dpa_status("acme"), "GET", "/api/auth/tenants/acme/dpa-status"),
    "erasure": Sent(privacy.erasure("e1"), "GET", "/api/rgpd/erasures/e1"),
    "get_profile": Sent(
        profiles.get_profile("ann", agent_id="a", project="web"),
        "GET",
        "/api/memory/profile",
        {"userId": "ann", "agent_id": "a", "project": "web"},
    ),
    "put_profile": Sent(
        profiles.put_profile("ann", name="Ann", communicationStyle=None, agent_id="a"),
        "PUT",
        "/api/memory/profile",
        body={"userId": "ann", "name": "Ann", "communicationStyle": None, "agent_id": "a"},
    ),
    "profile_history": Sent(
        profiles.profile_history("ann", agent_id="a", project="web", limit=3),
        "GET",
        "/api/memory/profile/history",
        {"userId": "ann", "agent_id": "a", "project": "web", "limit": "3"},
    ),
    "get_preferences": Sent(profiles.get_preferences("ann b"), "GET", "/api/users/ann b/preferences"),
    "put_preferences": Sent(
        profiles.put_preferences("ann", theme="dark", privacySettings={"storeAudio": False}),
        "PUT",
        "/api/users/ann/preferences",
        body={"preferences": {"theme": "dark", "privacySettings": {"storeAudio": False}}},
    ),
    "get_device": Sent(profiles.get_device("d 1"), "GET", "/api/devices/d 1"),
    "put_device": Sent(
        profiles.put_device("d 1", "ann", adopt=True),
        "PUT",
        "/api/devices/d 1",
        {"adopt": "true"},
        {"userId": "ann"},
    ),
    "delete_device": Sent(profiles.delete_device("d 1"), "DELETE", "/api/devices/d 1"),
    "event_stats": Sent(events.event_stats(), "GET", "/memory/stats"),
    "clean_up_events": Sent(
        events.clean_up_events(1.5), "POST", "/memory/cleanup", body={"max_age_hours": 1.5}
    ),
}

MODULES = [import_module(each.name) for each in pkgutil.iter_modules(calls.__path__, "strata.client.calls.")]
CALLS = {
    name: made
    for module in MODULES
    for name, made in vars(module).items()
    if inspect.isfunction(made) and made.__annotations__.get("return", "").startswith("Call[")
}
NAMES = sorted(CALLS)


@pytest.mark.parametrize("name", NAMES)
def test_a_call_is_the_request_that_the_contract_names(name):
    sent = SENT[name]
    requests: list[httpx.Request] = []

    def refuse(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return httpx.Response(404, json={"error": "no", "code": "not_found"})

    with (
        Client("http://strata.test", transport=httpx.MockTransport(refuse)) as client,
        pytest.raises(StrataClientError),
    ):
        client.send(sent.call)
    [request] = requests
    params = request.url.params
    assert (request.method, request.url.path) == (sent.method, sent.path)
    assert {key: _one(params.get_list(key)) for key in params} == sent.params
    assert (json.loads(request.content) if request.content else None) == sent.body
    assert request.headers["accept"] == sent.call.decoder.media_type


def _one(values: list[str]) -> Any:
    return values[0] if len(values) == 1 else values


def test_there_is_a_call_for_every_route_that_is_served():
    shapes = {(each.method, re.compile(f"{each.path}$")) for each in SENT.values()}
    described = json.loads(OPENAPI.read_text())["paths"]
    for path, methods in described.items():
        if path in NOT_OF_A_CLIENT:
            continue
        for method in methods:
            example = re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(path)) + "$")
            assert any(each == method.upper() and example.match(it.pattern[:-1]) for each, it in shapes), path


@pytest.mark.parametrize("name", NAMES)
def test_both_clients_have_the_method_of_a_call_with_its_arguments(name):
    expected = [each.name for each in inspect.signature(CALLS[name]).parameters.values()]
    if name == "export":
        expected.remove("cursor")  # the clients follow it themselves
    for kind in (Client, AsyncClient):
        method = getattr(kind, name)
        assert [*inspect.signature(method).parameters][1:] == expected
        assert inspect.getdoc(method)
    assert inspect.iscoroutinefunction(getattr(AsyncClient, name)) != (name == "export")


def test_a_method_says_what_it_gives_and_not_how():
    assert inspect.signature(Client.search).return_annotation == "list[observations.SearchHit]"
    assert inspect.signature(AsyncClient.mark_ledger).return_annotation == "bool"


def test_a_subclass_may_replace_a_method_and_use_the_one_it_replaces():
    class Careful(Client):
        def check_ledger(self, conversation_id, item):
            return super().check_ledger(conversation_id, item) or "not yet"

    answer = httpx.MockTransport(lambda request: httpx.Response(200, json={"item": "x", "injected": False}))
    client = Careful("http://strata.test", transport=answer)
    assert [client.check_ledger("c", "x") for _ in range(2)] == ["not yet", "not yet"]


# --- repeats --------------------------------------------------------------------------------------


def test_an_event_without_an_id_gets_one_of_its_own():
    first, second = (events.add_event("s", "error", "no").body["event_id"] for _ in range(2))
    assert first != second
    assert re.fullmatch(r"event_[0-9a-f]{12}", first)
    batch = events.add_events("s", [{"event_type": "error", "content": "no"}] * 2).body
    assert len({event["event_id"] for event in batch}) == 2


def test_a_session_for_events_without_an_id_gets_one_of_its_own():
    first, second = (events.create_event_session().body["session_id"] for _ in range(2))
    assert first != second
    assert re.fullmatch(r"session_[0-9a-f]{12}", first)


def test_a_context_for_a_conversation_gets_a_turn_of_its_own():
    for call in (context_calls.assemble_context, context_calls.context_text):
        first, second = (call(conversation_id="c").params["turn_id"] for _ in range(2))
        assert first != second
        assert "turn_id" not in call("web").params


@pytest.mark.parametrize(
    "call", [context_calls.context, context_calls.assemble_context, context_calls.context_text]
)
def test_of_a_long_question_a_context_is_sent_the_part_that_counts(call):
    assert call(query="ab" * 100_000).params["query"] == "ab" * (CONTEXT_QUERY_RUNES // 2)
    assert call(query="ab").params["query"] == "ab"


def test_what_would_be_done_twice_is_not_repeated():
    assert {name for name, sent in SENT.items() if not sent.call.idempotent} == {
        "save",
        "store_episode",
        "ingest",
        "mark_ledger",
        "call_tool",
        "maintain",
    }
    assert mcp.call_tool("mem_search").idempotent


# --- bodies and answers ---------------------------------------------------------------------------


def test_no_names_of_fields_is_not_taken_for_all_of_them():
    with pytest.raises(StrataClientError, match="name the fields"):
        working_memory.delete_working_memory("c", [])
    assert working_memory.delete_working_memory("c").params == {}


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), {1, 2}, object()], ids=["nan", "infinity", "set", "object"]
)
def test_what_is_not_json_is_refused_before_it_is_sent(value):
    with Client("http://strata.test", transport=httpx.MockTransport(_unexpected)) as client:
        with pytest.raises(StrataClientError, match="can't be JSON") as raised:
            client.set_scratchpad("c", value)
        assert (raised.value.status, raised.value.code) == (None, "invalid_request")


def _unexpected(request: httpx.Request) -> httpx.Response:
    raise AssertionError(f"{request.method} {request.url} was sent")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def _echo(request: httpx.Request) -> httpx.Response:
    return httpx.Response(200, content=request.content)


ECHOING = Client("http://strata.test", transport=httpx.MockTransport(_echo))


@given(st.text(), json_values)
def test_any_json_comes_back_from_working_memory_as_it_was_put(name, value):
    values = {name: value}
    again = ECHOING.put_working_memory("c", values)
    assert json.dumps(again) == json.dumps(values)  # 1 and 1.0 are told apart, and the order stays


@given(json_values)
def test_any_json_comes_back_as_the_content_of_an_event(content):
    event = {"event_id": "e", "timestamp": "t", "event_type": "error", "content": content, "metadata": {}}
    answer = json.dumps({"agent": "strata", "events": [event], "total": 1})
    page = events.recent_events().decoder.read(answer)
    assert json.dumps(page.events[0].content) == json.dumps(content)


@pytest.mark.parametrize(
    ("call", "text", "value"),
    [
        (working_memory.get_scratchpad("c"), "{}", None),
        (working_memory.get_scratchpad("c"), '{"scratchpad": 1.0, "x": 2}', 1.0),
        (working_memory.get_entities("c"), "{}", []),
        (working_memory.delete_working_memory("c"), '{"deleted": 3}', 3),
        (ledger.mark_ledger("c", "i"), '{"item": "i", "marked": true}', True),
        (ledger.check_ledger("c", "i"), '{"item": "i", "injected": false}', False),
        (ledger.evict_ledger("c", "i"), '{"item": "i", "evicted": true}', True),
        (ledger.get_ledger("c"), '{"i": "injected"}', {"i": "injected"}),
        (episodes.store_episode("s", conversation_id="c", agent_id="a"), '{"id": "ep-1"}', "ep-1"),
        (episodes.delete_episode("ep-1"), '{"deleted": true, "episodeId": "ep-1"}', True),
        (events.create_event_session(), '{"session_id": "s"}', "s"),
        (events.delete_event_session("s"), '{"deleted": false}', False),
        (events.add_event("s", "error", "no"), '{"event_id": "e"}', "e"),
        (events.add_events("s", []), '{"event_id": "f", "event_ids": ["e", "f"]}', ["e", "f"]),
        (events.conversation_text("s"), '{"context": "User: hi"}', "User: hi"),
        (events.clean_up_events(), '{"cleaned": 2}', 2),
    ],
)
def test_an_answer_of_one_thing_is_that_thing(call, text, value):
    assert call.decoder.read(text) == value


@pytest.mark.parametrize("call", [sent.call for sent in SENT.values()], ids=list(SENT))
@pytest.mark.parametrize("text", ["<html>", "7", '["?"]'])
def test_an_answer_of_another_kind_is_not_taken(call, text):
    if call.decoder.media_type.startswith("text/"):
        return
    with pytest.raises(ValueError):  # noqa: PT011 - what reads says it in its own words
        call.decoder.read(text)


# --- long transcripts -----------------------------------------------------------------------------

MEGABYTE = 1024 * 1024


def ended_with(messages: list[Any]) -> list[Any]:
    sent = sessions.end_session("s1", messages).content()
    assert sent is not None
    assert len(sent) <= MEGABYTE
    return json.loads(sent)["messages"]


def test_a_transcript_that_fits_goes_as_it_is():
    messages = [{"role": "user", "content": [{"type": "text", "text": "é" * 400_000}], "name": "ann"}]
    assert ended_with(messages) == messages


@pytest.mark.parametrize("letter", ["x", "é", "\n"])
def test_a_transcript_that_does_not_fit_keeps_every_message_with_its_beginning(letter):
    messages = [{"role": "user", "content": "Please tidy up"}]
    messages += [{"role": "tool", "content": letter * 60_000}] * 60
    messages += [{"role": "user", "content": "Thank you"}]
    sent = ended_with(messages)
    assert sent[0] == messages[0]
    assert sent[-1] == messages[-1]
    assert [message["role"] for message in sent] == [message["role"] for message in messages]
    assert all(each["content"].startswith(letter * 200) for each in sent[1:-1])


def test_as_many_messages_as_a_transcript_may_have_fit_with_what_a_summary_quotes():
    messages = [{"role": role, "content": "x" * 200} for role in ("user", "assistant")] * 4_999
    messages = [{"role": "user", "content": "a" * 900}, *messages, {"role": "user", "content": "z" * 900}]
    sent = ended_with(messages)
    assert [message["role"] for message in sent] == [message["role"] for message in messages]
    assert [sent[0], sent[-1]] == [messages[0], messages[-1]]


def test_half_a_surrogate_pair_does_not_cost_a_transcript():
    parts = [{"type": "text", "text": "cut \ud83d"}]
    messages = [{"role": "tool", "content": "cut \ud83d"}, {"role": "user", "content": parts}]
    replaced = [{"type": "text", "text": "cut \ufffd"}]
    assert ended_with(messages) == [
        {"role": "tool", "content": "cut \ufffd"},
        {"role": "user", "content": replaced},
    ]
    assert ended_with([{"role": "user", "content": "é" * 450_000 + "\ud83d"}])[0]["content"][-1] == "\ufffd"


def test_what_is_no_text_leaves_a_transcript_that_does_not_fit():
    picture = {"type": "image_url", "image_url": {"url": "data:" + "A" * 2 * MEGABYTE}}
    messages = [{"role": "user", "content": [{"type": "text", "text": "What is this?"}, picture]}]
    assert ended_with(messages) == [{"role": "user", "content": "What is this?"}]


@pytest.mark.parametrize("odd", [{"content": "no role"}, "no message", None])
def test_what_is_no_transcript_is_left_to_the_server_to_refuse(odd):
    long = {"role": "user", "content": "x" * 2 * MEGABYTE}
    assert json.loads(sessions.end_session("s1", [long, odd]).content())["messages"] == [long, odd]
