"""Requests a second of a tenant, in the long run and while the table is away."""

import pytest

from strata.bootstrap import Overrides
from strata.domain.errors import Throttled, Unavailable
from strata.domain.scope import Scope
from strata.services.records.directory import request_rate_key
from strata.services.tenants.rate import RequestRate
from support.api import ClaimsFromHeader, client
from support.clocks import FrozenClock
from support.memory import application

LOUD, QUIET = Scope("loud"), Scope("quiet")


class Counting:
    """A table that counts its writes, and is away when told so."""

    def __init__(self, table):
        self.table, self.writes, self.away = table, 0, False

    def __getattr__(self, name):
        return getattr(self.table, name)

    def update(self, scope, update):
        if self.away:
            raise Unavailable("the table can't be reached")
        self.writes += 1
        return self.table.update(scope, update)


@pytest.fixture
def clock():
    return FrozenClock()


@pytest.fixture
def table(tmp_path, clock):
    return Counting(application(tmp_path, clock).stores.table)


def admitted(process, scope=LOUD):
    try:
        process.admit(scope)
    except Throttled:
        return 0
    return 1


def asked(processes, clock, *, rate, seconds):
    """The number that is let in of so many requests a second, spread over the processes."""
    let_in = 0
    for number in range(rate * seconds):
        let_in += admitted(processes[number % len(processes)])
        clock.forward(1 / rate)
    return let_in


@pytest.mark.parametrize(("processes", "limit", "rate"), [(1, 5, 15), (8, 50, 200), (40, 50, 100)])
def test_the_rate_of_a_minute_is_right_within_a_tenth(table, clock, processes, limit, rate):
    running = [RequestRate(table, clock, lambda scope: limit) for _ in range(processes)]
    let_in = asked(running, clock, rate=rate, seconds=60)
    assert let_in == pytest.approx(60 * limit, rel=0.1)
    assert table.writes < let_in


def test_requests_below_the_rate_are_let_in_and_most_write_nothing(table, clock):
    running = [RequestRate(table, clock, lambda scope: 100) for _ in range(4)]
    assert asked(running, clock, rate=80, seconds=30) == 80 * 30
    assert table.writes < 80 * 30 / 10


def test_a_tenant_without_a_rate_costs_no_write(table, clock):
    assert asked([RequestRate(table, clock, lambda scope: None)], clock, rate=100, seconds=3) == 300
    assert table.writes == 0
    assert table.get(Scope.directory(), request_rate_key("loud")) is None


def test_while_the_table_is_away_each_process_holds_the_rate_by_itself(table, clock):
    table.away = True
    process = RequestRate(table, clock, lambda scope: 10)
    assert asked([process], clock, rate=40, seconds=30) == pytest.approx(10 * 30, rel=0.1)
    table.away = False
    assert asked([process], clock, rate=5, seconds=10) >= 5 * 10 - 1
    assert table.writes > 0


def test_a_tenant_without_any_requests_is_told_so(table, clock):
    process = RequestRate(table, clock, lambda scope: 0)
    with pytest.raises(Throttled, match="no requests"):
        process.admit(LOUD)


def test_a_loud_tenant_is_told_when_to_come_again_and_a_quiet_one_is_answered(tmp_path):
    clock = FrozenClock()
    app = application(tmp_path, clock, Overrides(), AUTH="required", TENANT_REQUESTS="2")
    api = client(app, ClaimsFromHeader())

    def ask(tenant):
        return api.get("/search", params={"q": "tea"}, headers={"x-tenant": tenant})

    loud = [ask("loud") for _ in range(6)]
    assert [each.status_code for each in loud] == [200] * 4 + [429] * 2
    assert loud[-1].json() == {"error": "this tenant may make 2 requests a second", "code": "throttled"}
    assert loud[-1].headers["retry-after"] == "1"
    assert ask("quiet").status_code == 200
    assert api.get("/health", headers={"x-tenant": "loud"}).status_code == 200  # open to everybody
    clock.forward(1)
    assert [ask("loud").status_code for _ in range(3)] == [200, 200, 429]

    app.tenants.limits.set("loud", {"requests": 50})
    clock.forward(1)
    assert [ask("loud").status_code for _ in range(9)] == [200] * 9
