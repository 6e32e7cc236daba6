"""Totals follow the stream, whatever it does to its records."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.services.records.observations import observation_key
from strata.services.records.sessions import session_key
from support.memory import LOCAL, Memory, application


def totals(memory, project=None):
    stats = memory.app.stream.totals.stats(LOCAL, project)
    return stats.total_sessions, stats.total_observations


def test_an_empty_store_has_nothing(memory):
    assert memory.stats().model_dump() == {"total_sessions": 0, "total_observations": 0, "projects": []}


def test_totals_count_rows_and_not_saves(memory):
    memory.start("s1", "Demo")
    memory.start("s2", "Other")
    first = memory.save("a fact", topic_key="k")
    memory.save("a newer fact", topic_key="k")
    memory.save("a newer fact")
    memory.save("another", project="other")
    stats = memory.stats()
    assert (stats.total_sessions, stats.total_observations) == (2, 2)
    assert stats.projects == ["demo", "other"]
    assert totals(memory, "demo") == (1, 1)
    memory.delete(first.id)
    assert memory.stats("demo").total_observations == 0


def test_a_project_that_is_empty_again_is_not_listed(memory):
    saved = memory.save("a fact")
    assert memory.stats().projects == ["demo"]
    memory.delete(saved.id, hard=True)
    assert memory.stats().projects == []


def test_a_soft_delete_and_then_a_hard_one_count_once(memory):
    kept, gone = memory.save("kept"), memory.save("gone")
    memory.stats()
    memory.delete(gone.id)
    memory.stats()
    memory.delete(gone.id, hard=True)
    assert memory.stats().total_observations == 1
    assert memory.get(kept.id)


steps = st.lists(st.sampled_from(["save", "delete", "erase", "start", "fold", "fold all"]), max_size=25)


@given(steps=steps, seed=st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_repeated_late_lost_and_reordered_records_come_to_the_true_totals(tmp_path_factory, steps, seed):
    memory = Memory(application(tmp_path_factory.mktemp("store")))
    chance = random.Random(seed)
    live: list[int] = []
    keys, started = [], 0
    for step in steps:
        if step == "save":
            live.append(memory.save(f"fact {len(keys)}").id)
            keys.append(observation_key("demo", live[-1]))
        elif step in ("delete", "erase") and live:
            memory.delete(live.pop(chance.randrange(len(live))), hard=step == "erase")
        elif step == "start":
            memory.start(f"s{started}")
            keys.append(session_key(f"s{started}"))
            started += 1
        elif step == "fold" and keys:
            memory.app.stream.totals.fold(LOCAL, chance.choices(keys, k=3))
        elif step == "fold all":
            memory.app.stream.totals.fold(LOCAL, chance.sample(keys, len(keys)))
    memory.app.stream.totals.fold(LOCAL, chance.sample(keys, len(keys)))
    assert totals(memory) == (started, len(live))
    memory.app.close()


@pytest.mark.parametrize("projects", [1, 120])
def test_more_rows_than_a_transaction_holds_are_folded(memory, projects):
    saved = [memory.save(f"fact {n}", project=f"p{n % projects}").id for n in range(120)]
    memory.app.stream.totals.fold(
        LOCAL, [observation_key(f"p{n % projects}", each) for n, each in enumerate(saved)]
    )
    assert totals(memory) == (0, 120)
