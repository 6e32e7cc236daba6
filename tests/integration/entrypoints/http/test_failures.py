"""The answers to callers when a store fails: a clear one, and nothing half done."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from strata.bootstrap import Overrides
from strata.domain.errors import Throttled, Unavailable
from support.api import client
from support.api_calls import refused, save
from support.memory import application, observation
from support.served_api import served

ROUTES = [
    ("POST", "/sessions", {"id": "s", "project": "p"}),
    ("POST", "/sessions/s/end", {}),
    ("GET", "/sessions/recent", None),
    ("POST", "/observations", observation()),
    ("GET", "/observations/1", None),
    ("PATCH", "/observations/1", {"title": "x"}),
    ("DELETE", "/observations/1", None),
    ("GET", "/observations/recent?project=p", None),
    ("GET", "/search?q=heron&project=p", None),
    ("GET", "/context?project=p", None),
    ("GET", "/timeline?observation_id=1", None),
    ("GET", "/stats", None),
    ("GET", "/export", None),
    ("POST", "/import", {"observations": [observation()]}),
    ("GET", "/working-memory/c", None),
    ("PUT", "/working-memory/c", {"a": 1}),
    ("DELETE", "/working-memory/c", None),
    ("GET", "/ledger/c", None),
    ("POST", "/ledger/c/check", {"item": "x"}),
    ("POST", "/ledger/c/mark", {"item": "x"}),
    ("POST", "/ledger/c/evict", {"item": "x"}),
]


class Failing:
    """A store of which every call raises."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def close(self) -> None:
        """Nothing is open."""

    def __getattr__(self, name: str):
        def fail(*given: object, **named: object) -> None:
            raise self._error

        return fail


@pytest.fixture
def broken(tmp_path):
    """Opens the API over an application whose table raises."""
    opened = []

    def open_with(error: Exception):
        app = application(tmp_path, overrides=Overrides(table=Failing(error)))
        assert app.stores.change_log.head() == 0
        opened.append(app)
        return client(app)

    yield open_with
    for app in opened:
        app.close()


@pytest.mark.parametrize(("method", "path", "body"), ROUTES)
@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (Unavailable("the table does not answer", retry_after=3), 503, "unavailable"),
        (Throttled("slow down", retry_after=3), 429, "throttled"),
    ],
)
def test_a_store_that_does_not_answer_is_said_with_when_to_come_back(
    broken, method, path, body, error, status, code
):
    response = broken(error).request(method, path, json=body)
    refused(response, status, code)
    assert response.headers["retry-after"] == "3"


@pytest.mark.parametrize(("method", "path", "body"), ROUTES)
def test_a_mistake_of_ours_is_no_trace_in_the_answer(broken, method, path, body):
    response = broken(RuntimeError("secret detail")).request(method, path, json=body)
    refused(response, 500, "internal_error")
    assert "secret detail" not in response.text


def test_health_stays_200_and_says_what_is_down(broken):
    response = broken(Unavailable("the table does not answer")).get("/health")
    assert response.status_code == 200
    assert response.json()["status"] == "degraded"
    assert response.json()["services"]["table"]["status"] == "down"


def test_while_the_index_is_away_searches_rank_the_newest_and_say_so(tmp_path):
    app = application(tmp_path)
    with client(app) as api:
        saved = save(api, "demo", "the heron stands in the water")
        save(api, "demo", "the otter swims")
        app = app.with_overrides(index=Failing(Unavailable("no engine")))
    with client(app) as api:
        found = api.get("/search", params={"q": "heron", "project": "demo", "mode": "bm25"})
        assert [hit["id"] for hit in found.json()] == [saved["id"]]
        assert found.headers["strata-degraded"] == "index"
        context = api.get("/context", params={"query": "heron", "project": "demo"})
        assert context.json()["recent_observations"][0]["content"].startswith("the heron")
        assert context.headers["strata-degraded"] == "index"
        assert api.get("/health").json()["services"]["index"]["status"] == "down"
        assert save(api, "demo", "a save goes on")["action"] == "created"
    app.close()


def test_a_server_whose_data_folder_was_deleted_acknowledges_nothing(tmp_path):
    data = tmp_path / "data"
    with served(data) as api:
        save(api, "demo", "the heron stands in the water")
        assert api.get("/health").json()["services"]["writes"]["status"] == "ok"
        while data.exists():  # the server writes into it meanwhile
            shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        for number in range(6):
            response = api.post("/observations", json=observation(content=f"the otter swims {number}"))
            refused(response, 503, "unavailable")
            assert int(response.headers["retry-after"]) > 0
        health = api.get("/health").json()
        assert (health["status"], health["services"]["writes"]["status"]) == ("degraded", "down")
        assert api.get("/api/health").status_code == 503
        assert not (data / "strata.db").exists()


def test_a_full_disk_refuses_writes_whole_and_goes_on_reading(tmp_path):
    app = application(tmp_path)
    with client(app) as api:
        kept = [save(api, "demo", "the first fact")["id"]]
        with app.stores.database.writing() as connection:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages + 40}")
        for place in range(100):
            body = observation(content=f"{place} " + "word " * 2000, topic_key=f"k{place}", project="demo")
            response = api.post("/observations", json=body)
            if response.status_code != 201:
                break
            kept.append(response.json()["id"])
        refused(response, 503, "unavailable")
        assert int(response.headers["retry-after"]) >= 1
        assert api.get("/health").json()["services"]["writes"]["status"] == "down"
        start = api.post("/sessions", json={"id": "late" * 40, "project": "demo"})
        assert start.status_code in (201, 503)
        assert api.get(f"/observations/{kept[0]}").json()["content"] == "the first fact"
        listed = api.get("/observations/recent", params={"project": "demo", "limit": 1000}).json()
        assert [row["id"] for row in listed] == kept[::-1]
        assert api.get("/search", params={"q": "first fact", "project": "demo"}).json()[0]["id"] == kept[0]
        with app.stores.database.writing() as connection:
            connection.execute("PRAGMA max_page_count = 1000000")
        assert api.get("/health").json()["services"]["writes"]["status"] == "ok"
        assert api.post("/observations", json=body).json()["action"] == "created"
        counted = api.get("/stats", params={"project": "demo"}).json()["total_observations"]
        assert counted == len(kept) + 1
        words: dict[str, str | int] = {"q": "word", "project": "demo", "mode": "bm25", "limit": 100}
        assert len(api.get("/search", params=words).json()) == len(kept)
    assert app.stores.database.problems() == []
    app.close()


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def overwritten(path: Path) -> None:
    path.write_bytes(b"this is no database" * 500)


def another_programs(path: Path) -> None:
    import sqlite3

    path.unlink()
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()


@pytest.mark.parametrize("damage", [cut_short, overwritten, another_programs])
def test_a_damaged_store_is_refused_with_a_sentence_and_left_as_it_is(tmp_path, damage):
    app = application(tmp_path)
    with client(app) as api:
        for place in range(20):
            save(api, "demo", f"{place} " + "word " * 500)
    assert app.stores.database.checkpoint()
    app.close()
    store = tmp_path / "strata.db"
    damage(store)
    before = hashlib.sha256(store.read_bytes()).hexdigest()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STRATA_")}
    done = subprocess.run(
        [sys.executable, "-c", "from strata.cli import main; main()", "serve", "--port", "0"],
        env=environment | {"STRATA_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert str(store) in done.stderr
    assert "Traceback" not in done.stderr
    assert hashlib.sha256(store.read_bytes()).hexdigest() == before
