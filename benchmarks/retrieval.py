"""Search and context over distinct questions in a small and a large project, and the memory it takes."""

import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.measure import Figure, latencies
from benchmarks.server import Client, Server, running
from benchmarks.text import Writer

SMALL, LARGE = 6_000, 100_000
QUESTIONS = 300
WARM_UP = 40
CONNECTIONS = 16

_PAGE = 2_000
_START = datetime(2026, 1, 1, tzinfo=UTC)


def run() -> list[Figure]:
    """Measure both sizes, each in a store of its own."""
    return _measure(SMALL, 15, None) + _measure(LARGE, 60, 700)


def _measure(size: int, search_goal: float, memory_goal: float | None) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder:
        data = Path(folder)
        with running(data) as server:
            loading = _load(server.url, "bench", size)
        with running(data) as server:  # again, so that no cache is warm from the writing
            restart = server.seconds_to_healthy
            idle = server.memory()
            figures = _latencies(server, size, search_goal)
            _search_everywhere(server)
            searched = server.memory()
    return [
        *figures,
        Figure(f"import, {size} memories", size / loading, "/s", higher_is_better=True),
        Figure(f"start with {size} memories", restart, "s", 2),
        Figure(f"memory with {size} memories, idle", idle, "MB", memory_goal),
        Figure(f"memory with {size} memories, searched", searched, "MB", memory_goal),
    ]


def _latencies(server: Server, size: int, goal: float) -> list[Figure]:
    questions = Writer(7).questions(WARM_UP + 2 * QUESTIONS)
    client = server.client()

    def search(question: str) -> Any:  # invented questions: some have nothing close, which is measured, too
        return client.get("/search", q=question, project="bench", min_relevance=0)

    def context(question: str) -> Any:
        return client.get("/context", query=question, project="bench")

    cold = max(_timed(search, questions[:WARM_UP]))
    used = server.processor_seconds()
    searches = _timed(search, questions[WARM_UP : WARM_UP + QUESTIONS])
    used = server.processor_seconds() - used
    contexts = _timed(context, questions[WARM_UP + QUESTIONS :])
    client.close()
    return [
        *latencies(f"search, {size} memories", searches, goal),
        Figure(f"processor time of the server, a search of {size}", used / QUESTIONS * 1000, "ms"),
        *latencies(f"context, {size} memories", contexts),
        Figure(f"first search of a process, {size} memories", cold * 1000, "ms"),
    ]


def _search_everywhere(server: Server) -> None:
    """Search over many connections at once, so that every process of the server has done so."""
    questions = Writer(8).questions(CONNECTIONS * 5)

    def search(number: int) -> None:
        client = server.client()
        for question in questions[number::CONNECTIONS]:
            client.get("/search", q=question, project="bench")
        client.close()

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        list(pool.map(search, range(CONNECTIONS)))


def _timed(call: Callable[[str], Any], questions: Sequence[str]) -> list[float]:
    """The seconds of each call; a call that finds nothing measures nothing."""
    times = []
    for question in questions:
        started = time.perf_counter()
        found = call(question)
        times.append(time.perf_counter() - started)
        assert found, question
    return times


def _load(url: str, project: str, size: int) -> float:
    """Import invented memories, two pages at a time; the seconds it took."""
    observations = Writer(3).observations(project, size)
    for number, observation in enumerate(observations):
        observation["created_at"] = (_START + timedelta(seconds=number)).isoformat()
    pages = [observations[start : start + _PAGE] for start in range(0, size, _PAGE)]

    def load(page: list[dict[str, Any]]) -> int:
        client = Client(url, timeout=300)
        added = client.post("/import", {"observations": page})["imported_observations"]
        client.close()
        return int(added)

    started = time.perf_counter()
    with ThreadPoolExecutor(2) as pool:
        added = sum(pool.map(load, pages))
    assert added == size, added
    return time.perf_counter() - started
