"""The erasure of somebody with 20 000 memories on one machine; its server is killed five times meanwhile."""

import tempfile
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any

from benchmarks.measure import Figure
from benchmarks.server import Client, Server, running
from benchmarks.text import Writer

OBSERVATIONS, EPISODES, OTHERS = 19_000, 1_000, 1_000
KILLS = 5
WORD = "zqxjkv77"
"""Stands in all of the person's memories."""

_PAGE = 5_000
_SETTLE = "1"
_PATH = "/api/rgpd/users/ann/ai-data"


def run() -> list[Figure]:
    """Fill a store, erase, and look for what is left."""
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as name:
        folder = Path(name)
        with _serving(folder) as server:
            client = server.client()
            _fill(client, Writer(23))
            before = _of_the_other(client)
            erasure = client.ask("DELETE", _PATH)["erasure_id"]
            client.close()
            seconds = _until_erased(server, erasure, some=1)
            server.kill()
        for kill in range(1, KILLS):
            with _serving(folder) as server:
                seconds += _until_erased(server, erasure, some=kill * 3_000)
                server.kill()
        with _serving(folder) as server:
            seconds += _until_erased(server, erasure)
            client = server.client()
            receipt = client.get(f"/api/rgpd/erasures/{erasure}")
            others = _of_the_other(client) == before
            client.close()
        left = sum(path.read_bytes().count(WORD.encode()) for path in folder.rglob("*") if path.is_file())
    counts = receipt["erased"]
    exact = (counts["observations"], counts["episodes"]) == (OBSERVATIONS, EPISODES)
    return [
        Figure(f"erasure of {OBSERVATIONS + EPISODES} memories, killed {KILLS} times", seconds, "s"),
        Figure("receipt exact", float(exact), "", 1, higher_is_better=True),
        Figure("another person unharmed", float(others), "", 1, higher_is_better=True),
        Figure("traces left in all files", float(left), "", 0),
    ]


def _serving(folder: Path) -> Any:
    return running(folder, ERASURE_SETTLE=_SETTLE)


def _fill(client: Client, writer: Writer) -> None:
    """The person's memories, and another's."""
    for owner, count in (("ann", OBSERVATIONS), ("bob", OTHERS)):
        mark = f" {WORD}" if owner == "ann" else ""
        rows = [
            each | {"user_id": owner, "content": each["content"] + mark, "session_id": f"{owner}-{n // 50}"}
            for n, each in enumerate(writer.observations("bench", count))
        ]
        for start in range(0, count, _PAGE):
            client.post("/import", {"observations": rows[start : start + _PAGE]})
    for number in range(EPISODES):
        summary = f"{writer.memory()} {WORD}"
        talk = {"conversation_id": f"talk-{number}", "agent_id": "guide", "user_id": "ann"}
        client.post("/episodic/store", talk | {"summary": summary})


def _of_the_other(client: Client) -> list[Any]:
    found: list[Any] = []
    cursor = None
    while True:
        page = client.get("/api/rgpd/users/bob/ai-data", cursor=cursor)
        found.append(page["items"])
        cursor = page.get("next")
        if cursor is None:
            return found


def _until_erased(server: Server, erasure: str, some: int | None = None) -> float:
    """Wait until it is done, or until so many memories are erased; the seconds that it took."""
    began = time.perf_counter()
    client = server.client()
    with suppress(OSError, HTTPException):
        while True:
            receipt = client.get(f"/api/rgpd/erasures/{erasure}")
            if receipt["status"] == "done" or (some and sum(receipt["erased"].values()) >= some):
                break
            time.sleep(0.02)
    client.close()
    return time.perf_counter() - began
