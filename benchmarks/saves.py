"""Saves a second over HTTP, one client and eight; each is durable and indexed when it is answered."""

import tempfile
import time
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from benchmarks import baseline
from benchmarks.measure import Figure, latencies
from benchmarks.server import Client, running
from benchmarks.text import Writer

SECONDS = 4.0
WARM_UP = 300
CLIENTS = 8


def run() -> list[Figure]:
    """Measure the service and, in the same run, the least that such a server could be."""
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder:
        with running(Path(folder) / "store") as server:
            used = server.processor_seconds()
            alone, times = _rate(server.url, 1)
            used = server.processor_seconds() - used
            together, _ = _rate(server.url, CLIENTS)
        with baseline.running(Path(folder) / "baseline.db") as url:
            bare, _ = _rate(url, 1)
    return [
        Figure("saves, one client", alone, "/s", 1000, higher_is_better=True),
        *latencies("save, one client", times),
        Figure("processor time of the server, a save", used / (len(times) + WARM_UP) * 1000, "ms"),
        Figure(f"saves, {CLIENTS} clients", together, "/s", higher_is_better=True),
        Figure("baseline: HTTP, powertools, pydantic, one SQLite transaction; one client", bare, "/s"),
    ]


def _rate(url: str, clients: int) -> tuple[float, list[float]]:
    """Saves a second of all clients together, and the seconds that each save took."""
    context = get_context("spawn")
    barrier = context.Barrier(clients)
    answers: SimpleQueue[Any] = context.SimpleQueue()  # type: ignore[assignment]
    processes = [
        context.Process(target=_client, args=(url, clients * 100 + number, barrier, answers))
        for number in range(clients)
    ]
    for process in processes:
        process.start()
    found = [answers.get() for _ in processes]
    for process in processes:
        process.join()
    times = [seconds for own in found for seconds in own]
    return sum(len(own) / sum(own) for own in found), times


def _client(url: str, seed: int, barrier: Barrier, answers: "SimpleQueue[Any]") -> None:
    bodies = iter(Writer(seed).observations(f"bench{seed}", 20_000))
    client = Client(url)
    for _ in range(WARM_UP):
        client.post("/observations", next(bodies))
    barrier.wait(60)
    times: list[float] = []
    started = before = time.perf_counter()
    for body in bodies:
        client.post("/observations", body)
        now = time.perf_counter()
        times.append(now - before)
        before = now
        if now - started > SECONDS:
            break
    answers.put(times)
    client.close()
