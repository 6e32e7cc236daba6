"""A session's log of events: kept, listed and deleted."""

import logging

import pytest

from strata.domain.errors import NotFound, OwnedByAnother, Throttled, Unavailable
from strata.domain.wire.consent import ConsentChange
from strata.domain.wire.events import NewEvent
from strata.services.events.append import GUARD_SECONDS, EventAppender
from support.clocks import START
from support.event_log import Log, stored
from support.memory import LOCAL, Memory, application

HOUR = 3600


@pytest.fixture
def log(tmp_path, clock):
    """A log over a small store: at most 5 events a session, 10 sessions an app."""
    app = application(tmp_path, clock, MAX_SESSION_EVENTS="5", MAX_SESSIONS="10")
    yield Log(app)
    app.close()


# --- sessions -------------------------------------------------------------------------------------


def test_a_session_without_an_id_is_given_one(log):
    made = log.open(None)
    assert made.startswith("session_")
    assert len(made) == len("session_") + 12
    assert set(made.removeprefix("session_")) <= set("0123456789abcdef")
    assert log.ids() == [made]


def test_a_session_that_is_there_stays_as_it_is(log):
    log.open(app_name="first")
    log.add("hello")
    assert log.open(app_name="second") == "s1"
    assert log.contents() == ["hello"]
    assert log.app.events.reader.app_of(LOCAL, "s1") == "first"
    assert log.app.events.reader.app_of(LOCAL, "unknown") is None


def test_sessions_are_listed_by_their_making_over_all_apps(log):
    for name, app in (("s3", "x"), ("s1", "y"), ("s2", "x")):
        log.open(name, app_name=app)
    log.add("hello", "s3")
    assert log.ids() == ["s3", "s1", "s2"]


def test_sessions_are_listed_by_their_owner(log):
    log.open("s1", user_id="ann")
    log.open("s2")
    log.open("s3", user_id="bob")
    log.open("s4")
    log.open("s4", user_id="ann")
    log.open("s5")
    log.start("s5", user_id="ann")
    log.open("s6")
    log.add("hello", "s6", user_id="ann")
    assert log.ids("ann") == ["s1", "s4", "s5", "s6"]
    assert log.ids("bob") == ["s3"]
    assert log.ids("eve") == []


def test_the_first_user_of_a_session_owns_it(log):
    log.open(user_id="ann")
    with pytest.raises(OwnedByAnother):
        log.open(user_id="bob")
    with pytest.raises(OwnedByAnother):
        log.add("hello", user_id="bob")
    with pytest.raises(OwnedByAnother):
        log.delete(user_id="bob")
    with pytest.raises(OwnedByAnother):
        log.start(user_id="bob")
    assert log.contents() == []
    log.add("hello", user_id="ann")
    log.add("hello again")
    assert len(log.contents()) == 2


def test_the_events_of_one_list_can_not_name_two_users(log):
    log.open()
    events = [NewEvent(event_type="error", content=n, user_id=user) for n, user in enumerate(["ann", "bob"])]
    with pytest.raises(OwnedByAnother):
        log.app.events.appender.append(LOCAL, "s1", events)
    assert log.contents() == []
    log.open(user_id="eve")


def test_deleting_a_session_forgets_its_events_and_nothing_else(log):
    log.start(user_id="ann")
    log.add("hello")
    assert log.delete() is True
    assert log.delete() is False
    assert log.ids() == []
    assert log.contents() == []
    assert [session.id for session in log.app.sessions.catalog.recent(LOCAL, "demo", 5)] == ["s1"]
    log.add("after")
    assert log.contents() == ["after"]
    with pytest.raises(OwnedByAnother):
        log.add("hello", user_id="bob")


def test_a_session_of_events_alone_is_unknown_once_it_is_deleted(log):
    log.open()
    log.delete()
    with pytest.raises(NotFound):
        log.contents()
    with pytest.raises(NotFound):
        log.add("hello")


def test_a_session_made_again_begins_empty(log):
    log.open()
    log.add_all(range(5))
    log.delete()
    log.open()
    assert log.contents() == []
    log.add("new")
    assert log.contents() == ["new"]
    assert log.stats() == (1, 1, 1)


# --- one session, two interfaces -------------------------------------------------------------------


