"""Runs of the dreamer that are undone, in whatever order, leave what was there before them."""

import itertools

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from strata.domain.times import DAY
from strata.services.knowledge.conclusions import Wanted
from support.clocks import HandClock
from support.knowledge_machine import dreamer, state
from support.memory import LOCAL, Memory, application
from support.run_size import size

_numbers = itertools.count()
_SAID = st.tuples(
    st.sampled_from(["HOME", "tea"]),
    st.sampled_from("ab"),
    st.booleans(),
    st.sampled_from([("lab", "a1"), ("shop", "a1"), ("shop", "a2")]),
)


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    memory = Memory(application(tmp_path_factory.mktemp("undo"), HandClock()))
    yield memory
    memory.app.close()


class Person:
    """Somebody whose sessions are consolidated one after the other."""

    def __init__(self, memory: Memory) -> None:
        self.memory, self.name = memory, f"p{next(_numbers)}"
        self.sessions: list[str] = []

    def says(self, subject: str, value: str, again: bool, place: tuple[str, str]) -> str | None:
        """A session about this, or other words in the last one; the run, if there was one."""
        self.memory.app.clock.forward(DAY)  # type: ignore[attr-defined]
        if not again or not self.sessions:
            self.sessions.append(f"{self.name}-{len(self.sessions)}")
            project, agent = place
            self.memory.start(self.sessions[-1], project, user_id=self.name, agent_id=agent)
        before = self.runs
        self.memory.end(self.sessions[-1], f"{subject}={value}", "ok")
        dreamer(self.memory).run(LOCAL, self.sessions[-1])
        return next(iter(set(self.runs) - set(before)), None)

    @property
    def runs(self) -> list[str]:
        return [each.id for each in self.memory.app.knowledge.consolidations.listed(LOCAL, self.name, 100)]

    @property
    def known(self) -> list[str]:
        listed = self.memory.app.knowledge.conclusions.listed(LOCAL, self.name, Wanted())
        return sorted(each.text.strip() for each in listed)

    def undoes(self, run: str) -> tuple[int, int]:
        undone = self.memory.app.knowledge.consolidations.undo(LOCAL, self.name, run)
        return undone.restored, undone.kept


@settings(max_examples=size(300), deadline=None)
@given(first=st.lists(_SAID, max_size=3), then=st.lists(_SAID, min_size=1, max_size=5), data=st.data())
def test_runs_that_are_all_undone_leave_what_was_before_them(memory, first, then, data):
    ann, bob = Person(memory), Person(memory)
    for each in first:
        ann.says(*each)
    before = state(memory, ann.name)
    runs = [run for each in then if (run := ann.says(*each))]
    bob.says(*then[0])
    others = state(memory, bob.name)
    for run in data.draw(st.permutations(runs)):
        ann.undoes(run)
    assert state(memory, ann.name) == before
    assert state(memory, bob.name) == others


def test_a_removal_is_undone_only_where_nothing_was_concluded_of_it_since(memory):
    ann = Person(memory)
    place = "lab", "a1"
    ann.says("HOME", "a", False, place)
    runs = [
        ann.says("tea", "a", True, place),
        ann.says("HOME", "a", False, place),
        ann.says("HOME", "b", False, place),
    ]
    for run in runs[:2]:
        ann.undoes(run)
    assert ann.known == ["HOME b"]
    ann.undoes(runs[2])
    assert ann.known == ["HOME a"]


def test_a_change_of_an_undone_run_goes_with_the_later_run_that_rested_on_it(memory):
    ann = Person(memory)
    first, second, third = (ann.says("tea", "x", False, ("lab", "a1")) for _ in range(3))
    assert ann.undoes(first) == (0, 1)
    assert ann.undoes(third) == (1, 0)
    assert ann.known == ["tea"], "the second run stands"
    assert ann.undoes(second) == (1, 0)
    assert ann.known == []
    assert ann.undoes(first) == (1, 0), "what it could not put back then is put back now"


def test_an_undone_removal_comes_back_once_what_was_said_after_it_is_undone(memory):
    ann = Person(memory)
    ann.says("HOME", "a", False, ("lab", "a1"))
    moved, stayed = (ann.says("HOME", "b", False, ("lab", "a1")) for _ in range(2))
    assert ann.known == ["HOME b"]
    assert ann.undoes(moved) == (0, 1)
    assert ann.known == ["HOME b"]
    ann.undoes(stayed)
    assert ann.known == ["HOME a"]


def test_a_run_that_is_undone_after_all_was_deleted_puts_nothing_back_and_counts_nothing_as_kept(memory):
    ann = Person(memory)
    run = ann.says("tea", "x", False, ("lab", "a1"))
    assert ann.undoes(run) == (1, 0)
    ann.says("tea", "x", False, ("lab", "a1"))
    memory.app.knowledge.conclusions.delete_all(LOCAL, ann.name)
    assert ann.undoes(run) == (1, 0)
    assert ann.known == []
