"""The time."""

from typing import Protocol


class Clock(Protocol):
    """The time, and waiting. Tests pass their own."""

    def now_us(self) -> int:
        """Microseconds since 1970, UTC."""

    def sleep(self, seconds: float) -> None:
        """Wait."""
