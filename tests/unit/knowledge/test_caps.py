"""A run adds a few conclusions at most, and stops before it would take many away."""

import pytest

from strata.domain.times import DAY
from strata.services.knowledge.conclusions import Wanted
from strata.services.knowledge.dreamer import NEW
from support.clocks import HandClock
from support.knowledge_machine import OWNER, dreamer
from support.memory import LOCAL, Memory, application


@pytest.fixture
def memory(tmp_path, clock: HandClock) -> Memory:
    return Memory(application(tmp_path, clock))


def consolidated(memory: Memory, session: str, *said: str) -> str:
    """The outcome of a session's consolidation."""
    memory.app.clock.forward(DAY)  # type: ignore[attr-defined]
    memory.start(session, user_id=OWNER)
    memory.end(session, *(words for each in said for words in (each, "ok")))
    dreamer(memory).run(LOCAL, session)
    return memory.app.knowledge.consolidations.listed(LOCAL, OWNER, 1)[0].outcome


def known(memory: Memory) -> list[str]:
    found = memory.app.knowledge.conclusions.listed(LOCAL, OWNER, Wanted())
    return sorted(each.text.strip() for each in found)


def test_what_is_above_the_cap_waits_for_the_next_run(memory):
    consolidated(memory, "s1", *(f"a{number:02}=x" for number in range(NEW + 5)))
    (run,) = memory.app.knowledge.consolidations.listed(LOCAL, OWNER, 10)
    assert (run.added, run.left_out, len(known(memory))) == (NEW, 5, NEW)
    consolidated(memory, "s2", "hello=x")
    assert len(known(memory)) == NEW + 6


@pytest.mark.parametrize(("replaced", "outcome"), [(2, "concluded"), (3, "stopped")])
def test_a_run_that_would_replace_more_than_a_fifth_stops_and_says_so(memory, replaced, outcome):
    consolidated(memory, "s1", *(f"A{number}=x" for number in range(10)))
    before = known(memory)
    assert consolidated(memory, "s2", *(f"A{number}=y" for number in range(replaced))) == outcome
    assert len(set(before) - set(known(memory))) == (replaced if outcome == "concluded" else 0)
    assert consolidated(memory, "s3", "B=z") == "concluded"
    assert "B z" in known(memory)


def test_of_less_than_ten_a_run_may_replace_any(memory):
    consolidated(memory, "s1", *(f"A{number}=x" for number in range(9)))
    assert consolidated(memory, "s2", *(f"A{number}=y" for number in range(9))) == "concluded"
    assert all(each.endswith("y") for each in known(memory))


def test_an_undo_leaves_what_a_later_run_changed(memory):
    consolidated(memory, "s1", "tea=x", "jazz=x")
    consolidated(memory, "s2", "tea=x")
    room = memory.app.knowledge.consolidations
    _, first = room.listed(LOCAL, OWNER, 10)
    undone = room.undo(LOCAL, OWNER, first.id)
    assert (undone.restored, undone.kept) == (1, 1)
    assert known(memory) == ["tea"]
    assert room.undo(LOCAL, OWNER, first.id) == undone.model_copy(update={"already": True})
    assert known(memory) == ["tea"]
