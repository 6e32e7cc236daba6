"""Trying an optimistic write again, when another one came first."""

import random
import time
from collections.abc import Iterator, Sequence

from strata.domain.scope import Scope
from strata.ports import Action, ConditionFailed, Table

ATTEMPTS = 20


def attempts() -> Iterator[None]:
    """Twenty tries, with full jitter of at most 128 ms between them.

    See "Exponential backoff and jitter" in the AWS architecture blog (2015).
    """
    for number in range(ATTEMPTS):
        if number:
            time.sleep(random.uniform(0, 0.001 * 2 ** min(number, 7)))
        yield


def write_what_holds(table: Table, scope: Scope, actions: Sequence[Action]) -> None:
    """Write those of up to 100 actions whose conditions hold, and leave the others out."""
    left = list(actions)
    while left:
        try:
            table.transact(scope, left)
        except ConditionFailed as failed:
            left = [action for place, action in enumerate(left) if place not in failed.failures]
        else:
            return
