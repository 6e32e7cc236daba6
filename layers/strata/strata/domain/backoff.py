"""Delays between retries."""

import random


def pause(tries: int, first: float, longest: float) -> float:
    """Seconds to wait after this number of tries: exponential backoff with full jitter.

    See "Exponential backoff and jitter", AWS Architecture Blog (2015).
    """
    return random.uniform(0, min(longest, first * 2.0 ** min(tries, 60)))
