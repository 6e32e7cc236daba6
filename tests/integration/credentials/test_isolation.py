"""Two tenants over one store: whatever one of them asks, nothing of the other's is seen, told or touched.

The cases follow the template's routes: a route without a case fails.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from strata.bootstrap import Application
from strata.domain.entities.shapes import Mention
from strata.domain.scope import Scope
from strata.entrypoints.mcp.tools import OPTIONAL, SPECS
from strata.local.template import declarations
from strata.ports.rows import Put
from strata.services.entities.recording import Source
from strata.services.records.knowledge import conclusion_key
from strata.services.records.owners import owned
from support.api import ClaimsFromHeader, client
from support.api_calls import called, data, refused
from support.memory import application, dialogue, learn, observation

OURS, THEIRS = "ours", "theirs"
WORD = "xylophone"


@dataclass
class Target:
    """The other tenant's data: everything named here must stay its own."""

    session_id: str
    observation_id: int
    cursor: str
    episode_id: str
    fact_id: str
    erasure_id: str
    entity: str


class Tenant:
    """The API as one tenant sees it."""

    def __init__(self, api: httpx.Client, name: str) -> None:
        self._api = api
        self.headers = {"x-tenant": name}

    def as_another(self, name: str) -> "Tenant":
        return Tenant(self._api, name)

    def __call__(self, method: str, path: str, **sent: Any) -> httpx.Response:
        return self._api.request(method, path, headers=self.headers, **sent)


@pytest.fixture
def app(tmp_path, monkeypatch) -> Iterator[Application]:
    monkeypatch.setattr("strata.services.transfer.exporter.PAGE_BYTES", 600)
    app = application(tmp_path, AUTH="required")
    yield app
    app.close()


@pytest.fixture
def api(app, tmp_path) -> Iterator[httpx.Client]:
    with client(app, ClaimsFromHeader()) as api:
        yield api


@pytest.fixture
def us(api) -> Tenant:
    return Tenant(api, OURS)


CONCLUSION = {
    "id": "c1",
    "text": f"Likes the {WORD}",
    "type": "explicit",
    "subject": "likes",
    "value_key": WORD,
    "by": "rules",
    "confidence": 0.9,
    "confined": False,
    "corrected": False,
    "agents": [],
    "projects": [],
    "sources": [],
    "sessions": ["s1"],
    "quotes": [],
    "against": 0,
    "last": 1_767_225_600_000_000,
    "created_at": 1_767_225_600_000_000,
    "updated_at": 1_767_225_600_000_000,
} | owned("ann", "conclusion")
"""A conclusion about a person of the other tenant's."""


@pytest.fixture
def target(app, api) -> Target:
    """The other tenant's store, filled."""
    they = Tenant(api, THEIRS)
    they("POST", "/sessions", json={"id": "s1", "project": "demo", "user_id": "ann"})
    secret = f"the {WORD} is hidden"
    saved = they(
        "POST", "/observations", json=observation(content=secret, scope="global", topic_key="k")
    ).json()
    for n in range(3):
        they("POST", "/observations", json=observation(content=f"{WORD} {n}"))
    they("POST", "/sessions/s1/end", json={"messages": dialogue(f"where is the {WORD}?")})
    event = {"event_type": "user_message", "content": f"the {WORD} is hidden", "event_id": "e1"}
    assert they("POST", "/memory/sessions/s1/events", json=event).status_code == 201
    they("PUT", "/working-memory/s1", json={"scratchpad": f"the {WORD} is hidden"})
    assert they("POST", "/ledger/s1/mark", json={"item": WORD, "value": WORD}).json()["marked"]
    episode = {"conversation_id": "s1", "agent_id": "a1", "summary": f"the {WORD} is hidden"}
    stored = they("POST", "/episodic/store", json=episode)
    assert stored.status_code == 201
    assert they("PUT", "/api/agents-config/a1", json={"memory_enabled": True}).status_code == 200
    assert they("PUT", "/api/rgpd/users/ann/consent", json={"ai_consent": True}).status_code == 200
    (fact,) = learn(app, Scope(THEIRS), ("preference", f"Plays the {WORD}"))
    profile = {"name": WORD, "patterns": [f"asks for the {WORD}"]}
    assert they("PUT", "/api/memory/profile", params={"userId": "ann"}, json=profile).status_code == 200
    assert they("PUT", "/api/devices/d1", json={"userId": WORD}).status_code == 200
    chosen = {"preferences": {"language": WORD}}
    assert they("PUT", "/api/users/ann/preferences", json=chosen).status_code == 200
    app.stores.table.transact(Scope(THEIRS), [Put(conclusion_key("ann", "c1"), CONCLUSION)])
    cursor = they("GET", "/export").json()["next"]
    erasure = data(they("DELETE", "/api/rgpd/users/zoe/ai-data"))["erasure_id"]
    source = Source("ep-1", "ann", "s1", None, "demo", False, 1_767_225_600_000_000)
    app.entities.recorder.record(Scope(THEIRS), source, [Mention(WORD, "thing", 0, 1)], [])
    (entity,) = they("GET", "/api/entities", params={"userId": "ann"}).json()["entities"]
    return Target("s1", saved["id"], cursor, stored.json()["id"], fact, erasure, entity["id"])


