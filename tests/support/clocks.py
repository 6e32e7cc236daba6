"""Clocks that are moved by hand."""

import time

START = 1_767_225_600_000_000  # 2026-01-01, in microseconds
MINUTE = 60


class HandClock:
    """A clock that stands still until it is moved; each reading is a microsecond after the one before."""

    def __init__(self, now_us: int = START) -> None:
        self.us = now_us

    def now_us(self) -> int:
        self.us += 1
        return self.us

    def monotonic(self) -> float:
        return self.now_us() / 1e6

    def sleep(self, seconds: float) -> None:
        """Waits for nothing: who waits for another thread lets it run."""
        time.sleep(0)

    def forward(self, seconds: float) -> None:
        self.us += int(seconds * 1_000_000)


class FrozenClock(HandClock):
    """A clock that stands still."""

    def now_us(self) -> int:
        return self.us


class RunningClock(HandClock):
    """A clock that starts at the real time, goes on by itself, and moves when told to."""

    def __init__(self) -> None:
        super().__init__(0)

    def now_us(self) -> int:
        return time.time_ns() // 1000 + self.us
