"""Bad rows are told apart from good ones at little cost; a store that is away is nobody's fault."""

from math import ceil, log2

from hypothesis import given
from hypothesis import strategies as st

from strata.domain.errors import NewerRow, Throttled, Unavailable
from strata.ports.rows import Key
from strata.services.stream.consumers import fan_out

ROWS = [Key("p", str(number)) for number in range(100)]


class Consumer:
    """Takes rows, unless a bad one is among them, or it is away by then."""

    def __init__(self, bad=(), away_at=None):
        self.bad, self.away_at = set(bad), away_at
        self.calls = 0
        self.taken = set()

    def __call__(self, scope, keys):
        self.calls += 1
        if self.calls == self.away_at:
            raise Unavailable("away")
        if self.bad & set(keys):
            raise KeyError("a secret")
        self.taken |= set(keys)


some_rows = st.sets(st.sampled_from(ROWS), max_size=6)


@given(bad=some_rows, size=st.integers(0, 100))
def test_exactly_the_bad_rows_are_told_and_all_others_taken(bad, size):
    rows = ROWS[:size]
    consumer = Consumer(bad)
    result = fan_out([consumer], "t", rows)
    assert set(result.poisoned) == bad & set(rows)
    assert consumer.taken == set(rows) - bad
    assert (result.pending, result.outage) == ([], "")
    assert consumer.calls <= 1 + 2 * len(bad) * ceil(log2(max(size, 2)))


@given(bad=some_rows, away_at=st.integers(1, 30))
def test_an_outage_leaves_every_row_taken_told_or_pending(bad, away_at):
    consumer = Consumer(bad, away_at)
    result = fan_out([consumer], "t", ROWS)
    parts = [consumer.taken, set(result.poisoned), set(result.pending)]
    assert set().union(*parts) == set(ROWS)
    assert sum(map(len, parts)) == len(ROWS)
    assert consumer.calls <= away_at
    assert bool(result.pending) == bool(result.outage)
    assert result.pending == sorted(result.pending, key=ROWS.index)  # as the stream has them


def test_a_later_consumer_does_not_get_what_an_earlier_one_refused():
    later = Consumer()
    fan_out([Consumer([ROWS[2]]), later], "t", ROWS[:4])
    assert later.taken == set(ROWS[:4]) - {ROWS[2]}


def test_being_asked_to_slow_down_is_no_fault_of_a_row():
    def slow(scope, keys):
        raise Throttled("slow down")

    result = fan_out([slow], "t", ROWS[:3])
    assert (result.pending, result.poisoned, result.outage) == (ROWS[:3], {}, "slow down")


def test_a_reason_has_the_kind_of_error_and_no_message():
    result = fan_out([Consumer([ROWS[0]])], "t", ROWS[:1])
    (reason,) = result.poisoned.values()
    assert reason.startswith("KeyError in fan_out of strata.services.stream.consumers, line ")
    assert "secret" not in reason


def test_rows_of_a_newer_version_are_put_aside_and_the_others_taken():
    consumer, newer = Consumer(), {ROWS[3], ROWS[50]}

    def refusing(scope, keys):
        if newer & set(keys):
            raise NewerRow("upgrade")

    result = fan_out([refusing, consumer], "t", ROWS)
    assert set(result.poisoned) == newer
    assert consumer.taken == set(ROWS) - newer
    assert result.outage == ""
