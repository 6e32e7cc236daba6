"""The figures of a benchmark, small arithmetic over samples, and a table that counts what it is asked."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured figure. `goal` is what it should reach: at least or at most, by `higher_is_better`."""

    name: str
    value: float
    unit: str
    goal: float | None = None
    higher_is_better: bool = False
    note: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the goal is reached; None without one."""
        if self.goal is None:
            return None
        return self.value >= self.goal if self.higher_is_better else self.value <= self.goal


def median(samples: Sequence[float]) -> float:
    """The middle one."""
    return statistics.median(samples)


def p99(samples: Sequence[float]) -> float:
    """The one that 99 in 100 are not above."""
    return sorted(samples)[min(len(samples) - 1, len(samples) * 99 // 100)]


def latencies(name: str, seconds: Sequence[float], goal: float | None = None) -> list[Figure]:
    """Median and p99 in milliseconds; the goal is the median's."""
    return [
        Figure(f"{name}, median", median(seconds) * 1000, "ms", goal),
        Figure(f"{name}, p99", p99(seconds) * 1000, "ms"),
    ]


class CountingTable:
    """A table that counts the rows that are read, and the writes."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.rows = self.writes = 0

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._table, name)

        def call(*sent: Any, **named: Any) -> Any:
            answer = method(*sent, **named)
            self.rows += len(answer.rows) if name == "query" else name == "get"
            self.writes += name in ("transact", "update")
            return answer

        return call
