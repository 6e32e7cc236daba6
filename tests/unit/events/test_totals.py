"""Totals of events, and the rows that nothing can reach any more, follow the stream whatever it does."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.ports.rows import Key
from strata.ports.table import Query
from strata.services.records.events import EVENT_PREFIX, event_count_key, log_key
from support.clocks import HandClock
from support.event_log import Log, stored
from support.memory import LOCAL, Meddled, Memory, application


def changed(app):
    """The keys of every record that the stream has brought, events' deletions left out as in the template."""
    return [
        change.key
        for change in app.stores.change_log.read(0, 100_000)
        if change.event != "REMOVE" or not change.key.sk.startswith(EVENT_PREFIX)
    ]


def totals(log):
    return tuple(log.app.events.lists.stats(LOCAL).model_dump().values())


@pytest.fixture
def log(tmp_path, clock):
    app = application(tmp_path, clock, MAX_SESSION_EVENTS="5", MAX_SESSIONS="10")
    yield Log(app)
    app.close()


def test_an_empty_store_has_nothing(log):
    assert log.stats() == (0, 0, 0)


def test_what_is_shown_is_counted(log):
    log.open("s1")
    log.open("s2")
    log.add_all(range(3), "s1")
    assert log.stats() == (2, 3, 1)
    log.add_all(range(10), "s2")
    assert log.stats() == (2, 8, 4)
    log.delete("s2")
    assert log.stats() == (1, 3, 3)
    log.delete("s1")
    assert log.stats() == (0, 0, 0)


def test_the_rows_of_a_deleted_session_are_swept_up(log):
    log.open()
    log.add_all(range(5))
    log.delete()
    assert stored(log) == 5
    log.stats()
    assert stored(log) == 0
    assert log.app.stores.table.get(LOCAL, event_count_key("s1")) is None


def test_a_session_that_came_and_went_before_it_was_counted_is_swept_up(log):
    for _ in range(3):
        log.open()
        log.add_all(range(5))
        log.delete()
    log.open()
    log.add("new")
    assert log.stats() == (1, 1, 1)
    assert stored(log) == 1
    assert log.contents() == ["new"]


def test_an_event_that_was_written_after_its_log_had_gone_is_swept_up(log):
    log.open()
    log.add("before")

    def deleted_meanwhile():
        log.delete()
        log.stats()

    over(log, Late(log.app.stores.table, deleted_meanwhile)).add("late")
    assert stored(log) == 1
    assert log.stats() == (0, 0, 0)
    assert stored(log) == 0


def test_an_event_that_its_window_has_passed_is_swept_up(log):
    log.open()
    over(log, Late(log.app.stores.table, lambda: log.add_all(range(7)))).add("late")
    assert log.contents() == [2, 3, 4, 5, 6]
    assert log.stats() == (1, 5, 5)
    assert stored(log) == 5


def over(log: Log, table: Any) -> Log:
    """The same events, by way of a table of the test's own."""
    return Log(log.app.with_overrides(table=table))


class Late(Meddled):
    """Something happens between the reservation of a place and the writing of it."""

    def update(self, scope, update):
        return self._table.update(scope, update)


def test_a_sweep_leaves_a_log_alone_that_was_made_while_it_looked(log, monkeypatch):
    """The log is gone when the sweep begins; another is there, with events, when it lists the rows."""
    log.open()
    log.add_all(range(3))
    log.delete()
    table = log.app.stores.table
    query = table.query

    def queried(scope, asked):
        monkeypatch.setattr(table, "query", query)
        log.open()
        log.add_all(["new", "newer"])
        return query(scope, asked)

    monkeypatch.setattr(table, "query", queried)
    log.app.events.totals.follow(LOCAL, [log_key("s1")])
    assert log.contents() == ["new", "newer"]
    assert stored(log) == 2


def test_two_that_count_at_the_same_time_count_once(log):
    log.open()
    log.add_all(range(3))
    changed = [log_key("s1")]

    def another_counts():
        log.add("more")
        log.app.events.totals.follow(LOCAL, changed)

    over(log, Meddled(log.app.stores.table, another_counts)).app.events.totals.follow(LOCAL, changed)
    assert totals(log) == (1, 4, 4)


def test_rows_of_other_kinds_are_passed_over(log):
    Memory(log.app).save()
    log.app.events.totals.follow(LOCAL, [Key("SESSION#s1", "SESSION"), Key("PROJECT#demo", "OBS#1")])
    assert totals(log) == (0, 0, 0)


def test_more_logs_than_a_transaction_holds_are_counted(tmp_path, clock):
    app = application(tmp_path, clock)
    log = Log(app)
    for n in range(120):
        log.open(f"s{n}")
        log.add_all(range(3), f"s{n}")
    app.events.totals.follow(LOCAL, [log_key(f"s{n}") for n in range(120)])
    assert totals(log) == (120, 360, 3)
    app.close()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["open", "add", "add many", "delete", "clean up", "fold some", "fold all"]),
        st.integers(0, 3),
    ),
    max_size=30,
)


@given(steps=STEPS, seed=st.integers(0, 1000))
@settings(max_examples=40)
def test_repeated_late_lost_and_reordered_records_come_to_the_truth(tmp_path_factory, steps, seed):
    app = application(tmp_path_factory.mktemp("store"), HandClock(), MAX_SESSION_EVENTS="4", MAX_SESSIONS="3")
    log, chance = Log(app), random.Random(seed)
    for step, number in steps:
        session = f"s{number}"
        if step == "open":
            log.open(session)
        elif step.startswith("add") and session in log.ids():
            log.add_all(range(1 if step == "add" else 3), session)
        elif step == "delete":
            log.delete(session)
        elif step == "clean up":
            log.clean_up(0.000_000_001)
        elif step.startswith("fold"):
            keys = changed(app)
            some = chance.choices(keys, k=3) if keys and step == "fold some" else keys
            app.events.totals.follow(LOCAL, chance.sample(some, len(some)))
    keys = changed(app)
    app.events.totals.follow(LOCAL, chance.sample(keys, len(keys)))
    shown = {session: len(log.contents(session)) for session in log.ids()}
    average = sum(shown.values()) // len(shown) if shown else 0
    assert totals(log) == (len(shown), sum(shown.values()), average)
    for session in {f"s{number}" for _, number in steps}:
        query = Query(log_key(session).pk, prefix=EVENT_PREFIX, limit=1000)
        assert len(app.stores.table.query(LOCAL, query).rows) == shown.get(session, 0)
    app.close()
