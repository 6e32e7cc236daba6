"""Each function of the template may do what it does, and is told of the queues that it uses.

One tenant's story goes through every route, every queue, the stream and the schedule over a real DynamoDB;
what every function asks for meanwhile is held against its policies in the template.
"""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from servers.tables import dynamodb_client, table_settings
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.entrypoints.mcp.tools import OPTIONAL
from strata.local.template import declarations
from strata.local.template.dynamodb import create_table
from strata.ports.rows import Put
from strata.services.records.observations import observation_key
from strata.services.records.people import consent_key
from support.api import ClaimsFromHeader, client
from support.api_calls import called
from support.clocks import HandClock
from support.iam_policies import FUNCTIONS, allows, holds, own, shared
from support.iam_recorder import Deployed
from support.memory import dialogue
from support.person import AGENT, Person

pytestmark = pytest.mark.xdist_group("permissions")

OURS = "ours"
REFUSED = {"GET /mcp", "DELETE /mcp"}
"""Whoever asks is told to use another method."""
NAMING_ROLES = {
    "index:read": "ReadDomain",
    "index:write": "WriteDomain",
    "model:embed": "EmbedByBedrock",
    "model:embed_query": "EmbedByBedrock",
}
"""The policies that name the functions which may, and not the other way round."""


@pytest.fixture(scope="module")
def deployed(dynamodb_local: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    """A deployment in which everything has happened."""
    folder = tmp_path_factory.mktemp("deployed")
    dynamodb, name = dynamodb_client(dynamodb_local), f"asked-{uuid4().hex}"
    create_table(dynamodb, name)
    where = table_settings(dynamodb_local, name)
    clock = HandClock()
    deployed = Deployed(folder, dynamodb, clock, **where, TENANT_REQUESTS="1000")
    with client(deployed.app, ClaimsFromHeader()) as api:
        Story(deployed, api, clock).happens()
    yield deployed
    deployed.close()


class Story:
    """Everything, once, with success."""

    def __init__(self, deployed: Deployed, api: Any, clock: HandClock) -> None:
        self._deployed = deployed
        self._clock = clock
        self.ann, self.bob = Person(api, "ann", OURS), Person(api, "bob", OURS)

    def happens(self) -> None:
        self.ann.fills()
        self._works()
        self._somebody_is_let_in()
        self._observations_are_read()
        self._a_conversation_goes_on()
        self._episodes_are_found()
        self._events_are_kept()
        self._people_are_known()
        self._a_session_is_ended_twice()
        self._maintenance_is_done()
        self._a_row_can_not_be_processed()
        self._people_are_forgotten()

    def _works(self) -> None:
        """Let all that waits be done, and what that leads to."""
        for _ in range(5):
            self._deployed.work()
            self._clock.forward(120)

    def _somebody_is_let_in(self) -> None:
        key = self._deployed.app.credentials.keys.create(OURS, scopes=["read"]).key
        admit = self._deployed.app.handlers.authorizer()
        assert admit({"identitySource": [f"Bearer {key}"]}, None)["isAuthorized"]
        assert not admit({"identitySource": ["Bearer strata_0123456789ab_no-such-key"]}, None)["isAuthorized"]

    def _observations_are_read(self) -> None:
        ann = self.ann
        saved = ann.saves("a thing to be changed", topic_key="thing", tags=["new"])["id"]
        ann("PATCH", f"/observations/{saved}", json={"title": "Changed", "content": "a changed thing"})
        ann("GET", f"/observations/{saved}")
        ann("GET", "/observations/recent", params={"project": "demo"})
        ann("GET", "/timeline", params={"observation_id": saved})
        ann("GET", "/sessions/recent")
        ann("GET", "/stats")
        for route in ("health", "api/health", "openapi.json"):
            ann("GET", f"/{route}")
        for service in ("memory-maintenance", "memory-semantic", "resource-guard"):
            ann("GET", f"/health/{service}")
        assert ann.api.get("/metrics", headers={"x-tenant": OURS}).is_success
        for mode in ("hybrid", "bm25", "vector"):
            assert ann("GET", "/search", params={"q": ann.word, "mode": mode})
        ann("DELETE", f"/observations/{saved}", params={"hard": "true"})
        page = ann("GET", "/export")
        moved = {"sessions": page["sessions"], "observations": page["observations"]}
        others = Person(ann.api, "ann", "others")
        assert others("POST", "/import", json=moved)["imported_observations"]
        self._everything_is_carried(ann, others)
        self._nobodys_disk_is_read()
        self._a_client_of_engram_is_served()
        self._a_question_is_answered_and_what_it_tells_forgotten()
        tools = {
            "memory_ask_about_user": {"question": f"What is {ann.word}?"},
            "mem_save": {"type": "decision", "title": "t", "content": "by a tool", "topic_key": "thing"},
            "mem_search": {"query": ann.word},
            "mem_context": {"query": ann.word},
            "mem_get": {"id": page["observations"][0]["id"]},
            "mem_timeline": {"id": page["observations"][0]["id"]},
            "mem_forget": {"query": ann.word},
            "mem_session_summary": {"content": "We looked at everything."},
            "mem_update": {"id": ann.saves("a thing for tools")["id"], "content": "a thing by tools"},
            "mem_delete": {"id": ann.saves("a thing that goes", topic_key="goes")["id"]},
        }
        for tool, arguments in tools.items():
            offered = {"project": "demo", "user_id": "ann", "tools": tool if tool in OPTIONAL else ""}
            answer = ann("POST", "/mcp", params=offered, json=called(tool, **arguments))
            assert not answer["result"].get("isError"), answer

    def _a_question_is_answered_and_what_it_tells_forgotten(self) -> None:
        ann, about = self.ann, {"userId": "ann", "project": "demo"}
        ann.saves("The marmalade is bitter orange")
        ann("POST", "/api/memory/ask", json=about | {"question": "Which marmalade?"})
        shown = ann("POST", "/api/memory/forget", json=about | {"query": "bitter orange marmalade"})
        named = {"ids": [each["id"] for each in shown["forgotten"]], "dry_run": False}
        assert ann("POST", "/api/memory/forget", json=about | named)["forgotten"]

    def _a_conversation_goes_on(self) -> None:
        ann, memory = self.ann, "/working-memory/talk"
        ann("PUT", f"{memory}?user_id=ann", json={"plan": "a", "notes": "b"})
        ann("PUT", memory, json={"plan": "c"})
        ann("GET", memory)
        asked = {"agent_id": AGENT, "user_id": "ann", "project": "demo", "query": ann.word}
        for turn in ("t1", "t2"):
            ann("GET", "/context", params=asked | {"conversation_id": "talk", "turn_id": turn})
        ann("GET", "/context", params={"project": "demo", "query": ann.word})
        for item in ("one", "two"):
            assert ann("POST", "/ledger/talk/mark", json={"item": item, "user_id": "ann"})["marked"]
        assert ann("POST", "/ledger/talk/check", json={"item": "one"})["injected"]
        assert ann("GET", "/ledger/talk")
        assert ann("POST", "/ledger/talk/evict", json={"item": "one"})["evicted"]
        assert ann("DELETE", memory, params={"fields": "plan"})["deleted"]
        assert ann("DELETE", memory)["deleted"]

    def _episodes_are_found(self) -> None:
        ann = self.ann
        body = {
            "conversation_id": ann.session,
            "agent_id": AGENT,
            "user_id": "ann",
            "summary": "about herons",
        }
        stored = ann("POST", "/episodic/store", json=body | {"ttl_days": 1})["id"]
        self._works()
        found = ann("POST", "/episodic/search", json={"query": "herons", "agent_id": AGENT, "user_id": "ann"})
        assert found["results"]
        assert ann("GET", f"/episodic/{ann.session}")["episodes"]
        assert ann("GET", "/api/memory/episodes", params={"userId": "ann"})["count"]
        assert ann("GET", "/api/memory/search", params={"q": "herons", "userId": "ann"})["results"]
        ann("DELETE", f"/api/memory/episodes/{stored}", params={"userId": "ann"})

    def _everything_is_carried(self, ann: Person, others: Person) -> None:
        for asked in ({"kinds": "all"}, {"user_id": "ann"}):
            answer = ann.api.get(
                "/export", params={"format": "jsonl"} | asked, headers={"x-tenant": ann.tenant}
            )
            assert answer.text.endswith('{"kind":"end"}\n')
        headers = {"x-tenant": others.tenant, "content-type": "application/x-ndjson"}
        moved = others.api.post("/import", content=answer.text, headers=headers).json()
        assert moved["imported"]["episode"]
        theirs = {"x-tenant": others.tenant}
        everything = others.api.get("/export", params={"format": "jsonl"}, headers=theirs).text
        for each in others("GET", "/observations/recent", params={"project": "demo"}):
            others("DELETE", f"/observations/{each['id']}")
        asked = {"resurrect": "true"}
        back = others.api.post("/import", params=asked, content=everything, headers=headers).json()
        assert back["imported"]["observation"]

    def _events_are_kept(self) -> None:
        ann, kept = self.ann, "/memory/sessions/kept"
        ann("POST", "/memory/sessions", json={"session_id": "kept", "user_id": "ann"})
        ann("POST", f"{kept}/events", json=[ann.event(1), ann.event(2)])
        ann("POST", f"{kept}/events", json=ann.event(3))
        for path in ("events", "sessions", "sessions/kept", "sessions/kept/events", "sessions/kept/context"):
            assert ann("GET", f"/memory/{path}")
        self._works()
        assert ann("GET", "/memory/stats")["total_events"]
        assert ann("DELETE", kept)["deleted"]
        ann("POST", "/memory/sessions", json={"session_id": "left", "user_id": "ann"})
        self._clock.forward(3600 * 100)
        assert ann("POST", "/memory/cleanup", json={"max_age_hours": 1})["cleaned"]

    def _nobodys_disk_is_read(self) -> None:
        assert self.ann("GET", "/api/memory/sources") == {"sources": []}
        assert self.ann("POST", "/api/memory/import")["imported"] == 0
        assert self.ann("GET", "/project/current", params={"cwd": "/w/demo"})["project"] == "demo"

    def _a_client_of_engram_is_served(self) -> None:
        ann, prompt = self.ann, {"session_id": "engram-1", "content": "why?", "project": "engram"}
        assert ann("POST", "/prompts", json=prompt)["id"]
        report = prompt | {"content": "## Key Learnings:\n1. A learning of some words"}
        assert ann("POST", "/observations/passive", json=report)["saved"] == 1
        self._works()
        asked = {"old_project": "engram", "new_project": "demo"}
        assert ann("POST", "/projects/migrate", json=asked)["observations"] == 1
        assert ann("GET", "/sessions/engram-1")["project"] == "demo"
        self._works()

    def _people_are_known(self) -> None:
        for person in (self.ann, self.bob):
            person("PUT", f"/api/rgpd/users/{person.name}/consent", json={"ai_consent": True})
            person("POST", f"/api/rgpd/sessions/known-{person.name}/consent", json={"consent": True})
            talk = {
                "id": f"known-{person.name}",
                "project": "demo",
                "user_id": person.name,
                "agent_id": AGENT,
            }
            person("POST", "/sessions", json=talk)
            said = dialogue(
                "I live in Valencia.", "Noted.", "My name is Ana.", "Nice.", "Remember it.", "Yes."
            )
            person("POST", f"/sessions/known-{person.name}/end", json={"messages": said, "agent_id": AGENT})
        self._works()
        facts = f"/api/agents/{AGENT}/users/ann/facts"
        known = self.ann("GET", facts)["facts"]
        assert known
        self.ann("DELETE", f"{facts}/{known[0]['id']}")
        self.ann("GET", f"/api/agents-config/{AGENT}")
        self.ann("GET", "/api/rgpd/users/ann/consent")
        assert self.ann("GET", "/api/devices/phone of ann")["userId"] == "ann"
        assert self.ann("GET", "/api/users/ann/preferences")["preferences"]
        off = {"preferences": {"privacySettings": {"storeTranscripts": False}}}
        self.bob("PUT", "/api/users/someone/preferences", json=off)
        self.ann("PUT", "/api/devices/lost", json={"userId": "ann"})
        self.ann("POST", "/api/devices/lost/link", json={"userId": "ann"})
        self.ann("DELETE", "/api/devices/lost")
        self.ann("GET", "/api/memory/profile/history", params={"userId": "ann"})
        assert self.ann("GET", "/api/memory/profile", params={"userId": "ann"})["profile"]["patterns"]
        assert self.ann("GET", "/api/memory/profile/history", params={"userId": "ann"})
        self._entities_are_edited()
        conclusions = "/api/memory/conclusions"
        drawn = self.ann("GET", conclusions, params={"userId": "ann", "agent_id": AGENT})["conclusions"]
        assert drawn
        self.ann("DELETE", f"{conclusions}/{drawn[0]['id']}", params={"userId": "ann"})
        runs = "/api/memory/consolidations"
        (run, *_) = self.ann("GET", runs, params={"userId": "ann"})["consolidations"]
        self.ann("POST", f"{runs}/{run['id']}/undo", params={"userId": "ann"})
        self.ann("DELETE", conclusions, params={"userId": "ann"})
        assert self.ann("GET", "/api/rgpd/users/ann/ai-data")["items"]
        self.ann("POST", f"/api/auth/tenants/{OURS}/dpa-accept")
        assert self.ann("GET", f"/api/auth/tenants/{OURS}/dpa-status")["accepted"]
        for asked in ({}, {"external_ref": "ann"}):
            assert self.ann("GET", "/api/rgpd/audit-log", params=asked)

    def _entities_are_edited(self) -> None:
        mine, path = {"params": {"userId": "ann", "agent_id": AGENT}}, "/api/entities"
        told = {"conversation_id": "known-ann", "agent_id": AGENT, "user_id": "ann"}
        summary = "My sister Marta Gil of Bilbao called."
        for agent in (AGENT, "of-no-configuration"):
            self.ann("POST", "/episodic/store", json=told | {"summary": summary, "agent_id": agent})
        self._works()
        offered = {"user_id": "ann", "tools": "mem_entity"}
        answer = self.ann("POST", "/mcp", params=offered, json=called("mem_entity", entity="marta gil"))
        assert "Bilbao called" in answer["result"]["content"][0]["text"]
        assert self.ann("GET", f"{path}/stats", **mine)["total"] > 1
        self.ann("GET", f"{path}/merge-proposals", **mine)
        first, second = (each["id"] for each in self.ann("GET", path, **mine)["entities"][:2])
        asked = mine["params"] | {"q": "marta", "type": "person"}
        assert self.ann("GET", path, params=asked)["entities"]
        self.ann("PUT", f"{path}/{first}", json={"aliases": ["Tita"], "confidence": 1}, **mine)
        self.ann("POST", f"{path}/{first}/merge", json={"sourceId": second}, **mine)
        for part in ("", "/episodes", "/conclusions", "/relationships", "/graph"):
            self.ann("GET", f"{path}/{second}{part}", **mine)
        page = self.ann.api.get(f"{path}/{second}/page", params=mine["params"], headers={"x-tenant": OURS})
        assert page.text.startswith("# ")
        self.ann("POST", f"{path}/{first}/merge/undo", json={"sourceId": second}, **mine)
        self.ann("DELETE", f"{path}/{second}", **mine)
        self.ann("POST", f"{path}/{second}/restore", **mine)

    def _a_session_is_ended_twice(self) -> None:
        """The second end is worth no episode: that of the first one goes."""
        assert self.ann("GET", f"/episodic/{self.ann.session}")["episodes"]
        self.ann("POST", f"/sessions/{self.ann.session}/end", json={"messages": dialogue("bye")})

    def _maintenance_is_done(self) -> None:
        """Twice, by hand and by the queue, while the stream has forgotten a change and an erasure goes on."""
        self._works()
        self.ann.saves("something to be swept")
        erasure = Person(self.ann.api, "zoe", OURS).asks_to_be_erased()
        self._clock.forward(90_000)
        report = self.ann("POST", "/api/memory/maintain")
        assert (report["status"], report["errors"]) == ("done", {})
        assert (report["summary"]["notes"], report["summary"]["erasures"]) == ({"renewed": 1}, {"resumed": 1})
        assert self.ann("GET", "/api/memory/maintain/history")["reports"]
        self.ann("GET", f"/api/memory/maintain/history/{report['timestamp']}")
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("strata.entrypoints.http.maintenance.ANSWER_WITHIN", 0)
            assert self.ann("POST", "/api/memory/maintain")["status"] == "running"
        self._clock.forward(90_000)
        sweep, now = self._deployed.app.handlers.sweep(), self._clock.now_us() // 1000
        message = {"messageId": "1", "body": json.dumps({"tenant": OURS, "run": now})}
        assert sweep({"Records": [message]}, None) == {"batchItemFailures": []}
        self._works()
        assert self.ann.receipt(erasure)["status"] == "done"
        sweep({"time": rfc3339(self._clock.now_us())}, None)
        self._works()

    def _a_row_can_not_be_processed(self) -> None:
        row = Put(observation_key("broken", 1), {"id": 1})
        self._deployed.app.stores.table.transact(Scope("others"), [row])
        self._works()

    def _people_are_forgotten(self) -> None:
        refusal = {"ai_consent": False, "erase": True}
        self.bob("PUT", "/api/rgpd/users/bob/consent", json=refusal)
        assert not self.bob("GET", f"/api/agents/{AGENT}/users/bob/facts")["facts"]
        self._works()
        consent = self._deployed.app.stores.table.get(Scope(OURS), consent_key("bob"))
        assert consent is not None
        assert "forgets" not in consent, "the indexer has looked a second time"
        erasure = self.ann.asks_to_be_erased()
        self._works()
        assert self.ann.receipt(erasure)["status"] == "done"


def test_every_route_has_answered_and_every_function_has_worked(deployed: Deployed) -> None:
    routes = {
        f"{route.method} {route.path}"
        for function in declarations.load().functions.values()
        for route in function.routes
    }
    assert routes - deployed.asking.answered == REFUSED
    assert set(deployed.asking.asked) == set(FUNCTIONS)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_may_do_what_it_does(deployed: Deployed, function: str) -> None:
    refused = {
        f"{function} may not {asked[0]} on {asked[1]}"
        for asked, partition in deployed.asking.asked[function]
        if not (
            holds(function, NAMING_ROLES[asked[0]])
            if asked[0] in NAMING_ROLES
            else allows(function, asked, partition)
        )
    }
    assert not refused, "; ".join(sorted(refused))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_makes_use_of_every_policy_that_it_holds(deployed: Deployed, function: str) -> None:
    used = deployed.asking.of(function)
    idle = {name for name, allowed in shared(function).items() if name != "UseKey" and not allowed & used}
    idle |= {f"{action} on {resource}" for action, resource in own(function) - used}
    held = {action: policy for action, policy in NAMING_ROLES.items() if holds(function, policy)}
    needed = {NAMING_ROLES[action] for action, _ in used if action in NAMING_ROLES}
    idle |= set(held.values()) - needed
    assert not idle, f"{function} never uses {', '.join(sorted(idle))}"
