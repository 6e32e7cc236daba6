"""Waiting times beside an import of 50 000 rows, and the cost of a search after a burst of saves."""

import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count, cycle
from pathlib import Path

from benchmarks.measure import Figure, median
from benchmarks.saves import seconds_behind
from benchmarks.server import Client, Server, running
from benchmarks.text import Writer

ROWS = 50_000
BODY = 25_000
"""Rows of one call: 50 000 are more than the five megabytes that a call may have."""

BURST = 1_000
KNOWN = 2_000
"""Memories of the project that others work on, before anything is measured."""

ROUNDS = 60
PAUSE = 0.05


def run(rows: int = ROWS) -> list[Figure]:
    """Measure both, over a store of its own each."""
    return [*_import(rows), *_burst()]


def _import(rows: int) -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder, running(Path(folder)) as server:
        _fill(server, Path(folder), "others", KNOWN)
        calls = _calls(server.client())
        usual = _times(calls, lambda done: done >= ROUNDS)
        imported: list[int] = []
        importing = threading.Thread(target=lambda: imported.extend(_imports(server.url, rows)))
        started = time.perf_counter()
        importing.start()
        beside = _times(calls, lambda _: not importing.is_alive())
        seconds = time.perf_counter() - started
        behind = seconds_behind(Path(folder))
        assert sum(imported) == rows, imported
    figures = [
        Figure(f"import of {rows} rows", seconds, "s"),
        Figure("until all of it was indexed and counted", behind, "s"),
    ]
    for name, times in beside.items():
        before = median(usual[name])
        figures += [
            Figure(f"{name} beside it, median", median(times) * 1000, "ms", note=f"{len(times)} calls"),
            Figure(f"{name} beside it, of its usual median", median(times) / before, "x", 3),
            Figure(f"{name} beside it, slowest", max(times), "s", 2),
        ]
    return figures


def _burst() -> list[Figure]:
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder, running(Path(folder)) as server:
        _fill(server, Path(folder), "burst", KNOWN)
        client = server.client()
        questions = cycle(Writer(7).questions(40))
        usual = []
        for _ in range(20):
            started = time.perf_counter()
            client.get("/search", q=next(questions), project="burst")
            usual.append(time.perf_counter() - started)
        after, found = [], 0
        bodies = iter(Writer(8).observations("burst", 3 * BURST))
        for burst in range(3):
            for number in range(BURST):
                body = next(bodies) | {"topic_key": f"t{burst}/{number}"}
                if number % 100 == 99:
                    body["content"] += f" quetzal{burst}x{number}"
                client.post("/observations", body)
            started = time.perf_counter()
            client.get("/search", q=next(questions), project="burst")
            after.append(time.perf_counter() - started)
            for number in range(99, BURST, 100):
                hits = client.get("/search", q=f"quetzal{burst}x{number}", project="burst", limit=1)
                found += f"quetzal{burst}x{number}" in hits[0]["content"]
    return [
        Figure("search, usual median", median(usual) * 1000, "ms"),
        Figure(f"search right after {BURST} saves, median of {len(after)}", median(after) * 1000, "ms"),
        Figure("search right after a burst, of its usual time", median(after) / median(usual), "x", 3),
        Figure("found right after it, of 30", found, "", 30, higher_is_better=True),
    ]


def _fill(server: Server, data: Path, project: str, rows: int) -> None:
    client = server.client()
    bodies = Writer(3).observations(project, rows)
    for start in range(0, rows, 500):
        client.post("/import", {"observations": bodies[start : start + 500]})
    client.close()
    seconds_behind(data)


def _imports(url: str, rows: int) -> Iterator[int]:
    """Import rows in bodies as large as one may be; the rows that each brought."""
    client = Client(url, timeout=900)
    for start in range(0, rows, BODY):
        body = {"observations": [_row(number) for number in range(start, min(start + BODY, rows))]}
        yield client.post("/import", body)["imported_observations"]


def _row(number: int) -> dict[str, object]:
    return {
        "session_id": "imported",
        "type": "note",
        "title": "n",
        "content": f"row {number} of it",
        "project": "imported",
    }


def _calls(client: Client) -> dict[str, Callable[[], object]]:
    bodies = iter(Writer(5).observations("others", 20_000))
    questions = cycle(Writer(6).questions(40))
    return {
        "save": lambda: client.post("/observations", next(bodies)),
        "search": lambda: client.get("/search", q=next(questions), project="others"),
        "stats": lambda: client.get("/stats"),
        "health": lambda: client.get("/health"),
    }


def _times(calls: dict[str, Callable[[], object]], enough: Callable[[int], bool]) -> dict[str, list[float]]:
    """The seconds of each call, in turn and with pauses, until it was enough."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for done in count():
        if enough(done) and done:
            return times
        for name, call in calls.items():
            started = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - started)
        time.sleep(PAUSE)
    return times
