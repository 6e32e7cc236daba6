"""The budget of language models over every table: exact, whoever asks at the same time."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strata.domain.errors import BudgetSpent
from strata.domain.model_costs import Prices, Usage
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.ports.rows import Item
from strata.ports.table import Table
from strata.services.models.budget import Caps, ModelBudget
from strata.services.records.spending import spending_key
from support.clocks import FrozenClock, RunningClock

DAY = 86_400
FREE = Prices()


class Noon(FrozenClock):
    """A clock that stands at noon: of today, because the table lets rows expire by the real time."""

    def __init__(self, now_us: int) -> None:
        super().__init__(now_us // (DAY * 1_000_000) * DAY * 1_000_000 + DAY * 500_000)

    def tomorrow(self) -> None:
        self.forward(DAY)


Open = Callable[..., ModelBudget]


@pytest.fixture
def noon(clock: RunningClock) -> Noon:
    return Noon(clock.now_us())


@pytest.fixture
def budget(table: Table, noon: Noon) -> Open:
    def made(tokens: int | None = None, dollars: float | None = None, prices: Prices = FREE) -> ModelBudget:
        return ModelBudget(table, noon, lambda scope: Caps(tokens, dollars), prices)

    return made


def spent(table: Table, scope: Scope, noon: "Noon") -> Item:
    return table.get(scope, spending_key(rfc3339(noon.us)[:10])) or {}


def test_what_was_used_replaces_what_was_set_aside(
    budget: Open, table: Table, scope: Scope, noon: Noon
) -> None:
    counting = budget(prices=Prices(0.15, 0.6))
    held = counting.reserve(scope, Usage(1000, 500))
    assert spent(table, scope, noon)["tokens"] == 1500
    counting.settle(scope, held, Usage(101, 10))
    row = spent(table, scope, noon)
    assert (row["tokens"], row["micro_dollars"], row["calls"]) == (111, 22, 1)
    assert row["expires_at"] == (noon.us // 1_000_000 // DAY + 40) * DAY


@pytest.mark.parametrize(
    "caps", [{"tokens": 100}, {"dollars": 0.0001, "prices": Prices(1, 1)}], ids=["tokens", "money"]
)
def test_a_cap_holds_to_the_last_token(
    budget: Open, scope: Scope, other_scope: Scope, noon: Noon, caps: dict
) -> None:
    counting = budget(**caps)
    counting.reserve(scope, Usage(60, 0))
    held = counting.reserve(scope, Usage(30, 10))
    with pytest.raises(BudgetSpent) as raised:
        counting.reserve(scope, Usage(1, 0))
    assert raised.value.retry_after == DAY // 2
    counting.reserve(other_scope, Usage(100, 0))
    counting.settle(scope, held, Usage(39, 0))
    counting.reserve(scope, Usage(1, 0))
    with pytest.raises(BudgetSpent):
        counting.reserve(scope, Usage(1, 0))
    noon.tomorrow()
    counting.reserve(scope, Usage(100, 0))


def test_what_no_day_has_room_for_is_refused_at_once(
    budget: Open, table: Table, scope: Scope, noon: Noon
) -> None:
    with pytest.raises(BudgetSpent):
        budget(tokens=10).reserve(scope, Usage(11, 0))
    with pytest.raises(BudgetSpent):
        budget(tokens=0).reserve(scope, Usage(1, 0))
    assert spent(table, scope, noon) == {}


def test_of_many_at_once_exactly_as_many_pass_as_there_is_room_for(
    budget: Open, table: Table, scope: Scope, noon: Noon
) -> None:
    counting = budget(tokens=70)

    def one(_: int) -> bool:
        with suppress(BudgetSpent):
            counting.reserve(scope, Usage(5, 5))
            return True
        return False

    with ThreadPoolExecutor(12) as threads:
        passed = list(threads.map(one, range(40)))
    assert sum(passed) == 7
    row = spent(table, scope, noon)
    assert (row["tokens"], row["calls"]) == (70, 7)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.integers(1, 40), st.integers(0, 40), st.integers(0, 40), st.booleans()), max_size=12
    )
)
def test_the_day_counts_what_was_used_and_what_is_still_held(
    budget: Open, table: Table, scope: Scope, noon: Noon, asked: list[tuple[int, int, int, bool]]
) -> None:
    counting, expected = budget(tokens=100), 0
    noon.tomorrow()  # a day of its own
    for given_tokens, made, used, ends in asked:
        fits = expected + given_tokens + made <= 100
        try:
            held = counting.reserve(scope, Usage(given_tokens, made))
        except BudgetSpent:
            assert not fits
            continue
        assert fits
        if ends:
            counting.settle(scope, held, Usage(min(used, given_tokens), 0))
        expected += min(used, given_tokens) if ends else given_tokens + made
    assert spent(table, scope, noon).get("tokens", 0) == expected
