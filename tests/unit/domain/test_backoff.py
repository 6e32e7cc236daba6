from strata.adapters.patience import Patience
from strata.domain.backoff import pause


def test_pauses_double_up_to_the_longest_and_are_spread_from_zero():
    for tries, longest in [(0, 0.2), (1, 0.4), (4, 3.2), (5, 6.4), (6, 8.0), (5000, 8.0)]:
        pauses = [pause(tries, 0.2, 8.0) for _ in range(500)]
        assert 0 <= min(pauses) < longest / 10
        assert longest * 0.9 < max(pauses) <= longest


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def patience(clock: Clock) -> Patience:
    return Patience(10, sleep=clock.sleep, clock=lambda: clock.now)


def test_patience_waits_as_long_as_the_other_side_asks_and_never_past_its_end():
    clock = Clock()
    tries = patience(clock)
    assert tries.wait(4)
    assert tries.wait(5.5)
    assert not tries.wait(0.5)
    assert clock.slept == [4, 5.5]
    assert tries.left == 0.5


def test_patience_is_fresh_for_half_of_its_time():
    clock = Clock()
    tries = patience(clock)
    assert tries.is_fresh()
    clock.now = 5
    assert not tries.is_fresh()
