"""Work that is ordered is done once: of two kinds, for two tenants, whatever crashes and whoever works."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Barrier
from typing import Any

import pytest

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.ports.rows import Absent, Item, Key, Put, Update
from strata.services.orders.dispatch import Dispatch
from strata.services.orders.lease import Lease, LeaseLost, Leases
from strata.services.orders.order import OrderKind, placed
from strata.services.table.transaction import Named, Refused, transact
from support.memory import LOCAL, Memory

MERGE = OrderKind("merge", "MERGE", ("owner",), lease_seconds=60)
LOAD = OrderKind("load", "LOAD", ("folder", "file"), lease_seconds=600)
TENANTS = (LOCAL, Scope("acme"))
PARTS = 3


class Killed(BaseException):
    """The process is gone: nothing is cleaned up after it."""


@dataclass
class Crashing:
    """Kills the process before or after the call that is due, of all calls that write or send."""

    calls: int = 0
    dies_at: int | None = None
    after: bool = False

    def around(self, target: object) -> Any:
        return _Watched(self, target)

    def step(self, call: Callable[[], Any]) -> Any:
        self.calls += 1
        dies = self.calls == self.dies_at
        if dies and not self.after:
            raise Killed
        result = call()
        if dies:
            raise Killed
        return result


@dataclass
class _Watched:
    crashing: Crashing
    target: Any

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.target, name)
        if name not in ("transact", "update", "send"):
            return method
        return lambda *args, **named: self.crashing.step(lambda: method(*args, **named))


@dataclass
class House:
    """Two kinds of orders with their queues, and a job that writes a row for each part of the work."""

    memory: Memory
    crashing: Crashing = field(default_factory=Crashing)
    during: Callable[[Lease], object] = lambda lease: None
    """Happens before each part; the rest is handed on where it says True."""

    def __post_init__(self) -> None:
        app = self.memory.app
        self.table = self.crashing.around(app.stores.table)
        self.queues = {kind: app.queues.named(kind.name) for kind in (MERGE, LOAD)}
        self.dispatches = [
            Dispatch(self.table, kind, self.crashing.around(q)) for kind, q in self.queues.items()
        ]
        self.leases = {kind: Leases(self.table, app.clock, kind) for kind in self.queues}

    def key(self, kind: OrderKind, name: str) -> Key:
        return Key(f"{kind.name}#{name}", kind.sort_key)

    def order(self, scope: Scope, kind: OrderKind, name: str, digest: str = "1") -> Put | None:
        key = self.key(kind, name)
        fields = dict.fromkeys(kind.subject, name) | {"name": name, "part": 0}
        put = placed(key, self.table.get(scope, key), digest, fields)
        if put is not None:
            transact(self.table, scope, {"cause": Update(Key("CAUSES", name), add={"n": 1}), "order": put})
        return put

    def follow(self) -> None:
        """Every order changed, as far as the stream knows."""
        for scope in TENANTS:
            keys = [self.key(kind, name) for kind in self.queues for name in ("a", "b")]
            for dispatch in self.dispatches:
                dispatch.follow(scope, keys)

    def deliver(self, times: int = 1) -> None:
        for kind, queue in self.queues.items():
            for message in queue.receive(100, invisible=0):
                scope, name = Scope(message.body["tenant"]), message.body[kind.subject[0]]
                for _ in range(times):
                    self.leases[kind].work(scope, self.key(kind, name), self.job)
                queue.delete([message.receipt])

    def work(self, scope: Scope = LOCAL) -> None:
        """Deliver the merge of `a`."""
        self.leases[MERGE].work(scope, self.key(MERGE, "a"), self.job)

    def job(self, lease: Lease) -> None:
        while lease.order["part"] < PARTS:
            if self.during(lease) is True:
                return lease.hand_on()
            part, name = lease.order["part"], lease.order["name"]
            progress = {"part": part + 1}
            result = Put(Key("RESULTS", f"{name}{part}"), {"name": name}, Absent())
            count = Update(Key("COUNTS", name), add={"n": 1})
            try:
                named: Named = {"order": lease.progress(progress), "result": result, "count": count}
                transact(self.table, lease.scope, named)
            except Refused as refused:
                if "order" in refused:
                    raise LeaseLost from None
                raise
            lease.order.update(progress)
        return lease.finish("found", {"last": Put(Key("LASTS", lease.order["name"]), {}, Absent())})

    def row(self, scope: Scope, kind: OrderKind, name: str) -> Item:
        found = self.memory.app.stores.table.get(scope, self.key(kind, name))
        assert found is not None
        return found

    def count(self, scope: Scope, name: str) -> int:
        row = self.memory.app.stores.table.get(scope, Key("COUNTS", name))
        return 0 if row is None else int(row["n"])


@pytest.fixture
def house(memory: Memory) -> House:
    return House(memory)


def assert_done(house: House, scope: Scope, kind: OrderKind, name: str) -> None:
    row = house.row(scope, kind, name)
    assert (row["state"], row["outcome"], row["part"]) == ("done", "found", PARTS)
    assert {"lease", "lease_until", "reason"}.isdisjoint(row)
    assert house.count(scope, name) == PARTS


def test_two_kinds_of_two_tenants_go_to_their_own_queues_and_are_done(house):
    for scope in TENANTS:
        house.order(scope, MERGE, "a")
        house.order(scope, LOAD, "b")
    house.follow()
    assert [message.body for message in house.queues[MERGE].receive(10, invisible=0)] == [
        {"tenant": scope.tenant, "owner": "a"} for scope in TENANTS
    ]
    assert [message.body for message in house.queues[LOAD].receive(10, invisible=0)] == [
        {"tenant": scope.tenant, "folder": "b", "file": "b"} for scope in TENANTS
    ]
    house.follow()
    assert [house.queues[kind].depth() for kind in (MERGE, LOAD)] == [2, 2]
    house.deliver()
    for scope in TENANTS:
        assert_done(house, scope, MERGE, "a")
        assert_done(house, scope, LOAD, "b")


def test_an_order_of_one_tenant_is_nothing_to_another(house):
    house.order(LOCAL, MERGE, "a")
    house.work(TENANTS[1])
    assert house.row(LOCAL, MERGE, "a")["state"] == "due"
    assert house.count(TENANTS[1], "a") == 0


def test_an_order_is_written_with_its_cause_or_not_at_all(house):
    key = house.key(MERGE, "a")
    seen = house.table.get(LOCAL, key)
    house.order(LOCAL, MERGE, "a")
    late = placed(key, seen, "2", {"owner": "a", "name": "a", "part": 0})
    with pytest.raises(Refused) as refused:
        transact(house.table, LOCAL, {"cause": Put(Key("CAUSES", "late"), {}), "order": late})
    assert "order" in refused.value
    assert house.table.get(LOCAL, Key("CAUSES", "late")) is None


def test_the_same_work_is_not_ordered_again_and_other_work_is(house):
    house.order(LOCAL, MERGE, "a")
    assert house.order(LOCAL, MERGE, "a") is None
    house.follow()
    house.deliver()
    assert house.order(LOCAL, MERGE, "a") is None
    assert house.order(LOCAL, MERGE, "a", digest="2") is not None
    assert house.row(LOCAL, MERGE, "a")["state"] == "due"


def test_ten_deliveries_do_the_work_once(house):
    house.order(LOCAL, MERGE, "a")
    house.follow()
    house.deliver(times=10)
    assert_done(house, LOCAL, MERGE, "a")


def test_of_two_workers_at_once_one_works(house):
    both = Barrier(2)

    def work(scope: Scope) -> None:
        both.wait()
        try:
            house.work(scope)
        except Unavailable:
            return

    for scope in (Scope(f"tenant{number}") for number in range(10)):
        house.order(scope, MERGE, "a")
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(work, [scope] * 2))
        assert_done(house, scope, MERGE, "a")


def test_a_second_delivery_while_the_first_works_is_to_come_again(house):
    house.order(LOCAL, MERGE, "a")

    def again(lease: Lease) -> None:
        with pytest.raises(Unavailable, match="another worker has the merge"):
            house.work()

    house.during = again
    house.work()
    assert_done(house, LOCAL, MERGE, "a")


def test_a_job_that_fails_gives_its_order_back_with_the_reason_and_goes_on_where_it_was(house):
    house.order(LOCAL, MERGE, "a")

    def fail(lease: Lease) -> None:
        if lease.order["part"] == 1:
            raise ValueError("words of somebody")

    house.during = fail
    with pytest.raises(ValueError, match="words"):
        house.work()
    row = house.row(LOCAL, MERGE, "a")
    assert (row["state"], row["part"], "lease" in row) == ("due", 1, False)
    assert "ValueError" in row["reason"]
    assert "words" not in row["reason"]
    house.during = lambda lease: None
    house.work()
    assert_done(house, LOCAL, MERGE, "a")


def test_work_that_is_handed_on_is_sent_again_and_goes_on_where_it_was(house):
    house.order(LOCAL, LOAD, "b")
    house.follow()

    house.during = lambda lease: lease.order["part"] == 2
    house.deliver()
    row = house.row(LOCAL, LOAD, "b")
    assert (row["state"], row["part"], "lease" in row) == ("due", 2, False)
    assert house.queues[LOAD].depth() == 0
    house.follow()
    house.during = lambda lease: None
    house.deliver()
    assert_done(house, LOCAL, LOAD, "b")


def test_who_was_overtaken_writes_nothing_more(house, clock):
    house.order(LOCAL, MERGE, "a")

    def slow(lease: Lease) -> None:
        house.during = lambda lease: None
        clock.forward(MERGE.lease_seconds + 1)
        house.work()

    house.during = slow
    with pytest.raises(Unavailable, match="another worker has taken it over"):
        house.work()
    assert_done(house, LOCAL, MERGE, "a")


def test_an_order_placed_anew_while_it_is_worked_on_is_done_by_the_next_delivery(house):
    house.order(LOCAL, MERGE, "a")

    def anew(lease: Lease) -> None:
        house.during = lambda lease: None
        house.order(LOCAL, MERGE, "a", digest="2")

    house.during = anew
    with pytest.raises(Unavailable, match="ordered anew"):
        house.work()
    row = house.row(LOCAL, MERGE, "a")
    assert (row["digest"], row["state"], row["part"]) == ("2", "due", 0)
    house.work()
    assert_done(house, LOCAL, MERGE, "a")


def test_what_lies_beside_the_end_of_the_work_is_left_out_where_it_does_not_hold(house):
    house.order(LOCAL, MERGE, "a")
    house.memory.app.stores.table.transact(LOCAL, [Put(Key("LASTS", "a"), {"kept": True})])
    house.work()
    assert_done(house, LOCAL, MERGE, "a")
    assert house.table.get(LOCAL, Key("LASTS", "a")) == {"kept": True}


def test_an_order_that_cannot_be_given_back_waits_for_the_end_of_its_lease(house, clock, caplog):
    house.order(LOCAL, MERGE, "a")
    table = house.table.target

    def away(lease: Lease) -> None:
        house.table.target = _Away(table)
        raise ValueError("a bad page")

    house.during = away
    with pytest.raises(ValueError, match="a bad page"):
        house.work()
    assert "stays leased" in caplog.text
    house.table.target, house.during = table, lambda lease: None
    with pytest.raises(Unavailable):
        house.work()
    clock.forward(MERGE.lease_seconds + 1)
    house.work()
    assert_done(house, LOCAL, MERGE, "a")


class _Away:
    """A table that does not answer."""

    def __init__(self, table: Any) -> None:
        self.get = table.get

    def update(self, *given: Any) -> None:
        raise Unavailable("the table does not answer")


def _run(house: House) -> None:
    """Everything from the causes to the ends of the work; whatever was done before is passed over."""
    for scope in TENANTS:
        house.order(scope, MERGE, "a")
        house.order(scope, LOAD, "b")
    house.follow()
    house.deliver()


def test_a_crash_between_any_two_steps_loses_nothing_and_does_nothing_twice(house, clock):
    _run(house)
    steps = house.crashing.calls
    # of each order: placed, sent, noted, leased, three parts, done; a batch sends both tenants' apart
    assert steps == len(TENANTS) * 2 * 8
    crashes = [(number, after) for number in range(1, steps + 1) for after in (False, True)]
    for place, (number, after) in enumerate(crashes):
        fresh = House(house.memory, Crashing(dies_at=number, after=after))
        scopes = tuple(Scope(f"t{place}-{each}") for each in range(2))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(f"{__name__}.TENANTS", scopes)
            with pytest.raises(Killed):
                _run(fresh)
            clock.forward(LOAD.lease_seconds + 1)
            again = House(house.memory)
            _run(again)
            for scope in scopes:
                assert_done(again, scope, MERGE, "a")
                assert_done(again, scope, LOAD, "b")
            assert [queue.depth() for queue in again.queues.values()] == [0, 0]
