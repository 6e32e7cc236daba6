"""Configurations of agents: null takes a value back, and without any nobody configured the agent."""

import pytest

from strata.domain.scope import Scope
from strata.domain.wire.agents import AgentConfigChange
from strata.services.people.agents import configured
from support.memory import LOCAL

OTHER = Scope("globex")


@pytest.fixture
def put(memory):
    agents = memory.app.people.agents
    return lambda agent, scope=LOCAL, **fields: agents.put(
        scope, agent, AgentConfigChange.model_validate(fields)
    )


def known(memory, scope=LOCAL):
    return configured(memory.app.stores.table, scope, ["a1", "a2"])


def test_an_agent_whose_last_value_is_taken_back_is_not_configured(memory, put):
    for agent, scope in (("a1", LOCAL), ("a2", LOCAL), ("a1", OTHER)):
        put(agent, scope, memory_enabled=True, max_facts=5)
    assert (put("a1", memory_enabled=None).memory_enabled, known(memory)) == (False, {"a1", "a2"})
    taken = put("a1", max_facts=None)
    assert taken == memory.app.people.agents.get(LOCAL, "a1")
    assert (taken.max_facts, taken.updated_at, known(memory), known(memory, OTHER)) == (
        1000,
        None,
        {"a2"},
        {"a1"},
    )
    put("a1", memory_enabled=None)
    assert known(memory) == {"a2"}


def test_a_change_of_nothing_configures_an_agent(memory, put):
    put("a1")
    assert known(memory) == {"a1"}
