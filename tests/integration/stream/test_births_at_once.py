"""New observations are counted once over either store, also where indexers follow the same changes."""

import pytest

from strata.services.records.observations import OBSERVATION_PREFIX
from strata.services.records.parts import CHANGE_PREFIX
from strata.services.records.totals import stats_key
from support import simultaneous
from support.memory import LOCAL, Memory

PROJECTS = {"demo": 30, "other": 5, "a#b": 1}


def changes(memory: Memory) -> list:
    census = memory.app.stores.census
    return [key for prefix in (OBSERVATION_PREFIX, CHANGE_PREFIX) for scope, key in census.keys(prefix)]


def follow(memory: Memory, keys: list) -> None:
    for consumer in memory.app.stream.consumers:
        consumer(LOCAL, keys)


@pytest.fixture
def saved(memory: Memory) -> Memory:
    """A few memories of three projects that nobody has followed yet, one of them deleted since."""
    for project, count in PROJECTS.items():
        for number in range(count):
            memory.save(f"fact {number}", project=project)
    memory.delete(memory.save("deleted", project="demo").id)
    return memory


def assert_counted(memory: Memory) -> None:
    for project, count in PROJECTS.items():
        row = memory.row(stats_key(project))
        assert row["observations"] == count
        assert "folded" not in row
    assert not list(memory.app.stores.census.keys(CHANGE_PREFIX))
    assert memory.app.repair.recounter.wrong([LOCAL.tenant]) == []


def test_what_was_counted_before_the_engine_was_away_is_not_counted_again(saved: Memory):
    keys = changes(saved)
    for _ in range(2):
        saved.app.stream.totals.fold(LOCAL, keys)
        assert saved.app.repair.recounter.wrong([LOCAL.tenant]) == []
    assert len(saved.row(stats_key("demo"))["folded"]) == PROJECTS["demo"] + 1
    follow(saved, keys)
    assert_counted(saved)


def test_several_followers_of_the_same_changes_count_each_once(saved: Memory):
    keys = changes(saved)
    simultaneous.at_once(lambda place: follow(saved, keys[place::2] + keys), 4)
    follow(saved, keys)
    assert_counted(saved)


def test_notes_of_rows_that_were_put_aside_do_not_stay_on_the_list(saved: Memory):
    keys = changes(saved)
    saved.app.stream.totals.fold(LOCAL, keys)
    saved.save("one more", project="demo")
    saved.app.stream.totals.fold(LOCAL, [key for key in changes(saved) if key not in keys])
    assert len(saved.row(stats_key("demo"))["folded"]) == 1
    assert saved.app.repair.recounter.wrong([LOCAL.tenant]) == []
    saved.delete(saved.save("last", project="demo").id)
    saved.app.stream.totals.fold(LOCAL, keys)
    assert saved.row(stats_key("demo"))["observations"] == PROJECTS["demo"] + 1