@pytest.fixture
def untouched(api, target) -> Iterator[None]:
    """Afterwards the other tenant has what it had."""
    they = Tenant(api, THEIRS)

    def whole() -> list[Any]:
        pages = [they("GET", "/export").json()]
        while "next" in pages[-1]:
            pages.append(they("GET", "/export", params={"cursor": pages[-1]["next"]}).json())
        rows = [(page["sessions"], page["observations"]) for page in pages]
        events = [they("GET", f"/memory/{path}").json() for path in ("events", "sessions/s1", "stats")]
        people = [data(they("GET", "/api/rgpd/users/ann/ai-data"))["items"]]
        people += [
            data(they("GET", f"/api/{path}"))
            for path in (
                "agents-config/a1",
                "agents/a1/users/ann/facts",
                "rgpd/users/ann/consent",
            )
        ]
        return [
            rows,
            events,
            people,
            they("GET", "/stats").json(),
            they("GET", "/search", params={"q": WORD}).json(),
        ] + [they("GET", f"/{layer}/s1").json() for layer in ("working-memory", "ledger", "episodic")]

    before = whole()
    yield
    assert whole() == before


def nothing_of_theirs(response: httpx.Response) -> Any:
    assert response.status_code == 200
    assert WORD not in response.text
    return data(response)


# --- a case for every route -----------------------------------------------------------------------


def save(us: Tenant, target: Target) -> None:
    body = observation(content=f"the {WORD} is hidden", scope="global", topic_key="k", user_id="bob")
    saved = us("POST", "/observations", json=body).json()
    assert saved["action"] == "created"
    assert saved["id"] != target.observation_id


def change(us: Tenant, target: Target) -> None:
    refused(us("PATCH", f"/observations/{target.observation_id}", json={"title": "x"}), 404, "not_found")
    own = us("POST", "/observations", json=observation(content="ours")).json()["id"]
    theirs = {"content": f"the {WORD} is hidden"}
    assert us("PATCH", f"/observations/{own}", json=theirs).status_code == 200


def delete(us: Tenant, target: Target) -> None:
    for hard in ("false", "true"):
        path = f"/observations/{target.observation_id}?hard={hard}"
        refused(us("DELETE", path), 404, "not_found")


def search(us: Tenant, target: Target) -> None:
    for mode in ("hybrid", "bm25", "vector"):
        for asked in ({}, {"project": "demo"}, {"scope": "global"}, {"type": "decision"}):
            given = us("GET", "/search", params={"q": WORD, "mode": mode} | asked)
            assert nothing_of_theirs(given) == []


def recent(us: Tenant, target: Target) -> None:
    for asked in ({}, {"project": "demo"}, {"scope": "global"}):
        assert nothing_of_theirs(us("GET", "/observations/recent", params=asked)) == []


def get(us: Tenant, target: Target) -> None:
    refused(us("GET", f"/observations/{target.observation_id}"), 404, "not_found")


def timeline(us: Tenant, target: Target) -> None:
    refused(us("GET", "/timeline", params={"observation_id": target.observation_id}), 404, "not_found")
    own = us("POST", "/observations", json=observation(content="ours")).json()["id"]
    assert [
        row["id"] for row in nothing_of_theirs(us("GET", "/timeline", params={"observation_id": own}))
    ] == [own]


def context(us: Tenant, target: Target) -> None:
    given = us("GET", "/context", params={"project": "demo", "query": WORD})
    assert nothing_of_theirs(given) == {"recent_sessions": [], "recent_observations": []}
    assert us("GET", "/context", params={"project": "demo", "format": "text"}).text == ""


def start(us: Tenant, target: Target) -> None:
    body = {"id": target.session_id, "project": "ours", "user_id": "bob"}
    response = us("POST", "/sessions", json=body)
    assert response.status_code == 201
    assert (response.json()["project"], response.json()["user_id"]) == ("ours", "bob")
    assert "ended_at" not in response.json()


def read_session(us: Tenant, target: Target) -> None:
    refused(us("GET", f"/sessions/{target.session_id}"), 404, "not_found")


