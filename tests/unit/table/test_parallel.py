"""Calls that are made at the same time, also when such a call makes others itself."""

import threading

import pytest

from strata.services.table.parallel import Parallel


def within(seconds, work):
    """The result of the work; it must not hang."""
    given = []
    thread = threading.Thread(target=lambda: given.append(work()), daemon=True)
    thread.start()
    thread.join(seconds)
    assert given, "it hangs"
    return given[0]


@pytest.mark.parametrize("width", [0, 1, 2, 16])
def test_calls_may_make_rounds_of_their_own_however_few_threads_there_are(width):
    rounds = Parallel(width)

    def inner(name):
        return rounds.each([lambda: f"{name}1", lambda: f"{name}2", lambda: f"{name}3"])

    def outer():
        return rounds.both(lambda: inner("a"), lambda: rounds.both(lambda: inner("b"), lambda: inner("c")))

    first, (second, third) = within(30, outer)
    assert [*first, *second, *third] == ["a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3"]


def test_many_at_once_that_wait_for_each_other_come_to_an_end():
    rounds = Parallel(2)
    together = threading.Barrier(2)

    def nested():
        together.wait(30)  # both threads are taken, and each wants another one
        return rounds.each([lambda: 1, lambda: 2])

    assert within(30, lambda: rounds.each([lambda: [], nested, nested])) == [[], [1, 2], [1, 2]]


def test_an_error_is_raised_whoever_made_the_call():
    def failing():
        raise ValueError("no")

    for width in (0, 1, 4):
        with pytest.raises(ValueError, match="no"):
            Parallel(width).each([lambda: 1, failing])
        with pytest.raises(ValueError, match="no"):
            Parallel(width).both(lambda: 1, failing)
