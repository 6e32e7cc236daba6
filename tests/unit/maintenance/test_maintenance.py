"""Maintenance: what changed is swept, once a run, and a report says what came of it."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from strata.bootstrap import Application
from strata.bootstrap.maintenance import QUEUES
from strata.domain.errors import NotFound, SwitchedOff, Unavailable
from strata.domain.scope import Scope
from strata.domain.wire.maintenance import Report
from strata.ports.rows import Delete, Key, Put, Update
from strata.ports.table import Query
from strata.services.maintenance.marks import Marks, days_from
from strata.services.maintenance.punctuality import LONGEST_SECONDS
from strata.services.maintenance.runs import Runs
from strata.services.maintenance.step import Swept
from strata.services.maintenance.sweep import Sweeper
from strata.services.records.episodes import episode_key, episode_place_key
from strata.services.records.events import log_key
from strata.services.records.maintenance import changes_pk, partition_mark_key
from strata.services.records.observations import observation_key, pointer_key
from strata.services.records.totals import stats_key
from support.clocks import START, HandClock
from support.memory import LOCAL, Memory, application

DAY = 86_400
ACME = Scope("acme")


def always() -> bool:
    return True


def never() -> bool:
    return False


@pytest.fixture
def app(tmp_path: Path, clock: HandClock):
    app = application(tmp_path, clock, MAX_SESSIONS="3")
    yield app
    app.close()


@pytest.fixture
def memory(app: Application) -> Memory:
    return Memory(app)


def maintain(app: Application, scope: Scope = LOCAL) -> Report:
    return app.maintenance.sweeper.run_now(scope, always)


class Calls:
    """A table that counts what it is asked."""

    def __init__(self, table: Any) -> None:
        self._table = table
        self.count = Counter()

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._table, name)

        def call(*arguments: Any, **named: Any) -> Any:
            self.count[name] += 1
            if name in ("get_many", "transact"):
                self.count["rows"] += len(arguments[1])
            answer = method(*arguments, **named)
            if name == "query":
                self.count["rows"] += len(answer.rows)
            return answer

        return call


class Named:
    """A step of a test's own."""

    def __init__(self, name: str, *answers: Any) -> None:
        self.name = name
        self.asked: list[str | None] = []
        self._answers = list(answers)

    def sweep(self, scope: Scope, window: Any, cursor: str | None) -> Swept:
        self.asked.append(cursor)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def sweeping(app: Application, *steps: Any, enabled: bool = True, alone: bool = True) -> Sweeper:
    queue = app.queues.named("maintenance")
    return Sweeper(
        app.maintenance.runs,
        app.maintenance.marks,
        steps,
        [],
        [],
        queue,
        app.clock,
        enabled=enabled,
        alone=alone,
    )


# --- what changed


def test_what_changed_is_marked_once_a_day(app, memory, clock):
    memory.save(project="demo")
    memory.save("another", project="demo")
    memory.save("a third", project="web")
    memory.follow()
    days = days_from(None, clock.us)

    partitions, after = app.maintenance.marks.partitions(LOCAL, days[-1:], None, 100)

    assert sorted(partition.key for partition in partitions) == ["PROJECT#demo", "PROJECT#web"]
    assert after is None
    assert app.maintenance.marks.tenants(days[-1:], None, 100) == (["local"], None)


def test_a_mark_that_was_written_today_is_not_written_again(app, memory):
    memory.save()
    memory.follow()
    counted = Calls(app.stores.table)
    marks = Marks(counted, app.clock)

    marks.follow(LOCAL, [observation_key("demo", 7)])
    before = counted.count.total()
    for _ in range(5):
        marks.follow(LOCAL, [observation_key("demo", 8)])

    assert counted.count.total() == before


def test_tomorrow_it_is_written_again(app, memory, clock):
    memory.save()
    memory.follow()
    clock.forward(DAY)
    memory.save("another")
    memory.follow()
    yesterday, today = days_from(None, clock.us)[-2:]

    assert app.maintenance.marks.tenants([today], None, 100)[0] == ["local"]
    # and it comes once when both days are asked for
    partitions, after = app.maintenance.marks.partitions(LOCAL, [yesterday, today], None, 100)
    assert ([partition.key for partition in partitions], after) == (["PROJECT#demo"], None)