def recent_sessions(us: Tenant, target: Target) -> None:
    for asked in ({}, {"project": "demo"}):
        assert nothing_of_theirs(us("GET", "/sessions/recent", params=asked)) == []


def end(us: Tenant, target: Target) -> None:
    response = us("POST", f"/sessions/{target.session_id}/end", json={"messages": dialogue("mine")})
    refused(response, 404, "not_found")


def export(us: Tenant, target: Target) -> None:
    for asked in ({}, {"project": "demo"}):
        given = nothing_of_theirs(us("GET", "/export", params=asked))
        assert (given["sessions"], given["observations"]) == ([], [])
        refused(us("GET", "/export", params=asked | {"cursor": target.cursor}), 400, "invalid_request")


def load(us: Tenant, target: Target) -> None:
    session = {"id": target.session_id, "project": "demo", "started_at": "2025-01-01T00:00:00Z"}
    seen = observation(id=target.observation_id, content=f"the {WORD} is hidden", topic_key="k")
    given = us("POST", "/import", json={"sessions": [session], "observations": [seen]})
    assert given.json() == {"imported_sessions": 1, "imported_observations": 1}
    assert us("GET", f"/observations/{target.observation_id}").json()["scope"] == "project"


def stats(us: Tenant, target: Target) -> None:
    for asked in ({}, {"project": "demo"}):
        given = nothing_of_theirs(us("GET", "/stats", params=asked))
        assert given == {"total_sessions": 0, "total_observations": 0, "projects": []}


def list_events(us: Tenant, target: Target) -> None:
    for asked in ({}, {"session_id": target.session_id}):
        given = nothing_of_theirs(us("GET", "/memory/events", params=asked))
        assert (given["events"], given["total"]) == ([], 0)


def list_event_sessions(us: Tenant, target: Target) -> None:
    for asked in ({}, {"user_id": "ann"}):
        assert nothing_of_theirs(us("GET", "/memory/sessions", params=asked))["sessions"] == []


def open_event_session(us: Tenant, target: Target) -> None:
    body = {"session_id": target.session_id, "user_id": "bob"}
    assert us("POST", "/memory/sessions", json=body).status_code == 201
    given = nothing_of_theirs(us("GET", f"/memory/sessions/{target.session_id}"))
    assert (given["user_id"], given["events"]) == ("bob", [])


def get_event_session(us: Tenant, target: Target) -> None:
    refused(us("GET", f"/memory/sessions/{target.session_id}"), 404, "not_found")


def delete_event_session(us: Tenant, target: Target) -> None:
    assert us("DELETE", f"/memory/sessions/{target.session_id}").json() == {"deleted": False}


def append_events(us: Tenant, target: Target) -> None:
    path = f"/memory/sessions/{target.session_id}/events"
    event = {"event_type": "error", "content": "ours", "event_id": "e1"}
    refused(us("POST", path, json=event), 404, "not_found")
    us("POST", "/memory/sessions", json={"session_id": target.session_id})
    assert us("POST", path, json=event).status_code == 201
    assert [event["content"] for event in us("GET", path).json()["events"]] == ["ours"]


def list_session_events(us: Tenant, target: Target) -> None:
    refused(us("GET", f"/memory/sessions/{target.session_id}/events"), 404, "not_found")


def conversation(us: Tenant, target: Target) -> None:
    refused(us("GET", f"/memory/sessions/{target.session_id}/context"), 404, "not_found")


def event_stats(us: Tenant, target: Target) -> None:
    given = nothing_of_theirs(us("GET", "/memory/stats"))
    assert given == {"total_sessions": 0, "total_events": 0, "avg_events_per_session": 0}


def clean_up(us: Tenant, target: Target) -> None:
    assert us("POST", "/memory/cleanup", json={"max_age_hours": 0.000001}).json() == {"cleaned": 0}


def health(us: Tenant, target: Target) -> None:
    nothing_of_theirs(us("GET", "/health"))
    nothing_of_theirs(us("GET", "/api/health"))


def service_health(us: Tenant, target: Target) -> None:
    for name in ("table", "memory-maintenance", "memory-semantic", "resource-guard"):
        nothing_of_theirs(us("GET", f"/health/{name}"))


def metrics(us: Tenant, target: Target) -> None:
    answer = us("GET", "/metrics")
    assert answer.status_code == 200
    assert WORD not in answer.text


