"""The promises of every adapter of the port `Queue`."""

import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from moto import mock_aws

from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.queue import SqliteQueue
from strata.adapters.sqs import SqsQueue
from strata.ports.queue import Queue
from support.clocks import RunningClock

OpenQueue = Callable[[], Queue]
"""Opens one and the same queue again, as another process would."""


@pytest.fixture(params=["sqlite", "sqs"])
def open_queue(request: pytest.FixtureRequest, tmp_path: Path, clock: RunningClock) -> Iterator[OpenQueue]:
    if request.param == "sqlite":
        opened: list[SqliteDatabase] = []

        def sqlite() -> Queue:
            opened.append(SqliteDatabase(tmp_path / "strata.db", wait=60))
            return SqliteQueue(opened[-1], "work", clock)

        yield sqlite
        for database in opened:
            database.close()
        return
    with mock_aws():
        from botocore.session import get_session

        client = get_session().create_client("sqs", region_name="eu-west-1")
        url = client.create_queue(QueueName=f"work-{uuid.uuid4().hex}")["QueueUrl"]
        client.close()
        yield lambda: SqsQueue(url)


@pytest.fixture
def queue(open_queue: OpenQueue) -> Queue:
    return open_queue()


def bodies(queue: Queue) -> list[object]:
    return [message.body for message in queue.receive(100)]


def test_an_empty_queue_gives_nothing(queue: Queue) -> None:
    queue.send([])
    assert queue.receive(10) == []
    assert queue.depth() == 0


def test_what_was_sent_comes_as_it_was_to_whoever_asks(open_queue: OpenQueue) -> None:
    sent = [{"pk": "a#b", "n": 1}, ["x", None, True, 1.5], "日本 \x00 😀", 7]
    open_queue().send(sent)
    received = open_queue().receive(10)
    assert sorted(map(str, sent)) == sorted(str(message.body) for message in received)
    assert [message.deliveries for message in received] == [1] * 4


def test_a_received_message_is_invisible_to_others_and_still_counted(open_queue: OpenQueue) -> None:
    one, other = open_queue(), open_queue()
    one.send(["a", "b"])
    (message,) = one.receive(1)
    assert bodies(other) == [*({"a", "b"} - {message.body})]
    assert other.receive(1) == []
    assert other.depth() == 2


def test_a_message_that_nobody_finished_comes_again(queue: Queue, clock: RunningClock) -> None:
    queue.send(["a"])
    (first,) = queue.receive(1, invisible=1)
    if isinstance(queue, SqliteQueue):
        clock.forward(1.5)
    else:
        time.sleep(1.2)  # moto keeps its own time
    (second,) = queue.receive(1)
    assert (second.body, first.deliveries, second.deliveries) == ("a", 1, 2)


def test_a_deleted_message_is_gone(queue: Queue) -> None:
    queue.send(["a", "b"])
    received = queue.receive(2)
    queue.delete([message.receipt for message in received if message.body == "a"])
    queue.release([message.receipt for message in received if message.body == "b"], "not yet")
    assert bodies(queue) == ["b"]
    assert queue.depth() == 1


def test_a_released_message_comes_again_at_once_or_later(queue: Queue) -> None:
    queue.send(["a"])
    (first,) = queue.receive(1)
    queue.release([first.receipt], "the store is away")
    (second,) = queue.receive(1)
    assert (second.body, second.deliveries) == ("a", 2)
    queue.release([second.receipt], "the store is away", after=60)
    assert queue.receive(1) == []
    assert queue.depth() == 1


def test_receipts_that_are_over_are_passed_over(queue: Queue) -> None:
    queue.send(["a"])
    (first,) = queue.receive(1)
    queue.delete([first.receipt])
    queue.delete([first.receipt])
    queue.release([first.receipt], "late")
    queue.delete([])
    queue.release([], "nothing")
    assert queue.depth() == 0


def test_many_messages_go_and_come_in_any_number(queue: Queue) -> None:
    queue.send([{"n": number} for number in range(57)])
    received = queue.receive(33)
    assert len(received) == 33
    rest = queue.receive(100)
    numbers = sorted(message.body["n"] for message in (*received, *rest))
    assert numbers == list(range(57))
    queue.delete([message.receipt for message in (*received, *rest)])
    assert queue.depth() == 0


def test_every_message_is_received_by_one_of_many_receivers(open_queue: OpenQueue) -> None:
    queues = [open_queue() for _ in range(4)]
    queues[0].send(list(range(80)))

    def take(queue: Queue) -> list[object]:
        taken: list[object] = []
        while messages := queue.receive(3):
            taken += [message.body for message in messages]
        return taken

    with ThreadPoolExecutor(4) as threads:
        taken = [body for part in threads.map(take, queues) for body in part]
    # "now and then again" is part of the promise: who never gives one twice says so in its own tests
    assert set(taken) == set(range(80))


def test_a_message_keeps_its_id_over_its_deliveries(queue: Queue) -> None:
    queue.send(["a", "b"])
    first = {message.id: message for message in queue.receive(2)}
    assert len(first) == 2
    queue.release([message.receipt for message in first.values()], "again")
    for message in queue.receive(2):
        assert first[message.id].body == message.body
        assert first[message.id].receipt != message.receipt


def test_messages_are_counted_by_their_state(queue: Queue) -> None:
    queue.send(["a", "b", "c"])
    first, _ = queue.receive(2)
    queue.release([first.receipt], "later", after=60)
    assert queue.counts().dead == 0
    assert queue.counts().waiting + queue.counts().in_flight == 3
    assert queue.counts().waiting >= 1
    assert queue.counts().in_flight >= 1
    assert (queue.dead_letters(), queue.revive()) == ([], 0)


def test_a_message_that_is_sent_for_later_waits(queue: Queue) -> None:
    queue.send(["later"], after=900)
    queue.send(["now"])
    assert bodies(queue) == ["now"]
    assert queue.counts().waiting == 1
