"""The port `Clock`."""

import time


class SystemClock:
    """The machine's clock."""

    def now_us(self) -> int:
        """Microseconds since 1970, UTC."""
        return time.time_ns() // 1000

    def monotonic(self) -> float:
        """Seconds from an arbitrary start that never run backwards."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)