def test_places_come_in_pages_of_the_size_that_was_asked_for(app, clock):
    for number in range(25):
        project = f"p{number:02d}"
        app.stores.table.transact(LOCAL, [Put(pointer_key(number), {"project": project, "state": "live"})])
        app.maintenance.marks.follow(LOCAL, [observation_key(project, number)])
    days = days_from(None, clock.us)

    found, cursor, pages = [], None, 0
    while pages == 0 or cursor is not None:
        partitions, cursor = app.maintenance.marks.partitions(LOCAL, days, cursor, 10)
        assert len(partitions) <= 10
        found += [partition.key for partition in partitions]
        pages += 1

    assert sorted(found) == [f"PROJECT#p{number:02d}" for number in range(25)]


def test_pages_go_over_the_ends_of_days_and_name_every_place_once(app, clock):
    for day in range(3):
        for number in range(day, 30, 2):
            project = f"p{number:02d}"
            app.stores.table.transact(
                LOCAL, [Put(pointer_key(number), {"project": project, "state": "live"})]
            )
            app.maintenance.marks.follow(LOCAL, [observation_key(project, number)])
        clock.forward(DAY)
    days = days_from(None, clock.us)

    for limit in (1, 4, 7, 100):
        found, cursor, first = [], None, True
        while first or cursor is not None:
            partitions, cursor = app.maintenance.marks.partitions(LOCAL, days, cursor, limit)
            assert len(partitions) <= limit
            found += [partition.key for partition in partitions]
            first = False
        assert sorted(found) == [f"PROJECT#p{number:02d}" for number in range(30)]


def test_a_mark_names_nobody_and_leads_nowhere_once_its_memory_is_erased(app, memory, clock):
    memory.start(user_id="annabel")
    memory.end("s1", "I moved to Lisbon and we decided to use Postgres for storage", "noted, Postgres it is")
    memory.follow()
    days = days_from(None, clock.us)
    assert [
        partition.key for partition in app.maintenance.marks.partitions(LOCAL, days[-1:], None, 9)[0]
    ] == ["EPISODES#annabel"]
    marks = app.stores.table.query(LOCAL, Query(changes_pk(days[-1]))).rows
    assert marks
    assert "annabel" not in str(marks)

    for row in marks:
        app.stores.table.transact(LOCAL, [Delete(episode_place_key(row.item["number"]))])

    assert app.maintenance.marks.partitions(LOCAL, days[-1:], None, 9) == ([], None)
    assert maintain(app).errors == {}


def test_marks_end_by_themselves(app, memory, clock):
    memory.save()
    memory.follow()
    clock.forward(15 * DAY)
    maintain(app)

    day = days_from(None, START)[-1]
    assert app.stores.table.get(LOCAL, partition_mark_key(day, "observation", "PROJECT#demo")) is None


# --- a run


def test_a_run_that_finds_nothing_wrong_says_so(app, memory):
    memory.save()
    memory.follow()

    run = maintain(app)

    assert (run.status, run.errors, run.trigger) == ("done", {}, "manual")
    assert run.summary["index"] == {"places": 1, "compared": 1, "repaired": 0}
    assert run.summary["notes"] == {"renewed": 0}
    assert run.summary["dead_letters"] == dict.fromkeys(QUEUES, 0)


def test_an_empty_store_can_be_maintained(app):
    assert maintain(app).status == "done"


def test_a_clock_that_is_a_day_behind_the_last_runs_keeps_no_run_from_its_work(app, clock):
    maintain(app)
    clock.forward(-DAY)
    run = maintain(app)
    assert (run.status, run.errors) == ("done", {})


def test_the_next_run_looks_at_what_changed_since(app, memory, clock):
    memory.save(project="old")
    memory.follow()
    maintain(app)
    clock.forward(2 * DAY)
    memory.save("another", project="new")
    memory.follow()
    assert maintain(app).summary["index"]["places"] == 2  # the day of the last run is looked at again
    clock.forward(2 * DAY)

    assert maintain(app).summary["index"]["places"] == 1
    clock.forward(DAY)
    assert maintain(app).summary["index"]["places"] == 0


