"""Two tenants over one store: whatever one of them asks, nothing of the other's is seen, told or touched.

The cases follow the template's routes: a route without a case fails.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from calls import called, refused

from strata.local import template
from support import ClaimsFromHeader, application, client, dialogue, observation

OURS, THEIRS = "ours", "theirs"
WORD = "xylophone"


@dataclass
class Target:
    """What the other tenant has: everything named here must stay its own."""

    session_id: str
    observation_id: int
    cursor: str


class Tenant:
    """The API as one tenant sees it."""

    def __init__(self, api: httpx.Client, name: str) -> None:
        self._api = api
        self.headers = {"x-tenant": name}

    def __call__(self, method: str, path: str, **sent: Any) -> httpx.Response:
        return self._api.request(method, path, headers=self.headers, **sent)


@pytest.fixture
def api(tmp_path, monkeypatch) -> Iterator[httpx.Client]:
    monkeypatch.setattr("strata.services.exporting.PAGE_BYTES", 600)
    app = application(tmp_path, AUTH="required")
    with client(app, tmp_path, ClaimsFromHeader()) as api:
        yield api
    app.close()


@pytest.fixture
def us(api) -> Tenant:
    return Tenant(api, OURS)


@pytest.fixture
def target(api) -> Target:
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
    return Target("s1", saved["id"], they("GET", "/export").json()["next"])


@pytest.fixture
def untouched(api, target) -> Iterator[None]:
    """Afterwards the other tenant has what it had."""
    they = Tenant(api, THEIRS)

    def whole() -> list[Any]:
        pages = [they("GET", "/export").json()]
        while "next" in pages[-1]:
            pages.append(they("GET", "/export", params={"cursor": pages[-1]["next"]}).json())
        rows = [(page["sessions"], page["observations"]) for page in pages]
        return [rows, they("GET", "/stats").json(), they("GET", "/search", params={"q": WORD}).json()]

    before = whole()
    yield
    assert whole() == before


def nothing_of_theirs(response: httpx.Response) -> Any:
    assert response.status_code == 200
    assert WORD not in response.text
    return response.json()


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


def health(us: Tenant, target: Target) -> None:
    nothing_of_theirs(us("GET", "/health"))


def mcp(us: Tenant, target: Target) -> None:
    asked = {
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
    "POST /sessions/{id}/end": end,
    "GET /export": export,
    "POST /import": load,
    "GET /stats": stats,
    "GET /health": health,
    "GET /openapi.json": openapi,
}
ROUTES = sorted(
    f"{route.method} {route.path}"
    for function in template.load().functions.values()
    for route in function.routes
)
OPEN = ("GET /health", "GET /openapi.json")
BY_TOOL = ("POST /mcp", "GET /mcp", "DELETE /mcp")
"""For whoever is let in; each tool asks for the scope that it needs."""
WRITES = ("POST", "PATCH", "DELETE", "PUT")


def test_there_is_no_case_for_a_route_that_is_gone():
    assert sorted(CASES) == ROUTES


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.usefixtures("untouched")
def test_a_tenant_never_meets_another(us, target, route):
    CASES[route](us, target)


@pytest.mark.parametrize("route", [route for route in ROUTES if route not in OPEN + BY_TOOL])
@pytest.mark.parametrize("scopes", ["", "read", "write", "admin", "reader"])
def test_a_route_asks_for_its_scope(api, target, route, scopes):
    method, path = route.split()
    needed = "write" if method in WRITES else "read"
    path = path.replace("/observations/{id}", f"/observations/{target.observation_id}").replace("{id}", "s1")
    headers = {"x-tenant": THEIRS, "x-scopes": scopes}
    asked = {"q": "x", "observation_id": target.observation_id}
    response = api.request(method, path, headers=headers, params=asked, json={} if method in WRITES else None)
    if scopes in (needed, "admin"):
        assert response.status_code != 403
    else:
        refused(response, 403, "forbidden")


@pytest.mark.parametrize("route", [route for route in ROUTES if route not in OPEN])
def test_without_a_tenant_nobody_is_let_in(tmp_path, route):
    app = application(tmp_path, AUTH="required")
    method, path = route.split()
    with client(app, tmp_path) as api:
        sent = api.request(method, path.replace("{id}", "1"), params={"q": "x", "observation_id": 1})
    app.close()
    refused(sent, 401, "unauthenticated")


@pytest.mark.parametrize("scopes", ["", "read", "write", "admin", "reader"])
@pytest.mark.parametrize("tool", ["mem_save", "mem_search", "mem_context", "mem_get", "mem_timeline"])
def test_a_tool_asks_for_its_scope(api, target, tool, scopes):
    needed = "write" if tool == "mem_save" else "read"
    headers = {"x-tenant": THEIRS, "x-scopes": scopes}
    response = api.post("/mcp", json=called(tool), headers=headers)
    text = response.json()["result"]["content"][0]["text"]
    refusal = f"these credentials lack the '{needed}' scope"
    assert (text == refusal) == (scopes not in (needed, "admin"))


def test_a_tenant_whose_name_begins_like_another_is_another(api, target):
    for name in ("their", "theirs2", "theirs.", "THEIRS"):
        close = Tenant(api, name)
        assert close("GET", "/search", params={"q": WORD}).json() == []
        assert close("GET", "/stats").json()["total_observations"] == 0
        refused(close("GET", f"/observations/{target.observation_id}"), 404, "not_found")
