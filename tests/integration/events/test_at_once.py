"""Many writers of events at once: the limits are exact, over SQLite and over DynamoDB."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from servers.tables import dynamodb_client
from strata.adapters.clock import SystemClock
from strata.adapters.dynamodb.table import DynamoTable
from strata.bootstrap import Application, Overrides
from strata.domain.errors import NotFound
from strata.domain.wire.events import NewEvent, NewEventSession
from strata.ports.table import Query
from strata.services.records.events import EVENT_PREFIX, app_key, log_key
from support.memory import LOCAL, application

THREADS = 32


@pytest.fixture(params=["sqlite", "dynamodb"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[..., Application]]:
    """Makes the application over a store of its own, by settings without `STRATA_`."""
    made = []

    def application_of(**settings: Any) -> Application:
        overrides = Overrides()
        if request.param == "dynamodb":
            client = dynamodb_client(request.getfixturevalue("dynamodb_local"))
            table = request.getfixturevalue("dynamodb_table")
            overrides = Overrides(table=DynamoTable(client, table, SystemClock(), patience=60))
        app = application(tmp_path, overrides=overrides, **settings)
        made.append(app)
        return app

    yield application_of
    for app in made:
        app.close()


def at_once(call: Callable[[int], Any], count: int) -> list[Any]:
    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(call, range(count)))


def open_session(app: Application, session_id: str | None = None) -> str:
    return app.events.logs.open(LOCAL, NewEventSession(session_id=session_id))


def add(app: Application, session_id: str, *contents: Any, **fields: Any) -> list[str]:
    events = [NewEvent(event_type="user_message", content=each, **fields) for each in contents]
    return app.events.appender.append(LOCAL, session_id, events)


def shown(app: Application, session_id: str) -> list[Any]:
    """Oldest first."""
    reading = app.events.reader
    found = reading.newest(LOCAL, reading.log(LOCAL, session_id), limit=1000)
    return [json.loads(event.content) for event in found][::-1]


def follow(app: Application, session_id: str) -> None:
    """Bring what the stream would bring."""
    query = Query(log_key(session_id).pk, prefix=EVENT_PREFIX, limit=1000)
    events = [row.key for row in app.stores.table.query(LOCAL, query).rows]
    app.events.totals.follow(LOCAL, [log_key(session_id), *events])


def test_of_six_hundred_appends_at_once_the_newest_five_hundred_are_shown(make):
    app = make()
    open_session(app, "s1")
    ids = at_once(lambda n: add(app, "s1", n), 600)
    assert len({each for (each,) in ids}) == 600
    assert app.events.reader.log(LOCAL, "s1").next == 600
    kept = shown(app, "s1")
    assert len(set(kept)) == len(kept) == 500
    follow(app, "s1")
    query = Query(log_key("s1").pk, prefix=EVENT_PREFIX, limit=1000)
    assert len(app.stores.table.query(LOCAL, query).rows) == 500
    assert app.events.lists.stats(LOCAL).total_events == 500


def test_lists_that_come_at_once_stay_in_one_piece(make):
    app = make()
    open_session(app, "s1")
    at_once(lambda n: add(app, "s1", *([n] * 20)), 30)
    kept = shown(app, "s1")
    pieces = [kept[start : start + 20] for start in range(0, 500, 20)]
    assert len(kept) == 500
    assert all(len(set(piece)) == 1 for piece in pieces)
    assert len({piece[0] for piece in pieces}) == 25


def test_sixty_creations_at_once_keep_the_limit(make):
    app = make(MAX_SESSIONS="50")
    made = at_once(lambda n: open_session(app, f"s{n}"), 60)
    assert made == [f"s{n}" for n in range(60)]
    listed = app.events.lists.session_ids(LOCAL, None)
    counted = app.stores.table.get(LOCAL, app_key("strata"))["sessions"]
    # the 51st creation evicts five, the 56th five more
    assert len(listed) == counted == 50
    assert set(listed) <= set(made)


def test_one_session_that_is_made_by_many_is_made_once(make):
    app = make()
    assert set(at_once(lambda n: open_session(app, "s1"), 60)) == {"s1"}
    assert app.events.lists.stats(LOCAL).total_sessions == 1


def test_an_event_that_is_sent_many_times_at_once_is_added_once(make):
    app = make()
    open_session(app, "s1")
    assert at_once(lambda n: add(app, "s1", "hello", event_id="e1"), 60) == [["e1"]] * 60
    assert shown(app, "s1") == ["hello"]


def test_a_session_that_is_deleted_while_it_is_written_leaves_nothing(make):
    app = make()
    open_session(app, "s1")

    def step(n: int) -> None:
        if n % 30 == 29:
            app.events.remover.delete(LOCAL, "s1", None)
            open_session(app, "s1")
        else:
            with suppress(NotFound):
                add(app, "s1", n)

    at_once(step, 300)
    kept = shown(app, "s1")
    follow(app, "s1")
    assert shown(app, "s1") == kept
    query = Query(log_key("s1").pk, prefix=EVENT_PREFIX, limit=1000)
    assert len(app.stores.table.query(LOCAL, query).rows) == len(kept)
    stats = app.events.lists.stats(LOCAL)
    assert (stats.total_sessions, stats.total_events) == (1, len(kept))


def test_a_content_of_the_largest_size_comes_back_as_it_was(make):
    app = make()
    open_session(app, "s1")
    large = {"text": "é" * 100_000, "numbers": [1.0, 10**30, 1e-7]}
    add(app, "s1", large, metadata={"more": "x" * 200_000})
    add(app, "s1", "small")
    assert shown(app, "s1") == [large, "small"]
    assert str(shown(app, "s1")[0]["numbers"]) == "[1.0, 1000000000000000000000000000000, 1e-07]"