def test_a_run_of_many_pieces_adds_them_up(app):
    step = Named("pieces", Swept({"n": 1}, "a"), Swept({"n": 2}, "b"), Swept({"n": 3, "m": 1}))

    run = sweeping(app, step).run_now(LOCAL, always)

    assert step.asked == [None, "a", "b"]
    assert run.summary == {"pieces": {"n": 6, "m": 1}}


def test_what_there_is_no_time_for_goes_on_by_messages(app):
    step = Named("pieces", Swept({"n": 1}, "a"), Swept({"n": 1}, "b"), Swept({"n": 1}))
    work = sweeping(app, step)

    run = work.run_now(LOCAL, never)
    assert run.status == "running"
    while messages := app.queues.named("maintenance").receive():
        for message in messages:
            work.carry_on(message.body, never)
        app.queues.named("maintenance").delete([message.receipt for message in messages])

    run = app.maintenance.runs.report(LOCAL, run.timestamp)
    assert (run.status, run.summary) == ("done", {"pieces": {"n": 3}})


def test_a_message_that_comes_ten_times_counts_once(app):
    step = Named("pieces", Swept({"n": 1}, "a"), Swept({"n": 1}))
    work = sweeping(app, step)
    run = work.run_now(LOCAL, never)
    message = {"tenant": "local", "run": run.timestamp}

    for _ in range(10):
        work.carry_on(message, always)

    assert app.maintenance.runs.report(LOCAL, run.timestamp).summary == {"pieces": {"n": 2}}
    assert app.maintenance.runs.state(LOCAL)["runs"] == 1


def test_of_two_who_do_the_same_piece_at_once_one_counts_it(app):
    work: Sweeper

    class Meanwhile(Named):
        def sweep(self, scope, window, cursor):
            swept = super().sweep(scope, window, cursor)
            if len(self.asked) == 1:
                other.carry_on({"tenant": "local", "run": window.run}, always)
            return swept

    step = Meanwhile("pieces", Swept({"n": 1}, "a"), Swept({"n": 1}, "a"), Swept({"n": 10}))
    other = sweeping(app, step)
    work = sweeping(app, step)

    run = work.run_now(LOCAL, always)

    assert (run.status, run.summary) == ("done", {"pieces": {"n": 11}})


def test_a_step_that_fails_is_in_the_report_and_keeps_no_other_from_its_work(app, clock):
    broken = Named("broken", ValueError("ann's secret"))
    away = Named("away", Unavailable("the index does not answer"))
    work = sweeping(app, broken, away, Named("whole", Swept({"n": 1})))

    run = work.run_now(LOCAL, always)

    assert run.status == "done"
    assert run.summary["whole"] == {"n": 1}
    assert run.errors["away"] == "the index does not answer"
    assert "ValueError" in run.errors["broken"]
    assert "secret" not in json.dumps(app.maintenance.runs.get(LOCAL, run.timestamp))


def test_after_a_failure_the_next_run_covers_the_same_days_and_comes_for_sure(app, memory, clock):
    memory.save()
    memory.follow()
    sweeping(app, Named("away", Unavailable("away"))).run_now(LOCAL, always)
    clock.forward(3 * DAY)

    assert app.maintenance.runs.state(LOCAL).get("until") is None
    assert maintain(app).summary["index"]["places"] == 1


def test_a_tenant_that_will_have_more_to_do_is_come_to_without_a_change(app, clock):
    sweeping(app, Named("later", Swept(again=True))).run_now(LOCAL, always)

    assert app.maintenance.marks.tenants(days_from(None, clock.us)[-1:], None, 10)[0] == ["local"]


def test_a_run_of_which_a_step_is_gone_goes_on_without_it(app):
    run = app.maintenance.runs.begin(LOCAL, "schedule", ["of another version", "whole"])

    sweeping(app, Named("whole", Swept({"n": 1}))).carry_on(
        {"tenant": "local", "run": run["timestamp"]}, always
    )

    assert app.maintenance.runs.report(LOCAL, run["timestamp"]).status == "done"


@pytest.mark.parametrize(
    "message", [None, "x", [], {}, {"run": "1"}, {"tenant": "local"}, {"tenant": "#", "run": 1}]
)
def test_a_message_that_names_no_run_is_refused(app, message):
    with pytest.raises(Exception, match=r"names no run|tenant"):
        app.maintenance.sweeper.carry_on(message, always)