def mcp(us: Tenant, target: Target) -> None:
    asked: dict[str, dict[str, Any]] = {
        "mem_search": {"query": WORD},
        "mem_context": {"query": WORD},
        "mem_get": {"id": target.observation_id},
        "mem_timeline": {"id": target.observation_id},
    }
    for project in ("", "?project=demo"):
        for tool, arguments in asked.items():
            given = nothing_of_theirs(us("POST", f"/mcp{project}", json=called(tool, **arguments)))
            assert "<memory:" not in given["result"]["content"][0]["text"]
    words = {"type": "decision", "title": "ours", "content": f"the {WORD} is hidden", "topic_key": "k"}
    new = called("mem_save", **words, scope="global", session_id=target.session_id)
    saved = us("POST", "/mcp?project=demo&user_id=bob", json=new).json()["result"]
    assert saved["content"][0]["text"].startswith("Saved as ")
    assert str(target.observation_id) not in saved["content"][0]["text"]


def not_allowed(method: str) -> "Callable[[Tenant, Target], None]":
    return lambda us, target: refused(us(method, "/mcp"), 405, "method_not_allowed")


def get_working_memory(us: Tenant, target: Target) -> None:
    assert nothing_of_theirs(us("GET", f"/working-memory/{target.session_id}")) == {}


def put_working_memory(us: Tenant, target: Target) -> None:
    path = f"/working-memory/{target.session_id}"
    given = us("PUT", path, json={"ours": 1, "ttl_seconds": 1}, params={"user_id": "bob"})
    assert nothing_of_theirs(given) == nothing_of_theirs(us("GET", path)) == {"ours": 1}


def delete_working_memory(us: Tenant, target: Target) -> None:
    for asked in ({}, {"fields": "scratchpad"}):
        given = us("DELETE", f"/working-memory/{target.session_id}", params=asked)
        assert given.json() == {"deleted": 0}


def store_episode(us: Tenant, target: Target) -> None:
    body = {"conversation_id": target.session_id, "agent_id": "a1", "user_id": "bob", "summary": "ours"}
    stored = us("POST", "/episodic/store", json=body)
    assert stored.status_code == 201
    assert stored.json()["id"] != target.episode_id
    given = us("GET", f"/episodic/{target.session_id}")
    assert [episode["summary"] for episode in nothing_of_theirs(given)["episodes"]] == ["ours"]


def similar_episodes(us: Tenant, target: Target) -> None:
    for asked in ({}, {"user_id": "ann"}):
        given = us("POST", "/episodic/search", json={"query": "hidden", "agent_id": "a1"} | asked)
        assert nothing_of_theirs(given) == {"results": []}


def conversation_episodes(us: Tenant, target: Target) -> None:
    assert nothing_of_theirs(us("GET", f"/episodic/{target.session_id}")) == {"episodes": []}


def recent_episodes(us: Tenant, target: Target) -> None:
    for asked in ({}, {"userId": "ann"}):
        given = nothing_of_theirs(us("GET", "/api/memory/episodes", params=asked))
        assert given == {"episodes": [], "count": 0, "available": True}


def search_episodes(us: Tenant, target: Target) -> None:
    every = {"q": "hidden", "min_relevance": 0}
    for mode in ("hybrid", "bm25", "vector"):
        for asked in ({}, {"userId": "ann"}):
            given = us("GET", "/api/memory/search", params=every | {"mode": mode} | asked)
            assert nothing_of_theirs(given)["results"] == []


def forget_episode(us: Tenant, target: Target) -> None:
    for asked in ({}, {"userId": "ann"}):
        path = f"/api/memory/episodes/{target.episode_id}"
        refused(us("DELETE", path, params=asked), 404, "not_found")


def ingest(us: Tenant, target: Target) -> None:
    body = {"session_id": target.session_id, "response": "ours", "tool_calls": 1, "user_id": "bob"}
    assert us("POST", "/api/memory/ingest", json=body).json()["ingested"]
    assert nothing_of_theirs(us("GET", "/api/memory/episodes", params={"userId": "bob"}))["count"] == 1


def get_profile(us: Tenant, target: Target) -> None:
    for path in ("profile", "profile/history"):
        assert us("PUT", "/api/memory/profile", json={"name": "ours"}).status_code == 200
        nothing_of_theirs(us("GET", f"/api/memory/{path}", params={"userId": "ann"}))


def put_profile(us: Tenant, target: Target) -> None:
    assert us("PUT", "/api/memory/profile", params={"userId": "ann"}, json={"name": "o"}).status_code == 200


def list_conclusions(us: Tenant, target: Target) -> None:
    for path in ("conclusions", "consolidations"):
        given = nothing_of_theirs(us("GET", f"/api/memory/{path}", params={"userId": "ann"}))
        assert given[path] == []


def delete_conclusion(us: Tenant, target: Target) -> None:
    path = "/api/memory/conclusions/c1"
    refused(us("DELETE", path, params={"userId": "ann"}), 404, "not_found")


