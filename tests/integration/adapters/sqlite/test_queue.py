"""The promises of the embedded queue beyond the port: names, processes, dead letters."""

import multiprocessing
from contextlib import closing
from pathlib import Path

import pytest

from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.queue import SqliteQueue
from strata.ports.queue import Counts
from support.clocks import HandClock


@pytest.fixture
def database(tmp_path: Path):
    with closing(SqliteDatabase(tmp_path / "strata.db")) as opened:
        yield opened


def test_queues_of_one_file_do_not_see_each_other(database, clock):
    one, other = SqliteQueue(database, "one", clock), SqliteQueue(database, "other", clock)
    one.send(["a"])
    assert other.receive() == []
    (message,) = one.receive()
    other.delete([message.receipt])
    assert (one.depth(), other.depth()) == (1, 0)


def test_the_longest_waiting_message_comes_first(database, clock):
    queue = SqliteQueue(database, "q", clock)
    for body in "abc":
        queue.send([body])
    (first,) = queue.receive(1)
    queue.release([first.receipt], "later")
    assert [message.body for message in queue.receive(2)] == ["b", "c"]
    assert [message.body for message in queue.receive(2)] == ["a"]


def test_an_old_receipt_does_not_end_a_later_delivery(database, clock):
    queue = SqliteQueue(database, "q", clock)
    queue.send(["a"])
    (old,) = queue.receive(1, invisible=10)
    clock.forward(11)
    (new,) = queue.receive(1, invisible=10)
    queue.delete([old.receipt])
    queue.release([old.receipt], "late")
    assert queue.receive() == []
    queue.delete([new.receipt, "nonsense", "1.", ""])
    assert queue.depth() == 0


def test_after_its_last_delivery_a_message_is_kept_aside_with_the_reason(database, clock):
    queue = SqliteQueue(database, "q", clock, max_deliveries=2)
    queue.send(["bad", "good"])
    for _ in range(2):
        for message in queue.receive():
            if message.body == "good":
                queue.delete([message.receipt])
            else:
                queue.release([message.receipt], f"try {message.deliveries} failed")
    assert queue.receive() == []
    assert queue.depth() == 0
    (letter,) = queue.dead_letters()
    assert (letter.body, letter.deliveries, letter.reason) == ("bad", 2, "try 2 failed")
    assert queue.revive() == 1
    assert [message.deliveries for message in queue.receive()] == [1]
    assert queue.dead_letters() == []


def test_a_delivery_that_died_silently_counts_too(database, clock):
    queue = SqliteQueue(database, "q", clock, max_deliveries=1)
    queue.send(["a"])
    queue.receive(invisible=10)
    clock.forward(5)
    assert (queue.receive(), queue.dead_letters()) == ([], [])
    clock.forward(6)
    assert queue.receive() == []
    assert [letter.reason for letter in queue.dead_letters()] == ["it was never finished"]


def test_what_nobody_works_on_any_more_comes_again(database, clock):
    queue = SqliteQueue(database, "q", clock, max_deliveries=2)
    other = SqliteQueue(database, "other", clock)
    queue.send(["taken", "waiting"])
    other.send(["elsewhere"])
    (taken,) = queue.receive(1, invisible=600)
    other.receive(1)

    assert queue.reclaim("its process ended", after=5) == 1

    assert [message.body for message in queue.receive(invisible=1)] == ["waiting"]
    clock.forward(6)
    queue.delete([taken.receipt])  # over: it must not end the delivery to come
    bodies = {message.body: message.deliveries for message in queue.receive(invisible=600)}
    assert bodies == {"taken": 2, "waiting": 2}
    assert queue.reclaim("its process ended again") == 2
    assert {letter.reason for letter in queue.dead_letters()} == {"its process ended again"}
    assert queue.counts() == Counts(waiting=0, in_flight=0, dead=2)
    assert other.counts() == Counts(waiting=0, in_flight=1, dead=0)


def _work(path: Path, taken) -> None:
    with closing(SqliteDatabase(path, wait=60)) as database:
        queue = SqliteQueue(database, "q", HandClock())
        while messages := queue.receive(4):
            taken.extend([message.body for message in messages])
            queue.delete([message.receipt for message in messages])


def test_processes_share_the_work_without_doing_any_twice(database, clock):
    queue = SqliteQueue(database, "q", clock)
    queue.send(list(range(100)))
    context = multiprocessing.get_context("fork")
    with context.Manager() as manager:
        taken = manager.list()
        workers = [context.Process(target=_work, args=(database.path, taken)) for _ in range(3)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(30)
        assert [worker.exitcode for worker in workers] == [0, 0, 0]
        assert sorted(taken) == list(range(100))
    assert queue.depth() == 0
