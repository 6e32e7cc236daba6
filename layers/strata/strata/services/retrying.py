"""Trying an optimistic write again, when another one came first."""

import random
import time
from collections.abc import Iterator

ATTEMPTS = 20


def attempts() -> Iterator[None]:
    """Twenty tries, with full jitter of at most 128 ms between them.

    See "Exponential backoff and jitter" in the AWS architecture blog (2015).
    """
    for number in range(ATTEMPTS):
        if number:
            time.sleep(random.uniform(0, 0.001 * 2 ** min(number, 7)))
        yield