def delete_conclusions(us: Tenant, target: Target) -> None:
    given = nothing_of_theirs(us("DELETE", "/api/memory/conclusions", params={"userId": "ann"}))
    assert given == {"deleted": True, "count": 0}


def ask_about_user(us: Tenant, target: Target) -> None:
    for asked in ({"userId": "ann"}, {}):
        given = nothing_of_theirs(
            us("POST", "/api/memory/ask", json=asked | {"question": f"What is {WORD}?"})
        )
        assert (given["sources"], given["confidence"]) == ([], 0)


def forget(us: Tenant, target: Target) -> None:
    named = [f"observations:{target.observation_id}", "events:s1~life~0"]
    for asked in ({"query": WORD}, {"ids": named}, {"ids": named, "dry_run": False}):
        given = nothing_of_theirs(us("POST", "/api/memory/forget", json=asked))
        assert given["forgotten"] == []


def undo_consolidation(us: Tenant, target: Target) -> None:
    refused(us("POST", "/api/memory/consolidations/7/undo", params={"userId": "ann"}), 404, "not_found")


def list_entities(us: Tenant, target: Target) -> None:
    assert nothing_of_theirs(us("GET", "/api/entities", params={"userId": "ann"}))["entities"] == []
    assert us("GET", "/api/entities/stats", params={"userId": "ann"}).json()["total"] == 0
    proposed = us("GET", "/api/entities/merge-proposals", params={"userId": "ann"})
    assert nothing_of_theirs(proposed)["proposals"] == []


def one_entity(method: str, path: str, **sent: Any) -> Callable[[Tenant, Target], None]:
    def attempt(us: Tenant, target: Target) -> None:
        found = us(method, f"/api/entities/{target.entity}{path}", params={"userId": "ann"}, **sent)
        refused(found, 404, "not_found")

    return attempt


def get_device(us: Tenant, target: Target) -> None:
    refused(us("GET", "/api/devices/d1"), 404, "not_found")


def put_device(us: Tenant, target: Target) -> None:
    nothing_of_theirs(us("PUT", "/api/devices/d1", json={"userId": "bob"}))


def link_device(us: Tenant, target: Target) -> None:
    nothing_of_theirs(us("POST", "/api/devices/d1/link", json={"userId": "bob"}))


def delete_device(us: Tenant, target: Target) -> None:
    refused(us("DELETE", "/api/devices/d1"), 404, "not_found")


def get_preferences(us: Tenant, target: Target) -> None:
    nothing_of_theirs(us("GET", "/api/users/ann/preferences"))


def put_preferences(us: Tenant, target: Target) -> None:
    ours = {"preferences": {"language": "de"}}
    nothing_of_theirs(us("PUT", "/api/users/ann/preferences", json=ours))


def chats(us: Tenant, target: Target) -> None:
    assert nothing_of_theirs(us("GET", "/api/memory/sources")) == {"sources": []}
    nothing_of_theirs(us("POST", "/api/memory/import", json={}))


def current_project(us: Tenant, target: Target) -> None:
    assert nothing_of_theirs(us("GET", "/project/current", params={"cwd": "/w/demo"}))["project"] == "demo"


def save_prompt(us: Tenant, target: Target) -> None:
    prompt = {"session_id": target.session_id, "content": "mine"}
    refused(us("POST", "/prompts", json=prompt), 404, "not_found")


def capture_learnings(us: Tenant, target: Target) -> None:
    report = {"session_id": target.session_id, "content": f"## Learnings\n- the {WORD} is hidden over there"}
    refused(us("POST", "/observations/passive", json=report), 404, "not_found")
    given = nothing_of_theirs(us("POST", "/observations/passive", json=report | {"project": "demo"}))
    assert given == {"extracted": 1, "saved": 1, "duplicates": 0}


def move_project(us: Tenant, target: Target) -> None:
    asked = {"old_project": "demo", "new_project": "ours"}
    assert nothing_of_theirs(us("POST", "/projects/migrate", json=asked))["status"] == "skipped"


def get_agent_config(us: Tenant, target: Target) -> None:
    given = nothing_of_theirs(us("GET", "/api/agents-config/a1"))
    assert (given["memory_enabled"], "updated_at" in given) == (False, False)


def put_agent_config(us: Tenant, target: Target) -> None:
    given = nothing_of_theirs(us("PUT", "/api/agents-config/a1", json={"max_facts": 7}))
    assert (given["memory_enabled"], given["max_facts"]) == (False, 7)


def list_facts(us: Tenant, target: Target) -> None:
    us("PUT", "/api/agents-config/a1", json={"memory_enabled": True})
    assert nothing_of_theirs(us("GET", "/api/agents/a1/users/ann/facts")) == {"facts": []}
    told = us("GET", "/context", params={"agent_id": "a1", "user_id": "ann", "layers": "facts"})
    assert nothing_of_theirs(told)["items"] == []


