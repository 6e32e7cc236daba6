"""The answers to callers while the search engine refuses, hangs, fails, or is killed and comes back."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from servers.java import free_port
from servers.opensearch import opensearch as running_opensearch
from strata.services.records.observations import OBSERVATION_KIND, OBSERVATION_PREFIX
from support.api_calls import end, save, start
from support.memory import LOCAL, application, observation, unique
from support.served_stores import client_of, served, settings_of

ANSWERS_WITHIN = 2.0


class Door:
    """A port that stands before the engine: it lets everything through, or is as the engine in trouble."""

    def __init__(self, target: str) -> None:
        self._target = tuple(target.removeprefix("http://").split(":"))
        self.mode = "open"
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def set(self, mode: str) -> None:
        """Change, and break the connections there are."""
        self.mode = mode
        for each in list(self._open):
            _close(each)

    def close(self) -> None:
        self.set("refuse")
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        self._open.add(client)
        if self.mode == "refuse":
            _close(client)
        elif self.mode == "fail":
            while client.recv(65536):
                client.sendall(b"HTTP/1.1 503 Unavailable\r\ncontent-length: 2\r\n\r\n{}")
        elif self.mode == "open":
            engine = socket.create_connection((self._target[0], int(self._target[1])))
            self._open.add(engine)
            threading.Thread(target=_pump, args=(engine, client), daemon=True).start()
            _pump(client, engine)
        # hanging: nobody reads, nobody answers


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    _close(source)
    _close(target)


def _close(each: socket.socket) -> None:
    with suppress(OSError):
        each.shutdown(socket.SHUT_RDWR)
    each.close()


def eventually(holds: Callable[[], object], seconds: float = 30) -> None:
    """Wait until it holds."""
    end_at = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end_at
        time.sleep(0.1)


@pytest.fixture
def door(opensearch: str) -> Iterator[Door]:
    door = Door(opensearch)
    yield door
    door.close()


@pytest.mark.parametrize("trouble", ["refuse", "hang", "fail"])
def test_memories_are_found_in_the_table_while_the_engine_is_away(
    request: pytest.FixtureRequest,
    door: Door,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    trouble: str,
) -> None:
    project = unique("away-")
    settings = settings_of(request, "dynamodb", "opensearch") | {
        "OPENSEARCH_URL": door.url,
        "OPENSEARCH_TIMEOUT": "1",
        "OPENSEARCH_PAUSE": "1",
    }
    with served(tmp_path, monkeypatch, **settings) as server, client_of(server) as api:
        session = start(api, project)
        heron = save(api, project, "A heron fishes at the weir every morning")
        for number in range(20):
            save(api, project, f"Minutes of meeting {number}: the budget was discussed")
        gone = save(api, project, "The heron nest is in the old oak")
        end(api, session, "What about the birds?", "They are well.")
        assert not is_degraded(ask(api, "/search", q="heron", project=project))

        door.set(trouble)

        api.delete(f"/observations/{gone['id']}")
        hits = in_time(api, "/search", q="heron at the weir", project=project)
        assert is_degraded(hits)
        ids = [hit["id"] for hit in hits.json()]
        assert ids[0] == heron["id"]
        assert gone["id"] not in ids
        context = in_time(api, "/context", query="heron at the weir", project=project)
        assert is_degraded(context)
        assert "weir" in context.json()["recent_observations"][0]["content"]
        assert context.json()["recent_sessions"]
        health = in_time(api, "/health")
        assert (health.json()["status"], health.json()["services"]["index"]["status"]) == ("degraded", "down")
        assert health.json()["services"]["table"]["status"] == "ok"
        late = save(api, project, "A heron chick hatched today")
        assert late["id"] in [
            hit["id"] for hit in ask(api, "/search", q="hatched chick", project=project).json()
        ]

        door.set("open")

        eventually(lambda: not is_degraded(ask(api, "/search", q="heron", project=project)))
        eventually(lambda: api.get("/health").json()["status"] == "ok")
        ids = [hit["id"] for hit in ask(api, "/search", q="heron", project=project).json()]
        assert {heron["id"], late["id"]} <= set(ids)
        assert gone["id"] not in ids


def ask(api: httpx.Client, path: str, **parameters: str) -> httpx.Response:
    response = api.get(path, params=parameters)
    assert response.status_code == 200, response.text
    return response


def in_time(api: httpx.Client, path: str, **parameters: str) -> httpx.Response:
    """The answer, which may not take longer than a client waits."""
    with httpx.Client(base_url=api.base_url, trust_env=False, timeout=ANSWERS_WITHIN) as hasty:
        return ask(hasty, path, **parameters)


def is_degraded(response: httpx.Response) -> bool:
    return response.headers.get("strata-degraded") == "index"


def test_nothing_is_lost_and_no_call_fails_while_the_engine_is_killed_twice(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port, data = free_port(), tmp_path / "engine"
    settings = settings_of(request, "dynamodb", "sqlite") | {
        "INDEX": "opensearch",
        "OPENSEARCH_URL": f"http://127.0.0.1:{port}",
        "OPENSEARCH_PAUSE": "1",
    }
    stop = threading.Event()
    saved: list[int] = []
    failures: list[str] = []
    degraded: list[bool] = []

    def work(number: int) -> None:
        with client_of(server, timeout=60) as api:
            count = 0
            while not stop.is_set():
                count += 1
                body = observation(
                    project="load", session_id=f"s{number}", content=f"note {count} of {number}"
                )
                try:
                    answer = api.post("/observations", json=body)
                    found = api.get("/search", params={"q": f"note {count}", "project": "load"})
                except httpx.HTTPError as error:
                    failures.append(repr(error))
                    continue
                failures.extend(each.text for each in (answer, found) if each.status_code >= 400)
                saved.append(answer.json()["id"])
                if answer.json()["id"] not in [hit["id"] for hit in found.json()] and len(saved) < 500:
                    failures.append(f"not found at once: {body['content']}")
                degraded.append(is_degraded(found))
                time.sleep(0.1)

    with ExitStack() as stack:
        engine = stack.enter_context(ExitStack())
        engine.enter_context(running_opensearch(port, data=data))
        server = stack.enter_context(served(tmp_path, monkeypatch, **settings))
        with ThreadPoolExecutor(2) as clients:
            workers = [clients.submit(work, number) for number in range(2)]
            try:
                for _ in range(2):
                    time.sleep(2)
                    engine.close()  # kill -9
                    time.sleep(1)
                    engine.enter_context(running_opensearch(port, data=data))
                time.sleep(2)
            finally:
                stop.set()
        for worker in workers:
            worker.result()
        assert failures == []
        assert True in degraded
        app = application(tmp_path, **settings)
        stack.callback(app.close)
        rows = {
            key.sk.removeprefix(OBSERVATION_PREFIX) for _, key in app.stores.census.keys(OBSERVATION_PREFIX)
        }
        assert {f"{each:016d}" for each in saved} == rows
        eventually(lambda: {key for key, _ in app.stores.index.catalog(LOCAL, OBSERVATION_KIND)} == rows)
        verdict = app.repair.verifier.verify(lambda *_: None, _alone)
        assert (verdict.rows, verdict.documents) == (len(rows), len(rows))
        assert (verdict.missing, verdict.stale, verdict.orphans) == (0, 0, 0)


@contextmanager
def _alone() -> Iterator[None]:
    yield