def test_events_may_be_added_to_a_session_that_was_only_started(log):
    log.start(user_id="ann")
    shown = log.app.events.reader.log(LOCAL, "s1")
    assert (shown.app, shown.user_id, shown.next) == ("strata", "ann", 0)
    assert log.contents() == []
    assert log.ids() == []
    log.add("hello")
    assert log.contents() == ["hello"]
    assert log.ids("ann") == ["s1"]


def test_a_session_of_events_may_be_started_later(log):
    log.open(user_id="ann", app_name="chat")
    log.add("hello")
    session = log.start()
    assert (session.project, session.user_id) == ("demo", "ann")
    assert log.contents() == ["hello"]


def test_an_unknown_session_has_no_events(log):
    Memory(log.app).save(session_id="s1", user_id="ann")  # which only names it
    with pytest.raises(NotFound):
        log.add("hello")
    with pytest.raises(NotFound):
        log.contents()
    with pytest.raises(NotFound):
        log.app.events.reader.lines(LOCAL, "s1", 5)


def test_an_unknown_session_is_unknown_to_who_opted_out_too(log):
    log.app.people.consents.put(LOCAL, "ann", ConsentChange(persist=False), "operator")
    for user in ("ann", "bob", None, "ann"):
        with pytest.raises(NotFound):
            log.add("hello", user_id=user)
    log.open(user_id="ann")
    assert log.add("hello", user_id="ann").startswith("event_")
    assert log.ids() == []


def test_nothing_is_kept_of_a_session_that_asks_for_that(log):
    log.start(persist=False)
    assert log.open() == "s1"
    assert log.add("hello").startswith("event_")
    assert log.ids() == []
    assert log.latest() == []
    assert log.stats() == (0, 0, 0)
    with pytest.raises(NotFound):
        log.contents()


# --- events ---------------------------------------------------------------------------------------


def test_a_session_keeps_its_newest_events(log):
    log.open()
    for n in range(12):
        log.add(n)
    log.add_all([12, 13, 14])
    assert log.contents() == [10, 11, 12, 13, 14]
    assert log.contents(limit=2) == [13, 14]
    assert stored(log) == 5


def test_a_list_longer_than_the_window_leaves_its_end(log):
    log.open()
    log.add("before")
    ids = log.add_all(range(100))
    assert len(set(ids)) == 100
    assert log.contents() == [95, 96, 97, 98, 99]
    assert stored(log) == 5


def test_a_list_that_falls_out_with_as_many_is_written_all_the_same(tmp_path, clock):
    app = application(tmp_path, clock, MAX_SESSION_EVENTS="100")
    log = Log(app)
    log.open()
    for first in (0, 100, 200):
        log.add_all(range(first, first + 100))
    assert log.contents() == list(range(200, 300))
    assert stored(log) == 100
    app.close()


def test_events_are_filtered_by_their_type_before_they_are_counted(log):
    log.open()
    for n, kind in enumerate(["error", "tool_call", "error", "mine", "error"]):
        log.add(n, event_type=kind)
    assert log.contents(types=["error"], limit=2) == [2, 4]
    assert log.contents(types=["tool_call", "mine"]) == [1, 3]
    assert log.contents(types=["user_message"]) == []


def test_an_event_sent_again_under_its_id_is_added_once(log, clock):
    log.open()
    assert log.add("hello", event_id="e1") == "e1"
    assert log.add("hello", event_id="e1") == "e1"
    assert log.add_all(["again"], event_id="e1") == ["e1"]
    assert log.contents() == ["hello"]
    clock.forward(GUARD_SECONDS + 1)
    log.add("a day later", event_id="e1")
    assert log.contents() == ["hello", "a day later"]


def test_a_list_that_was_half_written_is_completed(tmp_path, clock, monkeypatch):
    app = application(tmp_path, clock)
    log = Log(app)
    log.open()
    events = [NewEvent(event_type="error", content=n, event_id=f"e{n}") for n in range(100)]
    transact, calls = app.stores.table.transact, []

    def failing(scope, actions):
        calls.append(len(actions))
        if len(calls) == 2:
            raise ConnectionError
        transact(scope, actions)

    monkeypatch.setattr(app.stores.table, "transact", failing)
    with pytest.raises(ConnectionError):
        app.events.appender.append(LOCAL, "s1", events)
    assert log.contents() == list(range(50))
    monkeypatch.undo()
    assert app.events.appender.append(LOCAL, "s1", events) == [f"e{n}" for n in range(100)]
    assert log.contents() == list(range(100))
    assert max(calls) <= 100
    app.close()


