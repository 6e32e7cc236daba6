"""The time until the server answers, over an empty folder and again, and its memory while idle."""

import tempfile
import time
from pathlib import Path

from benchmarks.measure import Figure, median
from benchmarks.server import running

ROUNDS = 5
_SETTLED = 1.0


def run() -> list[Figure]:
    """The medians of some rounds, from the start of the process to an answer of GET /health."""
    first, second, idle = [], [], []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(prefix="strata-bench-") as folder:
            data = Path(folder)
            with running(data) as server:
                first.append(server.seconds_to_healthy)
            with running(data) as server:
                second.append(server.seconds_to_healthy)
                time.sleep(_SETTLED)
                idle.append(server.memory())
    return [
        Figure("start, empty folder", median(first), "s", 2),
        Figure("start, second time", median(second), "s", 2),
        Figure("memory, idle", median(idle), "MB", 200),
    ]
