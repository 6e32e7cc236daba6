"""A person with something of every kind, through the API, and what tests of erasure look at."""

import itertools
import json
from pathlib import Path
from typing import Any

import httpx

from strata.bootstrap import Application
from strata.domain.entities.shapes import Mention
from strata.domain.scope import Scope
from strata.ports.rows import Key, Put
from strata.services.entities.recording import Source
from strata.services.knowledge.person import Knowledge
from strata.services.records.knowledge import (
    conclusion_key,
    consolidation_key,
    declined_key,
    sighted_key,
)
from strata.services.records.owners import owned
from strata.services.records.parts import numbered
from strata.services.records.people import fact_key, facts_head_key
from support.api_calls import data
from support.memory import dialogue, observation

_numbers = itertools.count(1)

AGENT = "helper"


class Person:
    """Somebody of a tenant. `word` stands in everything they say, and in nothing of anybody else's."""

    def __init__(self, api: httpx.Client, name: str, tenant: str = "local") -> None:
        self.api = api
        self.name = name
        self.tenant = tenant
        self.word = f"zq{numbered(next(_numbers) * 7919)[-8:]}{name}"
        self.session = f"talk-{name}"
        self.early = f"early-{name}"

    def __call__(self, method: str, path: str, **sent: Any) -> Any:
        response = self.api.request(method, path, headers={"x-tenant": self.tenant}, **sent)
        assert response.status_code < 400, response.text
        return data(response) if response.content else None

    def fills(self) -> None:
        """Leave something of every kind that the API makes."""
        agent, word = {"agent_id": AGENT}, self.word
        self("PUT", f"/api/agents-config/{AGENT}", json={"memory_enabled": True})
        self("PUT", f"/api/rgpd/users/{self.name}/consent", json={"ai_consent": True})
        self("PUT", f"/api/users/{self.name}/preferences", json={"preferences": {"theme": word}})
        self("PUT", f"/api/devices/phone of {self.name}", json={"userId": self.name})
        self("PUT", "/api/memory/profile", json={"userId": self.name, "patterns": [f"asks of {word}"]})
        self("POST", "/sessions", json={"id": self.session, "project": "demo", "user_id": self.name} | agent)
        self.saves(f"likes {word}", topic_key=f"topic {word}", tags=[word])
        self.saves(f"told everyone of {word}", scope="global")
        gone = self.saves(f"was mistaken about {word}")
        self("DELETE", f"/observations/{gone['id']}")
        self("PUT", f"/working-memory/{self.session}", json={"plan": f"ask for {word}"})
        self("POST", f"/ledger/{self.session}/mark", json={"item": f"doc {word}", "value": word})
        self("POST", f"/memory/sessions/{self.session}/events", json=[self.event(1), self.event(2)])
        self(
            "POST",
            "/episodic/store",
            json={
                "conversation_id": self.session,
                "summary": f"spoke of {word}",
                "entities": [{"name": word}],
            }
            | agent,
        )
        answer = f"In summary, {word} works because of the following reasons. " * 12
        self(
            "POST",
            "/api/memory/ingest",
            json={"session_id": self.session, "response": answer, "tool_calls": 4},
        )
        said = [
            f"I decided to use {word} for {each} because it works" for each in ("a", "b", "c", "d", "e", "f")
        ]
        self("POST", f"/sessions/{self.session}/end", json={"messages": dialogue(*said), **agent})
        self.speaks_before_being_known()

    def speaks_before_being_known(self) -> None:
        """Leave memories in a conversation that is theirs only afterwards."""
        early = {"session_id": self.early}
        self("POST", "/observations", json=observation(content=f"said {self.word} early", **early))
        gone = self("POST", "/observations", json=observation(content=f"said {self.word} wrongly", **early))
        self("DELETE", f"/observations/{gone['id']}")
        summary = {"conversation_id": self.early, "agent_id": AGENT, "summary": f"early {self.word}"}
        self("POST", "/episodic/store", json=summary)
        self("PUT", f"/working-memory/{self.early}?user_id={self.name}", json={"early": self.word})

    def saves(self, content: str, **fields: Any) -> Any:
        body = observation(content=content, session_id=self.session, user_id=self.name, **fields)
        return self("POST", "/observations", json=body)

    def event(self, number: int) -> dict[str, Any]:
        return {
            "event_type": "user_message",
            "content": f"event {number} of {self.word}",
            "event_id": f"e{number}-{self.name}",
        }

    def is_known(self, app: Application) -> None:
        """Have facts, as the extraction writes them, and what follows from them."""
        scope, now = Scope(self.tenant), app.clock.now_us()
        fact = {
            "id": now,
            "agent_id": AGENT,
            "user_id": self.name,
            "session_id": self.session,
            "category": "preference",
            "value": self.word,
            "fact": f"Likes {self.word}",
            "basis": f"I like {self.word}",
            "hash": "0",
            "created_at": now,
        } | owned(self.name, "fact")
        head = {"version": 1} | owned(self.name, "fact")
        puts = [Put(fact_key(AGENT, self.name, now), fact), Put(facts_head_key(AGENT, self.name), head)]
        app.stores.table.transact(scope, puts + self._concluded(now))
        source = Source(f"fact-{now}", self.name, self.session, AGENT, "demo", True, now)
        sister = Mention(f"Marta {self.word}", "person", 0, 5, role="sister")
        app.entities.recorder.record(scope, source, [sister], [])

    def _concluded(self, now: int) -> list[Put]:
        """Rows about conclusions, as the dreamer and a deletion write them."""
        known = Knowledge(self.name, None)
        quotes = [{"text": self.word, "source": self.early, "at": now}]
        conclusion = {
            "id": "c1",
            "subject": "likes",
            "value_key": "",
            "value": self.word,
            "scope": "all",
            "single": False,
            "by": "rules",
            "corrected": False,
            "text": f"Likes {self.word}",
            "type": "explicit",
            "confidence": 0.8,
            "sources": [self.early],
            "sessions": [self.early],
            "quotes": quotes,
            "against": 0,
            "last": now,
            "agents": [],
            "projects": [],
            "confined": False,
            "run": now,
            "created_at": now,
            "updated_at": now,
        }
        sighted = {
            "session_id": self.early,
            "source": self.early,
            "agent_id": None,
            "by_app": False,
            "project": "demo",
            "run": now,
            "sightings": json.dumps([[self.word], [[]], [["likes", self.word, 1, 0, now, 0, "", 1.0]]]),
        }
        declined = {
            "id": "c2",
            "subject": f"likes:{self.word}",
            "value_key": "",
            "sessions": [self.early],
            "at": now,
        }
        change = {"before": {"c3": conclusion | {"id": "c3"}}, "after": []}
        counts = {"added": 0, "changed": 0, "removed": 1, "left_out": 0, "refused": [], "expires_at": now}
        run = {"id": now, "session_id": self.early, "at": now, "outcome": "concluded", "changes": [change]}
        run |= counts
        rows: dict[Key, dict[str, Any]] = {
            sighted_key(self.name, self.early): sighted,
            conclusion_key(self.name, "c1"): conclusion,
            declined_key(self.name, "c2"): declined,
            consolidation_key(self.name, now): run,
        }
        return [known.head, *(Put(key, row | known.listed) for key, row in rows.items())]

    def data(self) -> dict[str, list[Any]]:
        """Everything that is stored about them, page by page."""
        found: dict[str, list[Any]] = {}
        cursor = {}
        while True:
            page = self("GET", f"/api/rgpd/users/{self.name}/ai-data", params=cursor)
            for kind, items in page["items"].items():
                found.setdefault(kind, []).extend(items)
            if "next" not in page:
                return found
            cursor = {"cursor": page["next"]}

    def asks_to_be_erased(self) -> str:
        erasure: str = self("DELETE", f"/api/rgpd/users/{self.name}/ai-data")["erasure_id"]
        return erasure

    def receipt(self, erasure_id: str) -> dict[str, Any]:
        found: dict[str, Any] = self("GET", f"/api/rgpd/erasures/{erasure_id}")
        return found


def files_with(folder: Path, word: str) -> list[str]:
    """The files of a folder in whose bytes a word stands."""
    return [
        str(path.relative_to(folder))
        for path in sorted(folder.rglob("*"))
        if path.is_file() and word.encode() in path.read_bytes().lower()
    ]
