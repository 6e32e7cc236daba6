"""Shared by the tests about facts: agents that remember, conversations with facts, a scripted finder."""

from collections.abc import Callable, Sequence
from typing import Any

from strata.domain.facts.found import FoundFact
from strata.domain.ids import IdSource
from strata.domain.scope import Scope
from strata.domain.wire.agents import AgentConfigChange
from strata.domain.wire.consent import ConsentChange
from strata.services.facts.extraction import Extraction
from strata.services.facts.writer import FactWriter
from support.memory import LOCAL, Memory

AGENT, ANN = "helper", "ann"
TURNS = ("I live in Valencia.", "Noted.", "I love jazz.", "Nice.", "Please answer in English.", "Sure.")
"""A conversation of three turns of its user."""


class ScriptedFinder:
    """Finds what follows `I live in` or `I love` at the start of a turn; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.happening: Callable[[], object] = lambda: None

    def find(self, scope: Scope, turns: Sequence[str]) -> list[FoundFact]:
        self.asked.append(list(turns))
        self.happening()
        found = []
        for turn in turns:
            for start, category, says in (
                ("I live in ", "place", "Lives in"),
                ("I love ", "preference", "Loves"),
            ):
                if turn.startswith(start):
                    value = turn.removeprefix(start).rstrip(".")
                    found.append(FoundFact(category, value, f"{says} {value}", turn.rstrip(".")))  # type: ignore[arg-type]
        return found


def enable(memory: Memory, agent: str = AGENT, **fields: Any) -> None:
    change = AgentConfigChange.model_validate({"memory_enabled": True} | fields)
    memory.app.people.agents.put(memory.scope, agent, change)


def consent(memory: Memory, owner: str = ANN, **said: Any):
    return memory.app.people.consents.put(
        memory.scope, owner, ConsentChange.model_validate(said), "ann herself"
    )


def converse(
    memory: Memory,
    session: str = "s1",
    *said: str,
    agent: str | None = AGENT,
    owner: str | None = ANN,
    **end: Any,
) -> None:
    """A session from its start to its end."""
    memory.start(session, agent_id=agent, user_id=owner)
    memory.end(session, *(said or TURNS), **end)


def extract(memory: Memory, session: str = "s1", *, written_to: Any = None) -> None:
    """Work off the queue's message; the facts are written to another table where one is given."""
    facts, extraction = memory.app.facts, memory.app.facts.extraction
    if written_to is not None:
        clock = memory.app.clock
        writer = FactWriter(written_to, clock, IdSource())
        extraction = Extraction(memory.app.stores.table, clock, facts.fact_finder, writer)
    extraction.run(LOCAL, session)


def known(memory: Memory, agent: str = AGENT, owner: str = ANN) -> list[str]:
    """The stored facts that hold, newest first; of a person who refuses, too, of whom none is listed."""
    return [row["fact"] for row in memory.app.facts.catalog.newest(memory.scope, agent, owner, 100)]