def test_two_runs_of_one_millisecond_have_a_report_each(app):
    class Frozen(HandClock):
        def now_us(self) -> int:
            return self.us

    runs = Runs(app.stores.table, Frozen())
    first, second = (runs.begin(LOCAL, "manual", []) for _ in range(2))

    assert second["timestamp"] == first["timestamp"] + 1


# --- the schedule


def test_the_schedule_calls_the_tenants_that_changed_and_no_others(app, clock):
    memories = {name: Memory(app, Scope(name)) for name in ("acme", "bravo", "still")}
    stream = Memory(app)
    memories["still"].save()
    stream.follow()
    clock.forward(20 * DAY)
    for name in ("acme", "bravo"):
        memories[name].save()
    stream.follow()
    clock.forward(3600)
    timestamp = clock.us // 1000

    app.maintenance.sweeper.run_scheduled(timestamp, always)
    stream.work()

    assert {name: len(app.maintenance.runs.newest(Scope(name), 10)) for name in memories} == {
        "acme": 1,
        "bravo": 1,
        "still": 0,
    }
    assert app.maintenance.runs.report(ACME, timestamp).status == "done"
    own = app.maintenance.runs.report(Scope.maintenance(), timestamp)
    assert own.summary["tenants"] == {"called": 2}


def test_a_firing_that_comes_twice_is_one_run(app, memory, clock):
    memory.save()
    memory.follow()
    timestamp = clock.us // 1000

    for _ in range(3):
        app.maintenance.sweeper.run_scheduled(timestamp, always)
    memory.work()

    assert len(app.maintenance.runs.newest(LOCAL, 10)) == 1
    assert app.maintenance.runs.state(Scope.maintenance())["runs"] == 1


def test_many_tenants_are_called_by_pieces_that_a_crash_between_them_does_not_lose(app, clock):
    for number in range(1201):
        app.maintenance.marks.note(Scope(f"t{number}"))
    timestamp = clock.us // 1000

    app.maintenance.sweeper.run_scheduled(timestamp, never)
    assert app.maintenance.runs.report(Scope.maintenance(), timestamp).summary["tenants"]["called"] == 500
    called = set()
    while messages := app.queues.named("maintenance").receive(100):
        for message in messages:
            if "tenant" in message.body:
                called.add(message.body["tenant"])
            else:
                app.maintenance.sweeper.carry_on(message.body, never)
        app.queues.named("maintenance").delete([message.receipt for message in messages])

    assert len(called) == 1201
    assert app.maintenance.runs.report(Scope.maintenance(), timestamp).summary["tenants"] == {"called": 1201}


