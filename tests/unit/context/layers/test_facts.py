"""The ten most recent facts stand in a context, for who may know them."""

import pytest

from strata.domain.wire.agents import AgentConfigChange
from strata.services.context.assemble import ContextOptions
from strata.services.context.layers.layer import ContextQuery
from support.facts import AGENT, ANN, consent, enable
from support.memory import LOCAL, learn


def told(memory, agent: str | None = AGENT, owner: str | None = ANN, **wished) -> list[str]:
    asked = ContextQuery(agent_id=agent, user_id=owner)
    context = memory.app.context.assembler.assemble(
        LOCAL, asked, ContextOptions(frozenset({"facts"}), **wished)
    )
    return [each.item.content for each in context.fitting]


@pytest.fixture
def facts(memory) -> list[str]:
    enable(memory)
    said = [f"Likes {word}" for word in ("tea", "chess", "rain", "maps", "bread", "jazz", "snow", "owls")]
    said += [f"Likes {word}" for word in ("clay", "ink", "figs", "moss")]
    learn(memory.app, LOCAL, *(("preference", each) for each in said), agent=AGENT, owner=ANN)
    return said


def test_the_ten_newest_are_told(memory, facts):
    assert sorted(told(memory)) == sorted(facts[2:])


def test_nothing_is_told_to_another_agent_or_of_another_person(memory, facts):
    enable(memory, "other")
    assert told(memory, "other") == told(memory, None) == told(memory, owner="bob") == []


def test_nothing_is_told_while_the_agent_may_not_remember(memory, facts):
    memory.app.people.agents.put(LOCAL, AGENT, AgentConfigChange(memory_enabled=False))
    assert told(memory) == []


@pytest.mark.parametrize("said", [{"ai_consent": False}, {"persist": False}])
def test_nothing_is_told_of_who_refuses_until_they_agree_again(memory, facts, said):
    consent(memory, **said)
    assert told(memory) == []
    consent(memory, ANN, **dict.fromkeys(said, True))
    assert len(told(memory)) == 10


def test_a_turn_that_is_asked_for_again_gets_the_same_facts_unless_they_may_no_longer_be_told(memory, facts):
    first = told(memory, conversation_id="c1", turn_id="t1")
    assert len(first) == 10
    learn(memory.app, LOCAL, ("preference", "Likes new things"), agent=AGENT, owner=ANN)
    assert sorted(told(memory, conversation_id="c1", turn_id="t1")) == sorted(first)
    consent(memory, ai_consent=False)
    assert told(memory, conversation_id="c1", turn_id="t1") == []
