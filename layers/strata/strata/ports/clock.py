"""The time."""

from typing import Protocol


class Clock(Protocol):
    """Time and waiting. Tests pass their own."""

    def now_us(self) -> int:
        """Microseconds since 1970, UTC."""

    def monotonic(self) -> float:
        """Seconds from an arbitrary start that never run backwards: for how long something takes."""

    def sleep(self, seconds: float) -> None:
        """Wait."""
