"""Limits of tenants over every table: processes hold one rate together, and tenants don't share theirs."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from strata.bootstrap import Overrides
from strata.domain.errors import InvalidRequest, LimitReached, Throttled
from strata.domain.scope import Scope
from strata.domain.wire.observations import NewObservation, SavedObservation
from strata.ports.table import Table
from strata.services.records.directory import request_rate_key
from strata.services.records.observations import observation_key
from strata.services.tenants.limits import REMEMBERED_SECONDS, Limits, TenantLimits
from strata.services.tenants.rate import BURST, RequestRate
from strata.services.tenants.stored import COUNTED_EVERY
from support.clocks import FrozenClock, RunningClock
from support.memory import application, observation

LOUD, QUIET = Scope("loud"), Scope("quiet")
RATE = 20


@pytest.fixture
def still(clock: RunningClock) -> FrozenClock:
    """Stands near the real time: the table lets rows expire by it."""
    return FrozenClock(clock.now_us())


@pytest.fixture
def process(table: Table, still: FrozenClock) -> Callable[[], RequestRate]:
    return lambda: RequestRate(table, still, lambda scope: RATE)


def admitted(process: RequestRate, scope: Scope) -> bool:
    try:
        process.admit(scope)
    except Throttled:
        return False
    return True


def test_processes_hold_a_rate_together_and_leave_other_tenants_alone(
    process: Callable[[], RequestRate], still: FrozenClock
) -> None:
    processes, seconds = [process() for _ in range(4)], 8
    let_in = refused_quiet = 0
    for tick in range(seconds * RATE * 2):  # the loud tenant asks for four times its rate
        let_in += admitted(processes[tick % 4], LOUD) + admitted(processes[(tick + 1) % 4], LOUD)
        if tick % 8 == 0:
            refused_quiet += not admitted(processes[tick % 3], QUIET)
        still.forward(0.5 / RATE)
    assert RATE * seconds <= let_in <= RATE * (seconds + BURST + 1)
    assert refused_quiet == 0


def test_what_processes_tell_at_the_same_time_adds_up(
    process: Callable[[], RequestRate], table: Table, still: FrozenClock
) -> None:
    processes = [process() for _ in range(4)]
    for each in processes:
        each.admit(LOUD)
    still.forward(10)  # now each tells its one request with the next
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda each: each.admit(LOUD), processes))
    row = table.get(Scope.directory(), request_rate_key("loud")) or {}
    assert row["empty_at"] - still.us == 4 * 1_000_000 // RATE


def test_limits_of_one_tenant_replace_those_of_the_settings(table: Table, still: FrozenClock) -> None:
    limits = TenantLimits(table, still, Limits(requests=10, items=100, daily_tokens=5))
    assert limits.list() == {}
    limits.set("loud", {"requests": 2.5, "items": None})
    assert limits.of(LOUD) == Limits(requests=2.5, items=None, daily_tokens=5)
    assert limits.of(QUIET) == Limits(requests=10, items=100, daily_tokens=5)
    assert limits.list() == {"loud": limits.of(LOUD)}
    limits.set("loud", {"daily_dollars": 0.25}, default=("requests", "items"))
    assert limits.of(LOUD) == Limits(10, 100, 5, 0.25)


def test_another_process_learns_a_limit_within_a_minute(table: Table, still: FrozenClock) -> None:
    here, there = (TenantLimits(table, still, Limits(requests=10)) for _ in range(2))
    assert there.of(LOUD).requests == 10
    here.set("loud", {"requests": 3})
    assert there.of(LOUD).requests == 10
    still.forward(REMEMBERED_SECONDS)
    assert there.of(LOUD).requests == 3


@pytest.mark.parametrize("value", [-1, float("inf"), float("nan")])
def test_a_limit_that_is_no_number_is_refused(table: Table, still: FrozenClock, value: float) -> None:
    limits = TenantLimits(table, still, Limits())
    with pytest.raises(InvalidRequest, match="requests: must be a number from 0 on"):
        limits.set("loud", {"requests": value})
    assert limits.list() == {}


def test_a_tenant_stores_no_more_than_its_limit_as_the_folded_totals_tell(
    table: Table, clock: RunningClock, tmp_path: Path
) -> None:
    app = application(tmp_path, clock, Overrides(table=table), TENANT_ITEMS="3")
    app.tenants.limits.set("quiet", {"items": 100})

    def save(scope: Scope, number: int) -> SavedObservation:
        new = observation(content=f"note {number}", session_id="s", topic_key=f"topic {number}")
        saved = app.observations.saver.save(scope, NewObservation(**new))
        app.stream.totals.fold(scope, [observation_key(new["project"], saved.id)])
        return saved

    for scope in (QUIET, LOUD):
        saved = [save(scope, number) for number in range(3)]
    with pytest.raises(LimitReached, match="this tenant may store 3") as refused:
        save(LOUD, 3)
    assert refused.value.retry_after > 0
    assert save(QUIET, 3).action == "created"
    assert save(LOUD, 1).action == "updated"  # what adds nothing goes on

    app.observations.editor.delete(LOUD, saved[0].id, hard=False)
    app.stream.totals.fold(LOUD, [observation_key("demo", saved[0].id)])
    clock.forward(COUNTED_EVERY)
    assert save(LOUD, 3).action == "created"
