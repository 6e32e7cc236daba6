"""The reads of a store of the fixtures, and how today's answer is compared with the first version's."""

import json
from collections.abc import Iterator
from typing import Any

from compatibility.store import Store, pages
from compatibility.story import PEOPLE, TENANTS
from strata.client.call import opened
from strata.domain.summary import only_counts

Answers = dict[str, Any]
"""Answers by the request that they answer."""

_LISTS = (
    "/observations/recent",
    "/sessions/recent",
    "/stats",
    "/memory/stats",
    "/memory/events",
    "/memory/sessions",
)
_WHOLE = {"/api/memory/search": {"min_relevance": 0}}
"""What brings all that earlier versions gave, which had no floor there."""
_SCORES = {"rank", "score", "similarity", "relevance", "tokens"}
_SENTENCES = {"kept", "out_of_reach"}
"""The texts of an erasure's receipt, in words of its own version."""


def recorded(store: Store, erasures: dict[str, dict[str, str]]) -> Answers:
    """The store's answers, tenant by tenant; of these erasures by the person. Reads only."""
    answers: Answers = {}
    for tenant in TENANTS:
        for name, answer in (*_of_tenant(store, tenant), *_of_people(store, tenant)):
            answers[f"{tenant} {name}"] = answer
        for person, erasure_id in erasures[tenant].items():
            path = f"/api/rgpd/erasures/{erasure_id}"
            answers[f"{tenant} erasure of {person}"] = store(tenant, "GET", path)
    return answers


def _of_tenant(store: Store, tenant: str) -> Iterator[tuple[str, Any]]:
    for path in _LISTS:
        yield f"GET {path}", store(tenant, "GET", path, params={"limit": 100})
    sessions: list[Any] = []
    observations: list[Any] = []
    for page in pages(store, tenant, "/export"):
        sessions += page["sessions"]
        observations += page["observations"]
    yield "GET /export", {"sessions": sessions, "observations": observations}
    for each in observations:
        path = f"/observations/{each['id']}"
        yield f"GET {path}", store(tenant, "GET", path)
    for project in ("demo", "web"):
        yield f"GET /stats of {project}", store(tenant, "GET", "/stats", params={"project": project})
    reports = store(tenant, "GET", "/api/memory/maintain/history")
    yield "GET /api/memory/maintain/history", reports
    for report in reports["reports"]:
        path = f"/api/memory/maintain/history/{report['timestamp']}"
        yield f"GET {path}", store(tenant, "GET", path)


def _of_people(store: Store, tenant: str) -> Iterator[tuple[str, Any]]:
    for person, (agent, project, town) in PEOPLE.items():
        asked: list[tuple[str, dict[str, Any]]] = [
            ("/api/memory/episodes", {"userId": person, "limit": 100}),
            (f"/api/agents-config/{agent}", {}),
            (f"/api/agents/{agent}/users/{person}/facts", {"limit": 100}),
            (f"/api/rgpd/users/{person}/consent", {}),
            ("/api/memory/profile", {"userId": person}),
            ("/api/memory/conclusions", {"userId": person}),
            ("/api/memory/conclusions", {"userId": person, "agent_id": agent, "project": project}),
            ("/api/memory/profile", {"userId": person, "agent_id": agent, "project": project}),
            ("/api/entities", {"userId": person, "limit": 100}),
            ("/api/entities", {"userId": person, "agent_id": agent, "project": project}),
            ("/api/entities", {"userId": person, "q": "marta"}),
            (f"/api/users/{person}/preferences", {}),
            (f"/api/devices/phone-{person}", {}),
            ("/api/rgpd/audit-log", {"external_ref": person}),
            (f"/api/auth/tenants/{tenant}/dpa-status", {}),
            ("/observations/recent", {"project": project, "limit": 100}),
            ("/search", {"q": f"who told all about the comet {person}", "project": project}),
            ("/search", {"q": f"when does {person} deploy to {town}", "project": project, "mode": "bm25"}),
            ("/search", {"q": f"{person} drinks coffee", "project": project, "mode": "vector"}),
            ("/api/memory/search", {"q": f"trip to {town}", "userId": person}),
            ("/context", {"project": project}),
            ("/context", {"query": town, "agent_id": agent, "user_id": person, "project": project}),
        ]
        for name in ("talk", "chat", "later", "long", "short", "brief", "quiet", "sent", "due"):
            conversation = f"{name}-{person}"
            asked += [
                (f"/working-memory/{conversation}", {}),
                (f"/ledger/{conversation}", {}),
                (f"/episodic/{conversation}", {}),
                (f"/memory/sessions/{conversation}", {}),
                (f"/memory/sessions/{conversation}/events", {}),
                (f"/memory/sessions/{conversation}/context", {}),
            ]
        for path, params in asked:
            response = store.ask(tenant, "GET", path, params=params | _WHOLE.get(path, {}))
            answer = (
                json.loads(opened(response.text))
                if response.status_code < 400
                else {"status": response.status_code}
            )
            if path == "/context" and "agent_id" in params:  # beside the items stands the ranking
                answer = answer["items"]
            yield f"GET {path} {params}", answer
        everything: dict[str, list[Any]] = {}
        for page in pages(store, tenant, f"/api/rgpd/users/{person}/ai-data"):
            for kind, items in page["items"].items():
                everything.setdefault(kind, []).extend(items)
        yield f"GET all of {person}", everything


def differences(expected: Any, actual: Any, place: str = "") -> list[str]:
    """The places where an answer lacks something of an earlier version's, or says something else.

    Later versions may add fields. Scores, and which memories come behind the best one, are ranking's own
    business and are left out, as is which memories of which layers a context takes, and what it says of a
    session in place of the number of its messages: the fixtures are about what is stored.
    """
    if isinstance(expected, dict) and isinstance(actual, dict):
        return [
            found
            for name, value in expected.items()
            if name not in _SCORES | _SENTENCES
            for found in (
                differences(value, actual[name], f"{place}.{name}")
                if name in actual
                else [f"{place}.{name} is gone"]
            )
        ]
    if isinstance(expected, list) and isinstance(actual, list):
        if expected and isinstance(expected[0], dict) and "layer" in expected[0]:
            before = {item["id"]: _without_count(item) for item in expected}
            known = [item for item in actual if item["id"] in before]
            return [
                found for item in known for found in differences(before[item["id"]], item, f"{place}[known]")
            ] or [f"{place} has nothing of the earlier ones"] * (not known)
        if expected and isinstance(expected[0], dict) and _SCORES & expected[0].keys():
            best = [differences(expected[0], each, f"{place}[best]") for each in actual[:1]]
            return best[0] if best else [f"{place} is empty"]
        if len(expected) != len(actual):
            return [f"{place} has {len(actual)} entries, not {len(expected)}"]
        return [
            found
            for number, pair in enumerate(zip(expected, actual, strict=True))
            for found in differences(*pair, f"{place}[{number}]")
        ]
    return [] if expected == actual else [f"{place} is {actual!r}, not {expected!r}"]


def _without_count(item: dict[str, Any]) -> dict[str, Any]:
    """An item of a context, without a content that only counts the messages of its session."""
    return {name: value for name, value in item.items() if name != "content" or not only_counts(str(value))}