def test_the_kill_switch_stops_the_schedule_messages_and_runs_by_hand(tmp_path, clock):
    app = application(tmp_path, clock, MAINTENANCE="false")
    app.maintenance.sweeper.run_scheduled(clock.us // 1000, always)
    app.maintenance.sweeper.carry_on({"tenant": "local", "run": 1}, always)
    with pytest.raises(SwitchedOff, match="STRATA_MAINTENANCE"):
        app.maintenance.sweeper.run_now(LOCAL, always)

    assert app.maintenance.runs.newest(LOCAL, 10) == []
    assert app.stores.table.query(LOCAL, Query("MAINTENANCE")).rows == []
    app.close()


# --- health


def status(app: Application) -> str:
    event = json.loads((Path(__file__).parents[3] / "events" / "health.json").read_text())
    body = json.loads(app.handlers.health()(event, None)["body"])
    return body["services"]["maintenance"]["status"]


def test_a_fresh_store_is_in_time(app, clock):
    clock.forward(100 * DAY)
    assert status(app) == "ok"


def test_without_a_run_for_48_hours_the_health_is_degraded_also_after_a_restart(tmp_path, clock):
    app = application(tmp_path, clock)
    memory = Memory(app)
    memory.save()
    memory.follow()
    clock.forward(LONGEST_SECONDS - 60)
    assert status(app) == "ok"
    clock.forward(120)
    assert status(app) == "degraded"
    app.close()
    again = application(tmp_path, clock)
    assert status(again) == "degraded"

    maintain(again)
    assert status(again) == "ok"
    clock.forward(LONGEST_SECONDS + 60)
    assert status(again) == "degraded"
    again.maintenance.sweeper.run_scheduled(clock.us // 1000, always)
    assert status(again) == "ok"
    again.close()


def test_one_tenant_of_many_does_not_make_the_service_punctual(tmp_path, clock):
    app = application(tmp_path, clock, AUTH="required")
    memory = Memory(app, ACME)
    memory.save()
    memory.follow()
    clock.forward(LONGEST_SECONDS + 60)
    maintain(app, ACME)

    assert status(app) == "degraded"
    assert "dead_letters" not in app.maintenance.runs.newest(ACME, 1)[0].summary
    app.close()


def test_what_is_switched_off_is_not_late(tmp_path, clock):
    app = application(tmp_path, clock)
    memory = Memory(app)
    memory.save()
    memory.follow()
    app.close()
    clock.forward(10 * DAY)

    off = application(tmp_path, clock, MAINTENANCE="false")
    assert status(off) == "ok"
    off.close()


# --- reports


def test_reports_come_newest_first_and_end_after_90_days(app, clock):
    stamps = []
    for _ in range(5):
        stamps.append(maintain(app).timestamp)
        clock.forward(DAY)

    assert [run.timestamp for run in app.maintenance.runs.newest(LOCAL, 3)] == stamps[::-1][:3]
    clock.forward(87 * DAY)
    assert [run.timestamp for run in app.maintenance.runs.newest(LOCAL, 10)] == stamps[::-1][:2]
    with pytest.raises(NotFound):
        app.maintenance.runs.report(LOCAL, stamps[0])


def test_a_tenant_reads_no_other_tenants_reports(app):
    run = maintain(app)

    assert app.maintenance.runs.newest(ACME, 10) == []
    with pytest.raises(NotFound):
        app.maintenance.runs.report(ACME, run.timestamp)


# --- the steps


def test_rows_past_their_time_are_removed(app, memory, clock):
    ends = clock.us // 1_000_000 + 100
    rows = [Put(Key("p", f"{number:04d}"), {"expires_at": ends}) for number in range(1100)]
    for start in range(0, 1100, 100):
        app.stores.table.transact(LOCAL, rows[start : start + 100])
    app.stores.table.transact(ACME, [Put(Key("p", "theirs"), {"expires_at": ends})])
    assert maintain(app).summary["leftovers"]["removed"] == 0
    assert app.maintenance.marks.tenants(days_from(None, clock.us)[-1:], None, 10)[0] == ["local"]
    clock.forward(200)

    assert maintain(app).summary["leftovers"]["removed"] == 1100
    with app.stores.database.reading() as connection:
        left = connection.execute("SELECT pk FROM items WHERE expires_at <= ?", (clock.us / 1e6,)).fetchall()
    assert left == [("acme#p",)]


def test_logs_above_a_lowered_limit_are_evicted_oldest_first(tmp_path, app, memory, clock):
    wide = application(tmp_path, clock, MAX_SESSIONS="50")
    for number in range(10):
        wide.events.logs.open(LOCAL, new_log(f"s{number}"))
    wide.close()

    summary = maintain(app).summary["events"]

    assert summary["evicted"] == 7
    assert [log["session_id"] for log in app.events.lists.newest(LOCAL)] == ["s9", "s8", "s7"]


def new_log(session_id: str):
    from strata.domain.wire.events import NewEventSession

    return NewEventSession(session_id=session_id)


def test_the_total_of_events_is_put_right(app, memory):
    app.events.logs.open(LOCAL, new_log("s1"))
    app.stores.table.update(LOCAL, Update(log_key("s1"), set={"next": 2}))

    maintain(app)

    assert app.events.lists.stats(LOCAL).total_events == 2


def test_a_change_that_the_stream_forgot_comes_to_the_index_after_all(app, memory, clock):
    saved = memory.save("the lighthouse keeper", scope="global")
    clock.forward(DAY + 60)
    memory.lose_changes()
    assert maintain(app).summary["notes"] == {"renewed": 1}

    memory.follow()

    assert [key for key, _ in app.stores.index.catalog(LOCAL, "observation")] == [str(saved.id)]
    notes = app.stores.table.query(LOCAL, Query("PROJECT#demo", prefix="CHANGE#")).rows
    assert notes + app.stores.table.query(LOCAL, Query("GLOBAL", prefix="CHANGE#")).rows == []


def test_a_note_that_may_be_on_its_way_is_left_alone(app, memory, clock):
    memory.save()
    clock.forward(DAY - 60)

    assert maintain(app).summary["notes"] == {"renewed": 0}


@pytest.mark.parametrize("kind", ["observation", "episode"])
def test_a_memory_that_is_missing_from_the_index_is_indexed_again(app, memory, kind):
    memory.start()
    for number in range(5):
        memory.save(f"memory {number}")
    memory.end("s1", "I moved to Lisbon and we decided to use Postgres for storage", "noted, Postgres it is")
    memory.follow()
    document = next(iter(app.stores.index.catalog(LOCAL, kind)))[0]
    app.stores.index.write(LOCAL, [], [document])

    assert maintain(app).summary["index"]["repaired"] == 1
    memory.follow()

    assert document in dict(app.stores.index.catalog(LOCAL, kind))
    assert maintain(app).summary["index"]["repaired"] == 0


def test_what_the_totals_missed_is_counted(app, memory, clock):
    saved = memory.save()
    memory.start()
    memory.follow()
    assert memory.stats().total_observations == 1
    app.stores.table.update(LOCAL, Update(pointer_key(saved.id), remove=("counted",)))
    app.stores.table.update(LOCAL, Update(stats_key("demo"), add={"observations": -1}))
    clock.forward(3600)

    assert maintain(app).summary["counters"]["counted"] == 1
    assert app.stream.totals.stats(LOCAL, None).total_observations == 1


def test_dead_letters_of_every_queue_of_the_template_are_counted(app):
    from strata.local.template import declarations

    spec = declarations.load()
    dead = {queue.dead_letters for queue in spec.queues.values()}
    assert set(QUEUES) == {queue.name for name, queue in spec.queues.items() if name not in dead}
    queue = app.queues.named("extraction", max_deliveries=1)
    queue.send([{"tenant": "local"}])
    queue.release([message.receipt for message in queue.receive()], "broken")

    assert maintain(app).summary["dead_letters"]["extraction"] == 1


# --- cost


def people(app: Application, count: int) -> None:
    """So many users with three episodes each, as rows only."""
    numbers = {user: [user * 10 + number for number in range(1, 4)] for user in range(count)}
    for start in range(0, count, 15):
        app.stores.table.transact(
            LOCAL,
            [
                action
                for user in range(start, min(start + 15, count))
                for number in numbers[user]
                for action in (
                    Put(episode_key(f"user{user}", number), episode(user, number)),
                    Put(episode_place_key(number), {"owner": f"user{user}", "state": "live"}),
                )
            ],
        )


def episode(user: int, number: int) -> dict[str, Any]:
    return {"id": number, "owner": f"user{user}", "summary": "x", "updated_at": number}


def cost(tmp_path: Path, clock: HandClock, users: int, changed: int) -> Counter:
    app = application(tmp_path / f"{users}-{changed}", clock)
    people(app, users)
    app.maintenance.marks.follow(
        LOCAL, [episode_key(f"user{user}", user * 10 + 1) for user in range(changed)]
    )
    app.close()
    again = application(tmp_path / f"{users}-{changed}", clock)
    counted = Calls(again.stores.table)
    measured = again.with_overrides(table=counted, index=Full())
    run = measured.maintenance.sweeper.run_now(LOCAL, always)
    assert run.errors == {}
    assert run.summary["index"]["places"] == changed
    again.close()
    return counted.count


class Full:
    """An index that shows everything as it is."""

    def catalog(self, scope: Scope, kind: str, keys: Any = None) -> list[tuple[str, int]]:
        return [(key, int(key.removeprefix("ep-"))) for key in keys or ()]


def test_it_costs_what_changed_and_not_what_is_stored(tmp_path, clock):
    few = cost(tmp_path, clock, 100, 100)
    many = cost(tmp_path, clock, 10_000, 100)
    none = cost(tmp_path, clock, 100, 0)

    assert many == few
    assert many["rows"] - none["rows"] < 100 * 25
    assert many["query"] - none["query"] < 100 * 3
