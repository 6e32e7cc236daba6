"""On a busy machine sessions are consolidated later, the sweep is skipped, and both are counted."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest

from strata.adapters.models.ollama import pinned_models
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
    handler, queue = app.handlers.dreamer(), app.queues.named("consolidation")
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


LOADED = {
    "name": "mistral:latest",
    "model": "mistral:latest",
    "size": 5137025024,
    "digest": "2ae6f6dd7a3dd734790bbbf58b8909a606e0e7e97e94b7604e0aa7ae4490e6d8",
    "details": {"parent_model": "", "format": "gguf", "family": "llama", "parameter_size": "7.2B"},
    "size_vram": 5137025024,
}
"""An entry of GET /api/ps, as Ollama's reference of its API shows it, but for `expires_at`."""


class Ollama(BaseHTTPRequestHandler):
    """Answers GET /api/ps with what the test says."""

    body = b""
    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200 if self.body else 500)
        self.send_header("Content-Length", str(len(self.body)))
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def ollama() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Ollama) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("expiries", "reason"),
    [
        (["2318-09-07T18:40:46.1234567-07:00"], "ollama_vram"),
        (["2026-06-04T14:38:31.83753-07:00", "0001-01-01T00:00:00Z"], "ollama_vram"),
        (["2026-06-04T14:38:31.83753-07:00"], "idle"),
        ([], "idle"),
        (None, "idle"),
    ],
)
@pytest.mark.parametrize("task", ["MODEL", "JUDGE_MODEL"])
def test_a_model_that_ollama_keeps_loaded_for_good_defers_the_work(
    tmp_path, monkeypatch, ollama, expiries, reason, task
):
    shown = None if expiries is None else {"models": [LOADED | {"expires_at": each} for each in expiries]}
    Ollama.body = b"" if shown is None else json.dumps(shown).encode()
    Ollama.asked.clear()
    monkeypatch.setattr(pinned_models, "__defaults__", (60.0,))  # seconds: a test may run on a slow machine
    monkeypatch.setattr("os.getloadavg", lambda: (0.0, 0.0, 0.0))
    chosen = {task: "ollama", f"{task}_NAME": "mistral", f"{task}_URL": ollama}
    app = application(tmp_path, HandClock(), **chosen)
    verdict = app.maintenance.guard.verdict(LOCAL)
    assert (verdict.safe, verdict.reason) == (reason == "idle", reason)
    assert Ollama.asked == ["/api/ps"]
