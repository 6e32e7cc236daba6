"""Saves a second over HTTP, one client and eight; each is durable when it is answered, indexed soon after."""

import tempfile
import time
from collections.abc import Iterator
from itertools import count
from multiprocessing import get_context
from multiprocessing.synchronize import Barrier
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from benchmarks import baseline
from benchmarks.measure import Figure, latencies
from benchmarks.server import Client, running
from benchmarks.text import Writer

SECONDS, LONG = 4.0, 60.0
WARM_UP = 300
CLIENTS = 8
_BODIES = 2_000


def run(seconds: float = SECONDS) -> list[Figure]:
    """Measure the service and, in the same run, the least that such a server could be."""
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder:
        bare = [_bare(Path(folder) / "before.db")]
        with running(Path(folder) / "store") as server:
            used = server.processor_seconds()
            alone, times = _rate(server.url, 1, seconds)
            at_once = server.processor_seconds() - used
            behind = seconds_behind(Path(folder) / "store")
            used = server.processor_seconds() - used
            together, _ = _rate(server.url, CLIENTS, SECONDS)
        bare.append(_bare(Path(folder) / "after.db"))
    yardstick, spent = (sum(each) / len(each) for each in zip(*bare, strict=True))
    saves = len(times) + WARM_UP
    return [
        Figure("saves, one client", alone, "/s", 1000, higher_is_better=True),
        *latencies("save, one client", times),
        Figure("processor time of the server, a save", used / saves * 1000, "ms"),
        Figure("of it until the last save was answered", at_once / saves * 1000, "ms"),
        Figure("until all saves were indexed and counted, after the last", behind, "s", 10),
        Figure(f"saves, {CLIENTS} clients", together, "/s", higher_is_better=True),
        Figure(f"{CLIENTS} clients, of one client", together / alone, "x", 1.3, higher_is_better=True),
        Figure(
            "baseline: HTTP, powertools, pydantic, one SQLite transaction; one client",
            yardstick,
            "/s",
            note=f"{bare[0][0]:.0f} before, {bare[1][0]:.0f} after",
        ),
        Figure("processor time of the baseline, a save", spent * 1000, "ms"),
        Figure("saves, one client, of the baseline", alone / yardstick, "x", 0.4, higher_is_better=True),
    ]


def _bare(path: Path) -> tuple[float, float]:
    """Saves a second of the bare server, and its processor seconds for each."""
    with baseline.running(path) as server:
        used = server.processor_seconds()
        rate, times = _rate(server.url, 1, SECONDS)
        return rate, (server.processor_seconds() - used) / (len(times) + WARM_UP)


def run_long() -> list[Figure]:
    """Measure the same over a minute."""
    return run(LONG)


def seconds_behind(data: Path) -> float:
    """The time from now until no change of the store waits for the stream's consumers."""
    from strata.bootstrap import Application
    from strata.domain.scope import Scope
    from strata.settings import Settings

    started = time.perf_counter()
    app = Application(Settings(data=data))
    try:
        while app.stores.backlog.waiting(Scope("local"), ("",), 1):
            time.sleep(0.05)
    finally:
        app.close()
    return time.perf_counter() - started


def _rate(url: str, clients: int, seconds: float) -> tuple[float, list[float]]:
    """Saves a second of all clients together, and the seconds that each save took."""
    context = get_context("spawn")
    barrier = context.Barrier(clients)
    answers: SimpleQueue[Any] = context.SimpleQueue()  # type: ignore[assignment]
    processes = [
        context.Process(target=_client, args=(url, clients * 100 + number, seconds, barrier, answers))
        for number in range(clients)
    ]
    for process in processes:
        process.start()
    found = [answers.get() for _ in processes]
    for process in processes:
        process.join()
    times = [seconds for own in found for seconds in own]
    return sum(len(own) / sum(own) for own in found), times


def _client(url: str, seed: int, seconds: float, barrier: Barrier, answers: "SimpleQueue[Any]") -> None:
    bodies = _bodies(seed)
    client = Client(url)
    for _ in range(WARM_UP):
        client.post("/observations", next(bodies))
    barrier.wait(60)
    times: list[float] = []
    end = time.perf_counter() + seconds
    for body in bodies:
        started = time.perf_counter()
        client.post("/observations", body)
        now = time.perf_counter()
        times.append(now - started)
        if now > end:
            break
    answers.put(times)
    client.close()


def _bodies(seed: int) -> Iterator[dict[str, Any]]:
    """Bodies without end, some thousands of a project."""
    for number in count():
        yield from Writer(seed * 1000 + number).observations(f"bench{seed}-{number}", _BODIES)
