"""On a busy machine sessions are consolidated later, the sweep is skipped, and both are counted."""

import json
from pathlib import Path
from typing import Any

import pytest

from strata.bootstrap import Application
from strata.bootstrap.maintenance import Maintenance
from strata.domain.guarding import Readings
from strata.entrypoints.dreamer import WAIT_SECONDS, WAITS
from support.api import client
from support.clocks import HandClock
from support.memory import LOCAL, Memory, application

BUSY = Readings(active_sessions=2, since_end=0.0, load=0.0, processors=4, pinned=0)
IDLE = Readings(active_sessions=0, since_end=99.0, load=0.0, processors=4, pinned=0)


@pytest.fixture
def app(tmp_path: Path) -> Application:
    return application(tmp_path, HandClock(), MODEL="ollama", MODEL_NAME="small", METRICS="emf")


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[Readings]:
    """The state of the machine, the last one; at first it is busy."""
    states = [BUSY]
    monkeypatch.setattr(Maintenance, "_readings", lambda *_: states[-1])
    return states


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def test_a_session_waits_five_times_a_minute_and_is_then_consolidated_anyway(app, now, monkeypatch, capsys):
    consolidated: list[str] = []
    monkeypatch.setattr(app.knowledge.dreamer, "run", lambda _, session: consolidated.append(session))
    handler, queue = app.handlers.dreamer(), app.stores.queue("consolidation")
    message: dict[str, Any] = {"tenant": "local", "session_id": "s1"}
    for _ in range(WAITS):
        handler({"Records": [{"messageId": "m", "body": json.dumps(message)}]}, None)
        assert queue.receive(10) == []
        app.clock.forward(WAIT_SECONDS + 1)
        (put_off,) = queue.receive(10)
        queue.delete([put_off.receipt])
        message = put_off.body
    assert consolidated == []
    handler({"Records": [{"messageId": "m", "body": json.dumps(message)}]}, None)
    assert (consolidated, queue.depth()) == (["s1"], 0)
    told = lines(capsys.readouterr().out)
    assert (
        sum(each.get("agtos_resource_guard_defer_count_total_active_sessions", [0])[0] for each in told)
        == WAITS
    )
    assert [each["agtos_background_work_safe"][0] for each in told] == [0] * WAITS + [1]


def test_the_sweep_is_skipped_says_why_and_takes_place_the_next_time(app, now):
    memory = Memory(app)
    memory.start("s1", user_id="ann")
    skipped = app.maintenance.sweeper.run_now(LOCAL, lambda: True)
    assert skipped.errors["stale"] == "skipped: the machine is busy (active_sessions)"
    assert skipped.summary["idle_sessions"] == {"ended": 0}
    now.append(IDLE)
    app.clock.forward(1)
    assert app.maintenance.sweeper.run_now(LOCAL, lambda: True).errors == {}


def test_the_gauge_and_the_counter_have_agtoss_names(app, now):
    app.maintenance.guard.deferral(LOCAL)
    app.maintenance.guard.deferral(LOCAL)
    with client(app) as api:
        text = api.get("/metrics").text
        assert "agtos_background_work_safe 0\n" in text
        assert 'agtos_resource_guard_defer_count_total{reason="active_sessions"} 2\n' in text
        told = api.get("/health/resource-guard").json()
        assert (told["status"], told["details"]["reason"]) == ("healthy", "active_sessions")
        now.append(IDLE)
        assert "agtos_background_work_safe 1\n" in api.get("/metrics").text


def test_a_session_is_under_way_until_it_ends_or_falls_silent(app):
    memory, clock = Memory(app), app.clock

    def activity() -> tuple[int, float]:
        memory.count()
        active, since = app.sessions.catalog.activity(LOCAL, clock.now_us())
        return active, since if since == float("inf") else round(since)

    memory.start("s1", project="demo")
    memory.start("s2", project="web")
    assert activity()[0] == 2
    memory.end("s1", "hello", "hi")
    clock.forward(20)
    assert activity() == (1, 20)
    clock.forward(300)
    assert activity() == (0, 320)
