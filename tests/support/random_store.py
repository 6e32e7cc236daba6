"""Content of every kind at random, through the API of every tenant, and every read of it."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from hypothesis import strategies as st

from compatibility.store import Store, pages
from strata.domain.scope import Scope
from support.memory import dialogue, learn

TENANTS = ("acme", "globex")
PROJECTS = ("web", "ops#2 ö")
PEOPLE = ("ann", "böb#1")
REFUSES = "carl"
"""Refuses that facts are known, and has none."""
UNKEPT = "dora"
"""Refuses that anything is kept, before anything else happens."""
AGENTS = ("helper", "coder/2")
SESSIONS = ("s1", "s 2", "s#3", "s4")
_WORDS = ("comet", "kettle", "harbour", "lantern", "quartz")

_SAID = (
    "My sister Ana Ruiz works at Acme and I love green tea.",
    "I live in York.",
    "I live in Lisbon now.",
    "Tom Baker lives in Madrid. I love green tea.",
    "We met Ana and Elizabeth Stone, whom we call Liz, in Madrid.",
    "Tom works at Acme, I prefer jazz.",
    "My friend Ana Ruiz works at Globex.",
)
"""Of what the rules draw conclusions, and which name entities."""
_FIRST = {"ann": _SAID[:3], "böb#1": _SAID[3:6]}
"""The first words of everybody."""

_texts = st.one_of(
    st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6).map(" ".join),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40).map(lambda text: f"x{text}"),
)
_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)
_owners = st.none() | st.sampled_from(PEOPLE) | st.sampled_from((REFUSES, UNKEPT))
_sessions = st.sampled_from(SESSIONS)
_agents = st.sampled_from(AGENTS)
_projects = st.sampled_from(PROJECTS)
_numbers = st.integers(0, 5).map(str)


def _sent(method: str, path: Any, **fields: Any) -> st.SearchStrategy[tuple[str, str, Any]]:
    body = {
        name: each if isinstance(each, st.SearchStrategy) else st.just(each) for name, each in fields.items()
    }
    given = path if isinstance(path, st.SearchStrategy) else st.just(path)
    return st.tuples(st.just(method), given, st.fixed_dictionaries(body).map(_present))


def _present(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}


def _in(start: str, end: str = "") -> st.SearchStrategy[str]:
    return _sessions.map(lambda session: f"{start}{quote(session, safe='')}{end}")


WRITES = st.one_of(
    _sent(
        "POST", "/sessions", id=_sessions, project=_projects, agent_id=st.none() | _agents, user_id=_owners
    ),
    *[
        _sent(
            "POST",
            "/observations",
            session_id=_sessions,
            project=_projects,
            type=st.sampled_from(("decision", "bugfix")),
            title=_texts,
            content=_texts,
            tags=st.none() | st.lists(_texts, max_size=2),
            scope=st.sampled_from((None, "project", "global")),
            agent_id=st.none() | _agents,
            metadata=st.none() | st.just({"ticket": "T-1"}),
            topic_key=st.sampled_from((None, None, "topic/one", "topic#2")),
            user_id=_owners,
        )
    ]
    * 3,
    _sent("PATCH", _numbers, content=_texts, tags=st.lists(_texts, max_size=2)),
    _sent("DELETE", _numbers, hard=st.booleans()),
    _sent(
        "POST",
        _in("/sessions/", "/end"),
        messages=st.lists(_texts, max_size=6).map(lambda said: dialogue(*said)),
    ),
    *[
        _sent(
            "SAY",
            _sessions,
            said=st.lists(st.sampled_from(_SAID), min_size=1, max_size=3),
            project=_projects,
            agent_id=st.none() | _agents,
            user_id=st.sampled_from(PEOPLE),
        )
    ]
    * 3,
    *[_sent(what, _numbers, user_id=st.sampled_from(PEOPLE)) for what in ("FORGET", "UNDO", "RESTORE")],
    *[
        _sent(
            "EDIT",
            _numbers,
            user_id=st.sampled_from(PEOPLE),
            how=st.sampled_from(("PUT", "DELETE", "merge", "undo")),
            change=st.sampled_from(({"name": "Anita"}, {"aliases": ["Nan", "Ana"]}, {"type": "thing"})),
            other=_numbers,
        )
    ]
    * 3,
    _sent("WORK", ""),
    _sent(
        "POST",
        _in("/memory/sessions/", "/events"),
        event_type=_texts.map(lambda text: f"t{len(text)}"),
        content=_json,
        metadata=st.none() | st.dictionaries(st.text(max_size=5), _json, max_size=2),
    ),
    _sent(
        "POST", "/memory/sessions", session_id=_sessions, app_name=st.sampled_from((None, "desk", "door#7"))
    ),
    _sent(
        "POST",
        "/episodic/store",
        conversation_id=_sessions,
        agent_id=_agents,
        user_id=_owners,
        summary=_texts,
        key_decisions=st.none() | st.lists(_texts | st.fixed_dictionaries({"what": _texts}), max_size=2),
        importance=st.none() | st.floats(0, 1),
        ttl_days=st.none() | st.integers(1, 30),
    ),
    _sent("PUT", _in("/working-memory/"), plan=_json, ttl_seconds=st.none() | st.integers(100_000, 900_000)),
    _sent(
        "POST",
        _in("/ledger/", "/mark"),
        item=st.sampled_from(("doc 1", "doc#2")),
        value=st.none() | st.just("v"),
    ),
    _sent(
        "PUT",
        _agents.map(lambda agent: f"/api/agents-config/{quote(agent, safe='')}"),
        memory_enabled=st.booleans(),
        fact_retention_days=st.none() | st.integers(1, 99),
    ),
    _sent(
        "PUT",
        st.sampled_from(PEOPLE).map(lambda who: f"/api/rgpd/users/{quote(who)}/consent"),
        ai_consent=True,
    ),
    _sent(
        "PUT",
        "/api/memory/profile",
        userId=st.sampled_from(PEOPLE),
        name=st.none() | _texts,
        patterns=st.lists(_texts, max_size=2),
        preferences=st.none() | _texts | st.dictionaries(_texts, _texts | st.floats(0, 1), max_size=2),
        agent_id=st.none() | _agents,
        project=st.none() | _projects,
    ),
    _sent("PUT", "/api/memory/profile", userId=st.sampled_from((REFUSES, UNKEPT)), name=_texts),
    _sent(
        "PUT",
        st.sampled_from((*PEOPLE, UNKEPT)).map(lambda who: f"/api/users/{quote(who, safe='')}/preferences"),
        preferences=st.dictionaries(st.text(max_size=5), _json, max_size=2),
    ),
    _sent("PUT", "/api/devices/phone%231", userId=st.sampled_from((*PEOPLE, UNKEPT))),
    _sent("FACT", st.sampled_from(PEOPLE), agent=_agents, value=_texts),
    _sent("WAIT", "", seconds=st.integers(1, 4000)),
)
"""Method, path and body; a number in place of a path is one of the observations so far."""


def live(store: Store, tenant: str, writes: list[tuple[str, str, Any]]) -> None:
    """Write; what the API refuses is refused."""
    for person, said in ((UNKEPT, {"persist": False}), (REFUSES, {"ai_consent": False})):
        store(tenant, "PUT", f"/api/rgpd/users/{person}/consent", json=said)
    for person, first in _FIRST.items():
        for each in first:
            _say(store, tenant, f"first-{each}", {"said": [each], "project": PROJECTS[0], "user_id": person})
            store.work()
    for person, *changes in (("ann", "merge", "DELETE"), ("böb#1", "merge", "undo")):
        for number, how in enumerate(changes):
            body = {"user_id": person, "how": how, "other": "1"}
            _edit(store, tenant, "EDIT", 2 * number if how == "DELETE" else 0, body)
    for method, path, body in writes:
        store.clock.forward(0.001)
        match method:
            case "WAIT":
                store.clock.forward(body["seconds"])
            case "FACT":  # found while the agent may remember, and followed at once
                agent = quote(body["agent"], safe="")
                store(tenant, "PUT", f"/api/agents-config/{agent}", json={"memory_enabled": True})
                found = ("preference", body["value"])
                session = f"first-{_FIRST[path][0]}"
                learn(store.app, Scope(tenant), found, agent=body["agent"], owner=path, session=session)
                store.follow()
            case "WORK":
                store.work()
            case "SAY":
                _say(store, tenant, f"{path}-{store.clock.now_us()}", body)
            case "FORGET" | "UNDO" | "RESTORE" | "EDIT":
                _edit(store, tenant, method, int(path), body)
            case "PATCH" | "DELETE":
                rows = store(tenant, "GET", "/observations/recent", params={"limit": 20})
                if rows:
                    identity = rows[int(path) % len(rows)]["id"]
                    sent = {"json": body} if method == "PATCH" else {"params": body}
                    assert store.ask(tenant, method, f"/observations/{identity}", **sent).status_code < 500
            case _:
                assert store.ask(tenant, method, path, json=body).status_code < 500


def _say(store: Store, tenant: str, session: str, said: dict[str, Any]) -> None:
    """A session of a person."""
    store.clock.forward(60)
    about = {name: said[name] for name in ("project", "agent_id", "user_id") if name in said}
    assert store.ask(tenant, "POST", "/sessions", json={"id": session} | about).status_code < 500
    ended = {"messages": dialogue(*said["said"])}
    name = quote(session, safe="")
    assert store.ask(tenant, "POST", f"/sessions/{name}/end", json=ended).status_code < 500


def _edit(store: Store, tenant: str, what: str, number: int, body: dict[str, Any]) -> None:
    """The acts of a person on one of their conclusions, runs or entities, whatever there is."""
    store.follow()
    user = {"userId": body["user_id"]}
    listing, name = {
        "FORGET": ("/api/memory/conclusions", "conclusions"),
        "UNDO": ("/api/memory/consolidations", "consolidations"),
    }.get(what, ("/api/entities", "entities"))
    deleted = {"deleted": "true"} if what == "RESTORE" else {}
    rows = store(tenant, "GET", listing, params=user | deleted)[name]
    if not rows:
        return
    one, sent = rows[number % len(rows)], {}
    method, path = {
        "FORGET": ("DELETE", f"{listing}/{one['id']}"),
        "UNDO": ("POST", f"{listing}/{one['id']}/undo"),
        "RESTORE": ("POST", f"{listing}/{one['id']}/restore"),
    }.get(what, (body.get("how"), f"{listing}/{one['id']}"))
    if method == "PUT":
        sent = {"json": body["change"]}
    elif method == "merge":
        sent = {"json": {"sourceId": rows[int(body["other"]) % len(rows)]["id"]}}
        method, path = "POST", f"{path}/merge"
    elif method == "undo":
        sent = {"json": {"sourceId": (one["merged"] or [one["id"]])[0]}}
        method, path = "POST", f"{path}/merge/undo"
    assert store.ask(tenant, method, path, params=user, **sent).status_code < 500


def lines(store: Store, tenant: str, **asked: Any) -> list[str]:
    """Every line of an export of every kind, in pages."""
    cursor: dict[str, str] = {}
    found: list[str] = []
    while True:
        answer = store.ask(
            tenant, "GET", "/export", params={"format": "jsonl", "kinds": "all"} | asked | cursor
        )
        assert answer.status_code == 200, answer.text
        assert answer.headers["content-type"] == "application/x-ndjson"
        *page, last = answer.text.removesuffix("\n").split("\n")
        found += page
        if last == '{"kind":"end"}':
            return found
        cursor = {"cursor": json.loads(last)["cursor"]}


def imported(store: Store, tenant: str, text: str, **asked: Any) -> Any:
    """The answer to an import of lines."""
    headers = {"x-tenant": tenant, "content-type": "application/x-ndjson"}
    answer = store.api.request("POST", "/import", content=text.encode(), headers=headers, params=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


def reads(store: Store, tenant: str) -> Iterator[tuple[str, Any]]:
    """The answers of every read."""
    asked: list[tuple[str, str, dict[str, Any]]] = [
        ("GET", path, {"limit": 100})
        for path in (
            "/observations/recent",
            "/sessions/recent",
            "/stats",
            "/memory/stats",
            "/memory/events",
            "/memory/sessions",
        )
    ]
    exported = [each for page in pages(store, tenant, "/export") for each in page["observations"]]
    for each in exported:
        asked.append(("GET", f"/observations/{each['id']}", {}))
        asked.append(("GET", "/timeline", {"observation_id": each["id"]}))
    for project in PROJECTS:
        asked += [
            ("GET", path, {"project": project}) for path in ("/stats", "/context", "/observations/recent")
        ]
        asked += [
            ("GET", "/search", {"q": word, "project": project, "mode": mode, "min_relevance": 0})
            for word in _WORDS[:2]
            for mode in ("hybrid", "bm25", "vector")
        ]
    for session in SESSIONS:
        name = quote(session, safe="")
        asked += [
            ("GET", f"/{path}", {})
            for path in (
                f"working-memory/{name}",
                f"ledger/{name}",
                f"episodic/{name}",
                f"memory/sessions/{name}",
                f"memory/sessions/{name}/events",
                f"memory/sessions/{name}/context",
            )
        ]
    for person in (*PEOPLE, REFUSES, UNKEPT):
        name = quote(person, safe="")
        asked += [
            ("GET", "/api/memory/episodes", {"userId": person, "limit": 100}),
            ("GET", "/api/memory/search", {"q": "comet kettle", "userId": person}),
            ("GET", f"/api/rgpd/users/{name}/consent", {}),
            ("GET", f"/api/users/{name}/preferences", {}),
            ("GET", "/api/memory/profile", {"userId": person}),
            ("GET", "/api/memory/consolidations", {"userId": person, "limit": 100}),
        ]
        sights = [{}, *({"agent_id": agent, "project": each} for agent in AGENTS for each in PROJECTS)]
        for sight in ({"userId": person} | each for each in sights):
            asked.append(("GET", "/api/memory/conclusions", sight))
            asked += [
                ("GET", f"/api/entities{path}", sight | more)
                for path, more in (
                    ("", {"limit": 100}),
                    ("", {"deleted": "true"}),
                    ("", {"q": "an"}),
                    ("", {"type": "person"}),
                    ("/stats", {}),
                )
            ]
        asked += [
            ("GET", f"/api/entities/{each}{part}", {"userId": person})
            for each in _entity_ids(store, tenant, person)
            for part in ("", "/episodes", "/conclusions", "/relationships", "/graph", "/page")
        ]
        for agent in AGENTS:
            asked.append(("GET", f"/api/agents/{quote(agent, safe='')}/users/{name}/facts", {"limit": 100}))
            for part in ("", "/history"):
                seen = {"userId": person, "agent_id": agent, "project": PROJECTS[0]}
                asked.append(("GET", f"/api/memory/profile{part}", seen))
            given = {"agent_id": agent, "user_id": person, "query": "comet"}
            asked += [("GET", "/context", given | {"project": project}) for project in PROJECTS]
    asked += [("GET", f"/api/agents-config/{quote(agent, safe='')}", {}) for agent in AGENTS]
    asked.append(("GET", "/api/devices/phone%231", {}))
    for method, path, params in asked:
        response = store.ask(tenant, method, path, params=params)
        answer: Any = {"status": response.status_code}
        if response.status_code < 400:
            answer = response.text if "markdown" in response.headers["content-type"] else response.json()
        yield f"{path} {params}", answer


def _entity_ids(store: Store, tenant: str, person: str) -> list[str]:
    """The ids of a person's entities and of those that lead to them, deleted ones too."""
    found = [
        each
        for deleted in ("false", "true")
        for each in store(
            tenant, "GET", "/api/entities", params={"userId": person, "limit": 100, "deleted": deleted}
        )["entities"]
    ]
    return sorted({name for each in found for name in (each["id"], *each["merged"])})
