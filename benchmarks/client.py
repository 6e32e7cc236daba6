"""The cost of importing the client, against httpx and pydantic, which are all that it needs."""

import subprocess
import sys
from collections import defaultdict

from benchmarks.measure import Figure, median

ROUNDS = 21
GOAL = 1.3
_NEEDED = "import httpx, pydantic"
_CLIENT = "import httpx, pydantic; from strata.client import AsyncClient, Client"
_SHAPES = ", ".join(f"strata.domain.wire.{name}" for name in ("contexts", "observations", "sessions"))
_ANSWERS = f"{_CLIENT}; import {_SHAPES}"
_TIMED = "import sys, time; started = time.perf_counter(); {}; print(time.perf_counter() - started)"


def run() -> list[Figure]:
    """The medians of alternating rounds, each import in a process of its own.

    The client is imported with both libraries, though it needs pydantic at the first answer only.
    """
    times: dict[str, list[float]] = defaultdict(list)
    for number in range(ROUNDS + 1):
        for imports in (_NEEDED, _CLIENT, _ANSWERS):
            seconds = _time_of(imports)
            if number:  # the first round reads files that are not in the page cache
                times[imports].append(seconds)
    needed = median(times[_NEEDED])
    return [
        Figure("import httpx and pydantic", needed * 1000, "ms"),
        Figure("import strata.client and these", median(times[_CLIENT]) * 1000, "ms"),
        Figure("strata.client, of httpx and pydantic", median(times[_CLIENT]) / needed, "x", GOAL),
        Figure("with the models of the first answer", median(times[_ANSWERS]) / needed, "x"),
    ]


def _time_of(imports: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", _TIMED.format(imports)], capture_output=True, text=True, check=True
    )
    return float(done.stdout)