def delete_fact(us: Tenant, target: Target) -> None:
    refused(us("DELETE", f"/api/agents/a1/users/ann/facts/{target.fact_id}"), 404, "not_found")


def get_consent(us: Tenant, target: Target) -> None:
    given = nothing_of_theirs(us("GET", "/api/rgpd/users/ann/consent"))
    assert given == {"external_ref": "ann", "persist": True, "history": []}


def put_consent(us: Tenant, target: Target) -> None:
    refusal = {"ai_consent": False, "erase": True}
    given = nothing_of_theirs(us("PUT", "/api/rgpd/users/ann/consent", json=refusal))
    assert [note["ai_consent"] for note in given["history"]] == [False]


def get_personal_data(us: Tenant, target: Target) -> None:
    assert nothing_of_theirs(us("GET", "/api/rgpd/users/ann/ai-data"))["items"] == {}


def erase_personal_data(us: Tenant, target: Target) -> None:
    begun = us("DELETE", "/api/rgpd/users/ann/ai-data")
    assert begun.status_code == 202
    assert data(begun)["erasure_id"] != target.erasure_id


def get_erasure(us: Tenant, target: Target) -> None:
    refused(us("GET", f"/api/rgpd/erasures/{target.erasure_id}"), 404, "not_found")


def put_session_consent(us: Tenant, target: Target) -> None:
    given = nothing_of_theirs(us("POST", "/api/rgpd/sessions/s1/consent", json={"consent": False}))
    assert (given["ai_consent"], "external_ref" in given) == (False, False)


def list_audit_log(us: Tenant, target: Target) -> None:
    for asked in ({}, {"external_ref": "ann"}, {"external_ref": "zoe"}):
        assert nothing_of_theirs(us("GET", "/api/rgpd/audit-log", params=asked)) == []


def accept_dpa(us: Tenant, target: Target) -> None:
    refused(us("POST", f"/api/auth/tenants/{THEIRS}/dpa-accept"), 404, "not_found")


def get_dpa_status(us: Tenant, target: Target) -> None:
    refused(us("GET", f"/api/auth/tenants/{THEIRS}/dpa-status"), 404, "not_found")


def get_ledger(us: Tenant, target: Target) -> None:
    assert nothing_of_theirs(us("GET", f"/ledger/{target.session_id}")) == {}


def check_ledger(us: Tenant, target: Target) -> None:
    given = us("POST", f"/ledger/{target.session_id}/check", json={"item": WORD})
    assert given.json() == {"item": WORD, "injected": False}


def mark_ledger(us: Tenant, target: Target) -> None:
    body = {"item": WORD, "value": "ours", "user_id": "bob"}
    assert us("POST", f"/ledger/{target.session_id}/mark", json=body).json()["marked"]
    assert us("GET", f"/ledger/{target.session_id}").json() == {WORD: "ours"}


def evict_ledger(us: Tenant, target: Target) -> None:
    given = us("POST", f"/ledger/{target.session_id}/evict", json={"item": WORD})
    assert given.json() == {"item": WORD, "evicted": False}


def maintain(us: Tenant, target: Target) -> None:
    given = nothing_of_theirs(us("POST", "/api/memory/maintain"))
    assert (given["status"], given["errors"]) == ("done", {})
    assert not any(count for counts in given["summary"].values() for count in counts.values())


def maintenance_history(us: Tenant, target: Target) -> None:
    assert us.as_another(THEIRS)("POST", "/api/memory/maintain").status_code == 200
    assert nothing_of_theirs(us("GET", "/api/memory/maintain/history")) == {"reports": []}


def maintenance_report(us: Tenant, target: Target) -> None:
    theirs = us.as_another(THEIRS)("POST", "/api/memory/maintain").json()["timestamp"]
    refused(us("GET", f"/api/memory/maintain/history/{theirs}"), 404, "not_found")


def openapi(us: Tenant, target: Target) -> None:
    nothing_of_theirs(us("GET", "/openapi.json"))