def test_what_a_store_did_not_take_is_not_shown_and_may_be_sent_again(log, monkeypatch):
    log.open()
    log.add("before")

    def away(*_):
        raise Unavailable("the table does not answer")

    monkeypatch.setattr(log.app.stores.table, "transact", away)
    for _ in range(2):
        with pytest.raises(Unavailable):
            log.add_all(["one", "two"], event_id=None)
    assert log.contents() == ["before"]
    monkeypatch.undo()
    log.add("after")
    assert log.contents() == ["after"], "the places that were left empty are places of the window"


@pytest.mark.parametrize("others", [0, 1])
def test_a_throttled_event_takes_no_other_ones_place(log, monkeypatch, others):
    log.open()
    log.add_all(range(5))
    transact = log.app.stores.table.transact

    def throttled(*_):
        monkeypatch.setattr(log.app.stores.table, "transact", transact)
        if others:
            log.add("others")
        raise Throttled("slow down")

    monkeypatch.setattr(log.app.stores.table, "transact", throttled)
    with pytest.raises(Throttled):
        log.add("too much")
    assert log.contents() == ([2, 3, 4, "others"] if others else [0, 1, 2, 3, 4])
    log.add("next")
    assert log.contents() == ([3, 4, "others", "next"] if others else [1, 2, 3, 4, "next"])


def test_an_event_that_was_written_after_all_is_not_overwritten(log, monkeypatch):
    log.open()
    transact = log.app.stores.table.transact

    def lost(scope, actions):
        monkeypatch.setattr(log.app.stores.table, "transact", transact)
        transact(scope, actions)
        raise Throttled("slow down")

    monkeypatch.setattr(log.app.stores.table, "transact", lost)
    with pytest.raises(Throttled):
        log.add("written")
    log.add("next")
    assert log.contents() == ["written", "next"]


def test_an_event_is_dated_by_its_sender_or_by_its_coming(log, clock):
    log.open()
    log.add("now")
    log.add("then", timestamp="2024-12-31T12:00:00")
    read = log.app.events.reader
    newest = list(read.newest(LOCAL, read.log(LOCAL, "s1"), limit=2))
    assert newest[1].timestamp == newest[1].at > START
    assert newest[0].timestamp == 1735646400_000_000
    assert log.latest() == ["now", "then"]


def test_events_of_all_sessions_come_in_the_order_of_their_coming(log):
    for session in ("s1", "s2", "s3"):
        log.open(session, app_name=session)
    for n in range(12):
        log.add(n, f"s{1 + n % 3 % 2}")
    log.open("s4")
    assert log.latest() == [n for n in range(12) if n in log.contents("s1") + log.contents("s2")]
    assert log.latest(4) == [8, 9, 10, 11]
    assert log.latest(1) == [11]


def test_no_more_sessions_are_opened_than_the_newest_events_ask_for(tmp_path, clock, monkeypatch):
    app = application(tmp_path, clock, MAX_SESSIONS="200")
    log = Log(app)
    for n in range(100):
        log.open(f"s{n}")
        log.add(n, f"s{n}")
    asked = []
    query = app.stores.table.query
    monkeypatch.setattr(app.stores.table, "query", lambda scope, q: asked.append(q.pk) or query(scope, q))
    assert log.latest(3) == [97, 98, 99]
    assert len([pk for pk in asked if pk.startswith("SESSION#")]) <= 16
    app.close()


def test_a_conversation_is_what_user_and_agent_said(log):
    log.open()
    log.add("Hello!\nI am Ann")
    log.add({"tool": "calc"}, event_type="tool_call")
    log.add("Hi there!", event_type="agent_response")
    log.add({"a": [1.0, "é"]})
    lines = log.app.events.reader.lines
    assert list(lines(LOCAL, "s1", 20))[::-1] == [
        "User: Hello!\nI am Ann",
        "Assistant: Hi there!",
        'User: {"a":[1.0,"é"]}',
    ]
    assert list(lines(LOCAL, "s1", 1)) == ['User: {"a":[1.0,"é"]}']


