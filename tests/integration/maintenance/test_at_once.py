"""Runs of maintenance at which several work, over either store, and which end anywhere."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strata.bootstrap import Application
from strata.domain.scope import Scope
from strata.services.maintenance.runs import Runs
from strata.services.maintenance.step import Swept
from strata.services.maintenance.sweep import Sweeper
from support.clocks import HandClock
from support.memory import LOCAL, Memory, application

PIECES = 12


class Killed(BaseException):
    """The process ended here."""


class Pieces:
    """A step of twelve pieces that counts each one once."""

    name = "pieces"

    def sweep(self, scope: Scope, window: Any, cursor: str | None) -> Swept:
        done = int(cursor or 0) + 1
        return Swept({"done": 1, "sum": done}, str(done) if done < PIECES else None)


def sweeping(app: Application) -> Sweeper:
    queue = app.queues.named("maintenance")
    return Sweeper(
        app.maintenance.runs,
        app.maintenance.marks,
        [Pieces()],
        [],
        [],
        queue,
        app.clock,
        enabled=True,
        alone=True,
    )


def whole(app: Application, timestamp: int) -> bool:
    run = app.maintenance.runs.report(LOCAL, timestamp)
    return (run.status, run.summary) == (
        "done",
        {"pieces": {"done": PIECES, "sum": PIECES * (PIECES + 1) // 2}},
    )


def test_of_eight_who_work_at_one_run_each_piece_counts_once(app):
    work = sweeping(app)
    timestamp = work.run_now(LOCAL, lambda: False).timestamp
    message = {"tenant": "local", "run": timestamp}

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: work.carry_on(message, lambda: random.random() < 0.7), range(8)))
    work.carry_on(message, lambda: True)

    assert whole(app, timestamp)
    assert app.maintenance.runs.state(LOCAL)["runs"] == 1


def test_many_runs_at_once_have_a_report_each(app):
    work = sweeping(app)

    with ThreadPoolExecutor(8) as pool:
        runs = list(pool.map(lambda _: work.run_now(LOCAL, lambda: True), range(8)))

    assert len({run.timestamp for run in runs}) == 8
    assert len(app.maintenance.runs.newest(LOCAL, 100)) == 8
    assert all(whole(app, run.timestamp) for run in runs)


def test_a_run_of_real_steps_over_either_store_finds_nothing_wrong(app):
    memory = Memory(app)
    memory.start(user_id="ann")
    memory.end("s1", "I moved to Lisbon and we decided to use Postgres for storage", "noted, Postgres it is")
    memory.save(user_id="ann")
    memory.follow()

    run = app.maintenance.sweeper.run_now(LOCAL, lambda: True)

    assert (run.status, run.errors) == ("done", {})


class Dying:
    """The calls through it, until the process ends before or after one of them."""

    def __init__(self, of: Any, deaths: Iterator[bool]) -> None:
        self._of = of
        self._deaths = deaths

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._of, name)

        def call(*arguments: Any, **named: Any) -> Any:
            if next(self._deaths, False):
                raise Killed
            answer = method(*arguments, **named)
            if next(self._deaths, False):
                raise Killed
            return answer

        return call


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.booleans(), max_size=60), st.randoms(use_true_random=False))
def test_a_run_that_is_killed_anywhere_is_whole_in_the_end(tmp_path_factory, deaths, chance):
    clock = HandClock()
    app = application(tmp_path_factory.mktemp("store"), clock)
    queue, left = app.queues.named("maintenance"), iter(deaths)
    work = Sweeper(
        cast(Runs, Dying(app.maintenance.runs, left)),
        app.maintenance.marks,
        [Pieces()],
        [],
        [],
        Dying(queue, left),
        app.clock,
        enabled=True,
        alone=True,
    )
    timestamp = 7
    queue.send([{"tenant": "local", "run": timestamp}])
    for _ in range(200):
        clock.forward(61)
        messages = queue.receive(10, invisible=60)
        if not messages:
            break
        for message in messages:
            try:
                work.carry_on(message.body, lambda: chance.random() < 0.5)
            except Killed:
                continue  # it was not deleted, so it comes again
            queue.delete([message.receipt])

    assert whole(app, timestamp)
    assert app.maintenance.runs.state(LOCAL)["last"] == timestamp
    app.close()