CASES: dict[str, Callable[[Tenant, Target], None]] = {
    "POST /observations": save,
    "PATCH /observations/{id}": change,
    "DELETE /observations/{id}": delete,
    "GET /search": search,
    "GET /observations/recent": recent,
    "GET /observations/{id}": get,
    "GET /timeline": timeline,
    "GET /context": context,
    "POST /mcp": mcp,
    "GET /mcp": not_allowed("GET"),
    "DELETE /mcp": not_allowed("DELETE"),
    "POST /sessions": start,
    "GET /sessions/recent": recent_sessions,
    "GET /sessions/{id}": read_session,
    "POST /sessions/{id}/end": end,
    "GET /export": export,
    "POST /import": load,
    "GET /stats": stats,
    "GET /memory/events": list_events,
    "GET /memory/sessions": list_event_sessions,
    "POST /memory/sessions": open_event_session,
    "GET /memory/sessions/{id}": get_event_session,
    "DELETE /memory/sessions/{id}": delete_event_session,
    "POST /memory/sessions/{id}/events": append_events,
    "GET /memory/sessions/{id}/events": list_session_events,
    "GET /memory/sessions/{id}/context": conversation,
    "GET /memory/stats": event_stats,
    "POST /memory/cleanup": clean_up,
    "GET /health": health,
    "GET /api/health": health,
    "GET /health/{service}": service_health,
    "GET /metrics": metrics,
    "GET /working-memory/{conversation_id}": get_working_memory,
    "PUT /working-memory/{conversation_id}": put_working_memory,
    "DELETE /working-memory/{conversation_id}": delete_working_memory,
    "GET /ledger/{conversation_id}": get_ledger,
    "POST /ledger/{conversation_id}/check": check_ledger,
    "POST /ledger/{conversation_id}/mark": mark_ledger,
    "POST /ledger/{conversation_id}/evict": evict_ledger,
    "POST /episodic/store": store_episode,
    "POST /episodic/search": similar_episodes,
    "GET /episodic/{conversation_id}": conversation_episodes,
    "GET /api/memory/episodes": recent_episodes,
    "GET /api/memory/search": search_episodes,
    "DELETE /api/memory/episodes/{id}": forget_episode,
    "POST /api/memory/ingest": ingest,
    "GET /api/agents-config/{agentId}": get_agent_config,
    "PUT /api/agents-config/{agentId}": put_agent_config,
    "GET /api/agents/{agentId}/users/{externalRef}/facts": list_facts,
    "DELETE /api/agents/{agentId}/users/{externalRef}/facts/{id}": delete_fact,
    "GET /api/rgpd/users/{externalRef}/consent": get_consent,
    "PUT /api/rgpd/users/{externalRef}/consent": put_consent,
    "GET /api/rgpd/users/{externalRef}/ai-data": get_personal_data,
    "DELETE /api/rgpd/users/{externalRef}/ai-data": erase_personal_data,
    "GET /api/rgpd/erasures/{erasure_id}": get_erasure,
    "POST /api/rgpd/sessions/{sessionId}/consent": put_session_consent,
    "GET /api/rgpd/audit-log": list_audit_log,
    "POST /api/auth/tenants/{id}/dpa-accept": accept_dpa,
    "GET /api/auth/tenants/{id}/dpa-status": get_dpa_status,
    "GET /api/devices/{deviceId}": get_device,
    "PUT /api/devices/{deviceId}": put_device,
    "POST /api/devices/{deviceId}/link": link_device,
    "DELETE /api/devices/{deviceId}": delete_device,
    "GET /api/users/{userId}/preferences": get_preferences,
    "PUT /api/users/{userId}/preferences": put_preferences,
    "GET /api/memory/sources": chats,
    "POST /api/memory/import": chats,
    "POST /prompts": save_prompt,
    "POST /observations/passive": capture_learnings,
    "POST /projects/migrate": move_project,
    "GET /project/current": current_project,
    "GET /api/memory/profile": get_profile,
    "GET /api/memory/profile/history": get_profile,
    "PUT /api/memory/profile": put_profile,
    "GET /api/memory/conclusions": list_conclusions,
    "GET /api/memory/consolidations": list_conclusions,
    "POST /api/memory/ask": ask_about_user,
    "POST /api/memory/forget": forget,
    "DELETE /api/memory/conclusions": delete_conclusions,
    "DELETE /api/memory/conclusions/{conclusionId}": delete_conclusion,
    "POST /api/memory/consolidations/{consolidationId}/undo": undo_consolidation,
    "GET /api/entities": list_entities,
    "GET /api/entities/stats": list_entities,
    "GET /api/entities/merge-proposals": list_entities,
    "GET /api/entities/{entityId}": one_entity("GET", ""),
    "PUT /api/entities/{entityId}": one_entity("PUT", "", json={"name": "ours"}),
    "DELETE /api/entities/{entityId}": one_entity("DELETE", ""),
    "POST /api/entities/{entityId}/restore": one_entity("POST", "/restore"),
    "POST /api/entities/{entityId}/merge": one_entity("POST", "/merge", json={"sourceId": "other"}),
    "POST /api/entities/{entityId}/merge/undo": one_entity("POST", "/merge/undo", json={"sourceId": "other"}),
    "GET /api/entities/{entityId}/episodes": one_entity("GET", "/episodes"),
    "GET /api/entities/{entityId}/conclusions": one_entity("GET", "/conclusions"),
    "GET /api/entities/{entityId}/relationships": one_entity("GET", "/relationships"),
    "GET /api/entities/{entityId}/graph": one_entity("GET", "/graph"),
    "GET /api/entities/{entityId}/page": one_entity("GET", "/page"),
    "POST /api/memory/maintain": maintain,
    "GET /api/memory/maintain/history": maintenance_history,
    "GET /api/memory/maintain/history/{timestamp}": maintenance_report,
    "GET /openapi.json": openapi,
}
ROUTES = sorted(
    f"{route.method} {route.path}"
    for function in declarations.load().functions.values()
    for route in function.routes
)
SCOPES = ("", "reader", "read", "write", "admin")
"""Tried in this order over one store, the weakest first: what is refused changes nothing for the next."""
OPEN = ("GET /health", "GET /api/health", "GET /health/{service}", "GET /openapi.json")
BY_TOOL = ("POST /mcp", "GET /mcp", "DELETE /mcp")
"""For whoever is let in; each tool asks for the scope that it needs."""
WRITES = ("POST", "PATCH", "DELETE", "PUT")
READ_BY_POST = ("POST /ledger/{conversation_id}/check", "POST /episodic/search", "POST /api/memory/ask")
"""Routes whose request stands in the body, and that write nothing."""
BY_ADMINS = (
    "GET /metrics",
    "PUT /api/agents-config/{agentId}",
    "POST /api/memory/maintain",
    "GET /api/rgpd/users/{externalRef}/ai-data",
    "DELETE /api/rgpd/users/{externalRef}/ai-data",
    "GET /api/rgpd/erasures/{erasure_id}",
    "GET /api/rgpd/audit-log",
    "POST /api/auth/tenants/{id}/dpa-accept",
)
"""Routes that concern everybody's data, or all of one person's."""