def test_a_transcript_has_roles_and_words(log):
    log.open()
    log.add([{"type": "text", "text": "add"}, {"type": "text", "text": "2 and 2"}])
    log.add({"tool": "calc", "arguments": {"x": 2}}, event_type="tool_call")
    log.add({"tool": "calc", "result": 4}, event_type="tool_result")
    log.add({"answer": 4}, event_type="agent_response")
    log.add("half \ud800 a pair")
    log.add("lost", event_type="error")
    assert [(each.role, each.content) for each in log.app.events.reader.transcript(LOCAL, "s1")] == [
        ("tool", '{"tool":"calc","arguments":{"x":2}}'),
        ("tool", '{"tool":"calc","result":4}'),
        ("assistant", '{"answer":4}'),
        ("user", "half ? a pair"),
    ]
    assert log.app.events.reader.transcript(LOCAL, "unknown") == []


def test_who_follows_events_is_told_of_those_that_were_added(log, caplog):
    told = []

    def fail(*_):
        raise ValueError("what somebody said")

    follows = [fail, lambda *event: told.append(event)]
    app = log.app
    events = EventAppender(
        app.stores.table, app.clock, app.events.logs, app.people.ownership, max_events=5, on_appended=follows
    )
    log.open(user_id="ann")
    response = NewEvent(event_type="agent_response", content="4", metadata={"steps": 2}, event_id="e1")
    with caplog.at_level(logging.WARNING):
        events.append(LOCAL, "s1", [response])
        events.append(LOCAL, "s1", [response])
    assert told == [(LOCAL, "s1", "ann", [response])]
    assert "what somebody said" not in caplog.text
    assert "ValueError" in caplog.text
    assert log.contents() == ["4"]


# --- limits, and what is left alone ------------------------------------------------------------------


def test_a_full_app_loses_its_oldest_tenth_by_last_change(tmp_path, clock):
    app = application(tmp_path, clock, MAX_SESSIONS="20")
    log = Log(app)
    for n in range(20):
        log.open(f"s{n}")
    log.open("other", app_name="another")
    log.add("still here", "s0")
    log.open("s20")
    assert log.ids() == ["s0", *(f"s{n}" for n in range(3, 20)), "other", "s20"]
    with pytest.raises(NotFound):
        log.add("gone", "s1")
    log.open("s21")
    assert len(log.ids()) == 21
    app.close()


def test_an_evicted_session_keeps_what_else_is_known_of_it(log):
    log.start("s0", user_id="ann")
    log.add("hello", "s0")
    for n in range(1, 11):
        log.open(f"s{n}")
    assert "s0" not in log.ids()
    assert log.contents("s0") == []
    assert [session.id for session in log.app.sessions.catalog.recent(LOCAL, "demo", 5)] == ["s0"]


@pytest.mark.parametrize(("before", "after"), [(1000, 1), (300, 100), (11, 10)])
def test_a_limit_that_was_lowered_holds_from_the_next_session_on(tmp_path, clock, before, after):
    app = application(tmp_path, clock, MAX_SESSIONS=str(before))
    for n in range(before):
        Log(app).open(f"s{n}")
    app.close()
    app = application(tmp_path, clock, MAX_SESSIONS=str(after))
    log = Log(app)
    log.open("last")
    assert len(log.ids()) == after - max(1, after // 10) + 1
    assert log.ids()[-1] == "last"
    assert log.stats()[0] == len(log.ids())
    app.close()


def test_a_thousand_sessions_lose_a_hundred(tmp_path, clock):
    app = application(tmp_path, clock)
    log = Log(app)
    for n in range(1001):
        log.open(f"s{n:04}")
    assert log.ids() == [f"s{n:04}" for n in range(100, 1001)]
    app.close()


def test_sessions_that_were_left_alone_are_cleaned_up(log, clock):
    log.open("old", app_name="x")
    log.open("used", app_name="x")
    log.start("started")
    log.add("hello", "started")
    clock.forward(24 * HOUR)
    log.add("hello", "used")
    log.open("new")
    assert log.clean_up(30) == 0
    assert log.clean_up(23.5) == 2
    assert log.ids() == ["used", "new"]
    assert log.contents("started") == []
    assert log.clean_up(23.5) == 0


def test_every_old_session_goes_in_one_cleanup(tmp_path, clock):
    app = application(tmp_path, clock)
    log = Log(app)
    for n in range(450):
        log.open(f"s{n}", app_name=f"app{n % 2}")
    clock.forward(HOUR)
    assert log.clean_up(0.5) == 450
    assert log.stats() == (0, 0, 0)
    assert Memory(app).rows("APPS") == []
    app.close()
