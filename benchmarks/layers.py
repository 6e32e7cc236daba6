"""The layers beside observations, over HTTP on one machine: one client, one call after the other.

A case is a function that makes its store ready and gives back one call, which is then measured.
"""

import tempfile
import time
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path

from benchmarks.measure import Figure, latencies
from benchmarks.server import Client, running

WARM_UP, CALLS = 200, 2000
GOAL = 5.0
"""Milliseconds, of the median."""

CONVERSATION = "bench"
FIELDS = {"scratchpad": "What is known of the well so far. " * 30, "well": "42-123-45678", "step": 3}

Case = Callable[[Client], Callable[[], object]]


def run() -> list[Figure]:
    """Measure every case, each over a store of its own."""
    return [figure for name, case in CASES.items() for figure in latencies(name, _measured(case), GOAL)]


def _measured(case: Case) -> list[float]:
    with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder, running(Path(folder)) as server:
        client = server.client()
        call = case(client)
        times = []
        for number in range(WARM_UP + CALLS):
            started = time.perf_counter()
            call()
            if number >= WARM_UP:
                times.append(time.perf_counter() - started)
        client.close()
    return times


def get_working_memory(client: Client) -> Callable[[], object]:
    """A working memory of a kilobyte or two, read again and again."""
    _put(client, FIELDS)
    return lambda: client.get(f"/working-memory/{CONVERSATION}")


def put_working_memory(client: Client) -> Callable[[], object]:
    """One field of it set to something else each time."""
    _put(client, FIELDS)
    steps = count()
    return lambda: _put(client, {"step": next(steps)})


def mark_ledger(client: Client) -> Callable[[], object]:
    """Another item marked each time."""
    items = count()
    return lambda: client.post(f"/ledger/{CONVERSATION}/mark", {"item": f"observations:{next(items)}"})


def append_event(client: Client) -> Callable[[], object]:
    """A tool's result added to a session; most of the time another falls out of its window."""
    client.post("/memory/sessions", {"session_id": CONVERSATION})
    event = {"event_type": "tool_result", "content": FIELDS, "metadata": {"source": "bench"}}
    return lambda: client.post(f"/memory/sessions/{CONVERSATION}/events", event)


def _put(client: Client, fields: Mapping[str, object]) -> object:
    return client.put(f"/working-memory/{CONVERSATION}", fields)


CASES: dict[str, Case] = {
    "working memory, get": get_working_memory,
    "working memory, put": put_working_memory,
    "ledger, mark": mark_ledger,
    "event, append": append_event,
}
