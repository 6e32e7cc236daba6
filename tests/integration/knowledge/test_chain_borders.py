"""From what people say to every place where it shows: two people, agents and projects, a model and rules.

Everybody's words hold a mark of person, agent and project; nothing that one reads holds another's.
"""

import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from strata.bootstrap import Overrides
from strata.domain.model_costs import Usage
from strata.domain.times import DAY
from strata.ports.models import Question
from strata.services.facts.finders import FactsByRules
from support.api import ClaimsFromHeader, client
from support.clocks import HandClock
from support.memory import Memory, application, dialogue
from support.run_size import FULL

READS = 10_000 if FULL else 300
PEOPLE, AGENTS, PROJECTS = ("ann", "bob"), ("cook", "clerk"), ("shop", "lab")
CELLS = list(itertools.product(PEOPLE, AGENTS, PROJECTS))
MARK = re.compile(
    "zq" + "".join(f"({'|'.join(names)})" for names in (PEOPLE, AGENTS, PROJECTS)), re.IGNORECASE
)


class GreedyModel:
    """Concludes something from every message and every conclusion that it is shown."""

    name = "greedy"

    def ask(self, question: Question, shape: Any, usage: Usage) -> Any:
        shown = json.loads(question.text)
        if "statements" in shown:
            every = [{"text": each["text"], "sources": [each["number"]]} for each in shown["statements"]]
            return shape.model_validate({"sentences": every})
        return shape.model_validate({"conclusions": list(self._proposed(shown)), "about": []})

    def _proposed(self, shown: Any) -> Iterator[dict[str, Any]]:
        first, *_ = shown["messages"]
        for told in [*shown["messages"], *shown["conclusions"]]:
            cited = [told["id"]] if "id" in told else []
            yield {
                "type": "abductive",
                "text": f"Thinks of {told['text']}"[:300],
                "confidence": 0.6,
                "sources": [first["number"], *cited],
                "quotes": [first["text"][:100]],
            }


def said(mark: str) -> list[list[str]]:
    """The words of one person to one agent in one project, on three days."""
    return [
        [f"My dentist is Dr {mark.title()}.", f"The {mark}loaf needs flour", "Bye"],
        [f"I love {mark}tea.", f"Is the {mark}loaf ready?", "Bye"],
        [f"My name is {mark.title()}.", f"Baked one more {mark}loaf", "Bye"],
    ]


@pytest.fixture
def ask(tmp_path: Path) -> Iterator[Any]:
    clock = HandClock()
    app = application(
        tmp_path, clock, Overrides(language_model=GreedyModel(), fact_finder=FactsByRules()), AUTH="required"
    )
    api, memory = client(app, ClaimsFromHeader()), Memory(app)

    def asked(method: str, path: str, **sent: Any) -> str:
        response = api.request(method, path, headers={"x-tenant": "local"}, **sent)
        assert response.status_code < 300, response.text
        return response.text

    for agent in AGENTS:
        asked("PUT", f"/api/agents-config/{agent}", json={"memory_enabled": True})
    for day in range(3):
        for person, agent, project in CELLS:
            session = f"{person}-{agent}-{project}-{day}"
            body = {"id": session, "project": project, "user_id": person, "agent_id": agent}
            asked("POST", "/sessions", json=body)
            words = said(f"zq{person}{agent}{project}")[day]
            messages = dialogue(*(each for line in words for each in (line, "ok")))
            asked("POST", f"/sessions/{session}/end", json={"messages": messages})
        memory.work()
        clock.forward(DAY)
    yield asked
    app.close()


def read(rng: Random, person: str, agent: str | None, project: str | None) -> tuple[str, str, dict[str, Any]]:
    """A read of somebody with an agent in a project."""
    where = {name: value for name, value in (("agent_id", agent), ("project", project)) if value}
    other = rng.choice([f"zq{''.join(cell)}" for cell in CELLS])
    about = {"userId": person} | where
    return rng.choice(
        [
            ("GET", "/api/memory/conclusions", {"params": about}),
            ("GET", "/api/memory/conclusions", {"params": about | {"type": "inferred"}}),
            ("GET", "/api/memory/profile", {"params": about}),
            ("GET", "/api/memory/profile/history", {"params": about}),
            ("GET", "/context", {"params": where | {"user_id": person, "query": other, "layers": LAYERS}}),
            ("POST", "/api/memory/ask", {"json": about | {"question": rng.choice(QUESTIONS)}}),
            ("GET", f"/api/agents/{agent or AGENTS[0]}/users/{person}/facts", {}),
        ]
    )


QUESTIONS = "Who is the dentist?", "What is the name?"
LAYERS = "profile,conclusions,facts"


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_no_read_crosses_a_border_of_people_agents_or_projects(ask: Any) -> None:
    rng, seen, crossed = Random(14), set(), []
    for _ in range(READS):
        person, agent, project = (
            rng.choice(PEOPLE),
            rng.choice([*AGENTS, None]),
            rng.choice([*PROJECTS, None]),
        )
        method, path, sent = read(rng, person, agent, project)
        answer = json.loads(ask(method, path, **sent))
        for part in answer.get("items") or answer.get("statements") or [answer]:
            is_fact = "/facts" in path or part.get("layer") == "facts"
            of_agent = agent or (AGENTS[0] if "/facts" in path else None)
            for mark in MARK.finditer(json.dumps(part)):
                theirs = tuple(name.lower() for name in mark.groups())
                # a fact is its agent's, whatever the project
                asker = (person, of_agent or theirs[1], None if is_fact else project)
                if theirs != (*asker[:2], asker[2] or theirs[2]):
                    crossed.append((theirs, asker, path))
                seen.add((path, theirs))
    assert crossed == []
    assert {cell for _, cell in seen} == set(CELLS)
    assert {path.partition("users")[0] for path, _ in seen} >= {
        "/api/memory/conclusions",
        "/api/memory/profile",
        "/api/memory/profile/history",
        "/context",
        "/api/memory/ask",
    }