def test_there_is_no_case_for_a_route_that_is_gone():
    assert sorted(CASES) == ROUTES


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.usefixtures("untouched")
def test_a_tenant_never_meets_another(us, target, route):
    CASES[route](us, target)


@pytest.mark.parametrize("route", [route for route in ROUTES if route not in OPEN + BY_TOOL])
def test_a_route_asks_for_its_scope(api, target, route):
    method, path = route.split()
    needed = "write" if method in WRITES and route not in READ_BY_POST else "read"
    needed = "admin" if route in BY_ADMINS else needed
    path = path.replace("/observations/{id}", f"/observations/{target.observation_id}").replace("{id}", "s1")
    asked = {"q": "x", "observation_id": target.observation_id}
    body = {} if method in WRITES else None
    for scopes in SCOPES:
        headers = {"x-tenant": THEIRS, "x-scopes": scopes}
        response = api.request(method, path, headers=headers, params=asked, json=body)
        if scopes in (needed, "admin"):
            assert response.status_code != 403, scopes
        else:
            refused(response, 403, "forbidden")


@pytest.mark.parametrize("route", [route for route in ROUTES if route not in OPEN])
def test_without_a_tenant_nobody_is_let_in(tmp_path, route):
    app = application(tmp_path, AUTH="required")
    method, path = route.split()
    with client(app) as api:
        sent = api.request(method, path.replace("{id}", "1"), params={"q": "x", "observation_id": 1})
    app.close()
    refused(sent, 401, "unauthenticated")


@pytest.mark.parametrize("tool", [spec.name for spec in SPECS])
def test_a_tool_asks_for_its_scope(api, target, tool):
    needed = "write" if tool in {"mem_save", *OPTIONAL} - {"memory_ask_about_user", "mem_entity"} else "read"
    refusal = f"these credentials lack the '{needed}' scope"
    for scopes in SCOPES:
        headers, offered = {"x-tenant": THEIRS, "x-scopes": scopes}, {"tools": ",".join(OPTIONAL)}
        response = api.post("/mcp", params=offered, json=called(tool), headers=headers)
        text = response.json()["result"]["content"][0]["text"]
        assert (text == refusal) == (scopes not in (needed, "admin")), scopes


def test_a_tenant_whose_name_begins_like_another_is_another(api, target):
    for name in ("their", "theirs2", "theirs.", "THEIRS"):
        close = Tenant(api, name)
        assert close("GET", "/search", params={"q": WORD}).json() == []
        assert close("GET", "/stats").json()["total_observations"] == 0
        refused(close("GET", f"/observations/{target.observation_id}"), 404, "not_found")
