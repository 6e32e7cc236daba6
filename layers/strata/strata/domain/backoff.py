"""How long to wait before trying again."""

import random


def pause(tries: int, first: float, longest: float) -> float:
    """Seconds to wait after so many tries: exponential, with full jitter.

    See "Exponential backoff and jitter", AWS Architecture Blog (2015).
    """
    return random.uniform(0, min(longest, first * 2.0 ** min(tries, 60)))
