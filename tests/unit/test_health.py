"""Health: every dependency is asked, side by side where they are remote, and none is waited for long."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from strata.adapters.clock import SystemClock
from strata.adapters.deadline import within
from strata.domain.errors import Unavailable
from strata.services import health
from strata.services.health import HealthCheck, Probe
from strata.services.table.parallel import Parallel
from support.api import client
from support.memory import application
from support.scripted_engine import scripted_engine


@pytest.fixture
def hang(monkeypatch: pytest.MonkeyPatch) -> Iterator[Probe]:
    """A store that takes the question and never answers."""
    monkeypatch.setattr(health, "MOST_SECONDS", 0.3)
    over = threading.Event()
    yield over.wait
    over.set()


def refuse() -> None:
    raise Unavailable("no")


def check(probes: dict[str, Probe], **named: Probe) -> HealthCheck:
    return HealthCheck(probes, named, SystemClock(), Parallel(8), within)


def test_stores_that_hang_are_down_after_one_wait_and_hide_nobody(hang: Probe) -> None:
    asked = check({"table": hang, "maintenance": hang, "index": dict, "vectors": refuse}, semantic=hang)
    started = time.monotonic()
    found = asked.check()
    told = asked.answer()
    alone = asked.service("table")
    assert time.monotonic() - started < 3 * 0.3 + 1
    assert {name: service.status for name, service in found.services.items()} == {
        "table": "down",
        "maintenance": "down",
        "index": "ok",
        "vectors": "down",
    }
    assert found.status == "degraded"
    assert told.message.startswith("table: it did not answer within 0.3 s; maintenance: ")  # type: ignore[union-attr]
    assert alone.status == "unhealthy"


def test_a_new_deployment_whose_search_engine_holds_no_index_yet_is_well(tmp_path: Path) -> None:
    gone = {"error": {"type": "index_not_found_exception", "reason": "no such index"}, "status": 404}
    with scripted_engine() as engine:
        engine.answer = lambda asked: (404, gone)
        app = application(tmp_path, INDEX="opensearch", OPENSEARCH_URL=engine.url)
        with client(app) as api:
            answer = api.get("/api/health")
        app.close()
    assert answer.status_code == 200, answer.text
    assert answer.json()["services"]["memory-semantic"]["details"] == {"documents": 0}
