"""Acknowledged writes are there after the whole server was killed in the middle of writes.

It is killed five times, with `STRATA_TEST_SIZE=full` twenty times.
"""

import http.client
import threading
import time
from collections.abc import Mapping
from itertools import count
from pathlib import Path

import pytest
from benchmarks.server import Client, Refused, Server, start

from strata.bootstrap import Application
from strata.domain.scope import Scope
from strata.services.records.observations import OBSERVATION_KIND, OBSERVATION_PREFIX, observation_id_of
from strata.settings import Settings
from support.run_size import FULL

KILLS = 20 if FULL else 5
WRITERS = 3
SECONDS_OF_WRITING = 0.25
LOCAL = Scope("local")

Acknowledged = dict[int, str]
"""The content of every save that was answered, by id."""


class Writer(threading.Thread):
    """Saves until the server dies; keeps what it answered."""

    def __init__(self, url: str, name: str, saved: Acknowledged) -> None:
        super().__init__(name=name)
        self.client = Client(url, timeout=20)
        self.saved = saved
        self.wrong: list[str] = []

    def run(self) -> None:
        self._save_on()
        self.client.close()

    def _save_on(self) -> None:
        for number in count():
            # one word that nothing else has, so that a search for it has one answer
            word = f"{self.name}n{number}"
            content = f"The lighthouse of {word} was painted again"
            try:
                answer = self.client.post("/observations", body(word, content))
            except (OSError, http.client.HTTPException):
                return  # killed; whether this one was written is open
            except Refused as refused:
                self.wrong.append(str(refused))
                return
            self.saved[answer["id"]] = content


def body(word: str, content: str) -> dict[str, object]:
    return {
        "session_id": "s1",
        "type": "discovery",
        "title": "Lighthouses",
        "content": content,
        "project": "coast",
        "topic_key": f"lighthouse/{word}",
        "tags": ["paint"],
    }


def write_and_kill(server: Server, round_number: int, saved: Acknowledged) -> list[str]:
    """Let writers write, kill every process at once. What a client was told that it should not be."""
    writers = [Writer(server.url, f"w{round_number}x{number}", saved) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    before = len(saved)
    deadline = time.monotonic() + 20
    while len(saved) == before and time.monotonic() < deadline:
        time.sleep(0.01)  # on a busy machine the first answer takes its time
    time.sleep(SECONDS_OF_WRITING)
    assert all(writer.is_alive() for writer in writers), [writer.wrong for writer in writers]
    server.kill()
    for writer in writers:
        writer.join(20)
    return [wrong for writer in writers for wrong in writer.wrong]


def missing(server: Server, saved: Mapping[int, str]) -> list[str]:
    """Those of these that are missing, by id and by search, as they were saved."""
    client = server.client()
    lost = []
    for number, content in saved.items():
        try:
            if client.get(f"/observations/{number}")["content"] != content:
                lost.append(f"{number} has another content")
        except Refused:
            lost.append(f"{number} is not there")
        word = content.split()[3]
        if [hit["id"] for hit in client.get("/search", q=word, project="coast", limit=1)] != [number]:
            lost.append(f"{number} is not found")
    client.close()
    return lost


def followed(data: Path) -> bool:
    """Whether every change is indexed and counted; waits for it."""
    app = Application(Settings(data=data))
    deadline = time.monotonic() + 60
    try:
        while waiting := app.stores.backlog.waiting(LOCAL, ("",), 1):
            if time.monotonic() > deadline:
                break
            time.sleep(0.1)
        return not waiting
    finally:
        app.close()


def stored(data: Path) -> tuple[set[int], set[int], int, list[str], list[str]]:
    """Ids in the table, ids in the index, the total, what is half written, what SQLite finds wrong."""
    app = Application(Settings(data=data))
    try:
        rows = {
            observation_id_of(key): app.stores.table.get(scope, key) or {}
            for scope, key in app.stores.change_log.keys(OBSERVATION_PREFIX)  # type: ignore[attr-defined]
        }
        half = [
            f"{number} is half written"
            for number, row in rows.items()
            if row.get("topic_key") != f"lighthouse/{row.get('content', '').split()[3:4][0]}"
        ]
        indexed = {int(key) for key, _ in app.stores.index.catalog(LOCAL, OBSERVATION_KIND)}
        total = app.stream.totals.stats(LOCAL, "coast").total_observations
        return set(rows), indexed, total, half, app.stores.database.problems()
    finally:
        app.close()


@pytest.mark.slow
def test_kills_lose_nothing_that_was_acknowledged(tmp_path):
    saved: Acknowledged = {}
    for round_number in range(KILLS):
        before = set(saved)
        server = start(tmp_path)
        try:
            assert write_and_kill(server, round_number, saved) == []
        finally:
            if server.process.poll() is None:
                server.kill()
        assert len(saved) > len(before), "nothing was written before the kill"

    server = start(tmp_path)
    try:
        # at once those that a search finds however much is not indexed yet
        assert missing(server, dict(list(saved.items())[-150:])) == []
        assert followed(tmp_path)
        # the others by sample: every one of them is compared below
        assert missing(server, dict(list(saved.items())[::10])) == []
    finally:
        server.stop()

    rows, indexed, total, half, damage = stored(tmp_path)
    assert saved.keys() <= rows
    assert half == []
    assert indexed == rows
    assert total == len(rows)
    assert damage == []
