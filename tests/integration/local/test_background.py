"""`strata serve` works on queues and schedules beside the requests, as real processes over a real store."""

import json
import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest

from strata.adapters.clock import SystemClock
from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.queue import SqliteQueue
from support.echo_server import Server, refused, running, spawn, until, write_app

TEMPLATE = """
Parameters:
  MaintenanceSchedule: {Type: String, Default: rate(12 hours)}
  MaintenanceEnabled: {Type: String, Default: "true"}
Conditions:
  Maintained: !Equals [!Ref MaintenanceEnabled, "true"]
Resources:
  Table: {Type: AWS::DynamoDB::Table}
  WorkQueue:
    Type: AWS::SQS::Queue
    Properties:
      VisibilityTimeout: 2
      RedrivePolicy: {maxReceiveCount: 2, deadLetterTargetArn: !GetAtt DeadLetters.Arn}
  DeadLetters: {Type: AWS::SQS::Queue}
  Echo:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: echo/
      Handler: app.lambda_handler
      Events:
        Send: {Type: HttpApi, Properties: {Method: POST, Path: /send}}
        Slow: {Type: HttpApi, Properties: {Method: GET, Path: /pid}}
  Worker:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: worker/
      Handler: app.lambda_handler
      Timeout: 2
      Events:
        Work:
          Type: SQS
          Properties:
            Queue: !GetAtt WorkQueue.Arn
            BatchSize: 3
            FunctionResponseTypes: [ReportBatchItemFailures]
        Nightly:
          Type: ScheduleV2
          Properties:
            ScheduleExpression: !Ref MaintenanceSchedule
            State: !If [Maintained, ENABLED, DISABLED]
"""
ECHO = """
import json, os
from strata.bootstrap import application

def lambda_handler(event, context):
    if event["rawPath"] == "/send":
        application().queues.named("work").send(json.loads(event["body"]))
    return {"statusCode": 200, "headers": {"content-type": "application/json"}, "body": str(os.getpid())}
"""
WORKER = """
import json, os, signal, time
from strata.bootstrap import application

def lambda_handler(event, context):
    failed = []
    if "Records" not in event:
        with (application().settings.data_dir / "fired").open("a") as file:
            file.write(event["time"] + chr(10))
        return
    for record in event["Records"]:
        body = json.loads(record["body"])
        told = {"pid": os.getpid(), "body": body, "count": record["attributes"]["ApproximateReceiveCount"]}
        with (application().settings.data_dir / "worked").open("a") as file:
            file.write(json.dumps(told) + chr(10))
        match body:
            case "raise":
                raise KeyError("secret")
            case "hang":
                time.sleep(60)
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "fail":
                failed.append({"itemIdentifier": record["messageId"]})
            case {"seconds": seconds}:
                time.sleep(seconds)
                with (application().settings.data_dir / "done").open("a") as file:
                    file.write("done")
    return {"batchItemFailures": failed}
"""


@pytest.fixture
def app(tmp_path: Path) -> Path:
    return write_app(tmp_path, TEMPLATE, echo=ECHO, worker=WORKER)


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[SqliteQueue]:
    database = SqliteDatabase(tmp_path / "data" / "strata.db")
    yield SqliteQueue(database, "work", SystemClock(), max_deliveries=2)
    database.close()


def served(folder: Path, **settings: str) -> AbstractContextManager[Server]:
    return running(folder, write_app(folder, TEMPLATE, echo=ECHO, worker=WORKER), **settings)


def worked(folder: Path) -> list[dict[str, object]]:
    path = folder / "data" / "worked"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def send(server: Server, *bodies: object) -> None:
    assert server.ask("POST", "/send", json.dumps(bodies), {"content-type": "application/json"})[0] == 200


def test_what_a_request_sends_is_done_by_a_process_beside_the_requests(tmp_path, queue):
    with served(tmp_path) as server:
        answering = {server.ask("GET", "/pid")[1] for _ in range(20)}
        send(server, "a", "b", "c", "d")
        assert until(lambda: len(worked(tmp_path)) == 4)
        doing = {each["pid"] for each in worked(tmp_path)}
        assert len(doing) == 1
        assert not doing & answering
        assert doing <= server.processes()
        assert until(lambda: queue.depth() == 0)
    assert sorted(str(each["body"]) for each in worked(tmp_path)) == ["a", "b", "c", "d"]


def test_a_message_that_takes_long_keeps_no_request_waiting(tmp_path):
    with served(tmp_path, WORKERS="2") as server:
        send(server, {"seconds": 1.5})
        assert until(lambda: len(worked(tmp_path)) == 1)
        for _ in range(20):
            assert server.ask("GET", "/pid")[0] == 200
        assert not (tmp_path / "data" / "done").exists()
        assert until((tmp_path / "data" / "done").exists)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise", "KeyError"),
        ("fail", "its function reported it as failed"),
        ("die", "the process that worked on it ended"),
        ("hang", "it took longer than its function may"),
    ],
)
def test_what_fails_comes_again_and_is_a_dead_letter_in_the_end(tmp_path, queue, body, reason):
    with served(tmp_path) as server:
        send(server, body)
        assert until(lambda: len(queue.dead_letters()) == 1, 30)
        (letter,) = queue.dead_letters()
        assert (letter.body, letter.deliveries, letter.reason) == (body, 2, reason)
        assert [each["count"] for each in worked(tmp_path)] == ["1", "2"]
        send(server, "after")
        assert until(lambda: worked(tmp_path)[-1]["body"] == "after", 20)


def test_after_the_whole_server_was_killed_in_mid_delivery_the_message_comes_again(tmp_path, app, queue):
    process = spawn(app, tmp_path / "data")
    try:
        queue.send([{"seconds": 1}])
        assert until(lambda: len(worked(tmp_path)) == 1, 20)
        (doing,) = {each["pid"] for each in worked(tmp_path)}
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    assert until(lambda: not Path(f"/proc/{doing}").exists())
    assert queue.counts().in_flight + queue.counts().waiting == 1
    assert not (tmp_path / "data" / "done").exists()

    with served(tmp_path):
        assert until(lambda: queue.depth() == 0, 20)
    assert (tmp_path / "data" / "done").read_text() == "done"
    assert [each["count"] for each in worked(tmp_path)] == ["1", "2"]


def test_a_stop_lets_a_delivery_finish(tmp_path, queue):
    with served(tmp_path) as server:
        send(server, {"seconds": 1})
        assert until(lambda: len(worked(tmp_path)) == 1)
        server.process.terminate()
        assert server.process.wait(15) == 0
        assert (tmp_path / "data" / "done").read_text() == "done"
        assert queue.depth() == 0


def test_a_killed_process_is_replaced_and_its_message_done(tmp_path, queue):
    with served(tmp_path) as server:
        send(server, {"seconds": 1})
        assert until(lambda: len(worked(tmp_path)) == 1)
        os.kill(int(str(worked(tmp_path)[0]["pid"])), signal.SIGKILL)
        assert until(lambda: queue.depth() == 0, 20)
        assert until(lambda: len(server.processes()) == 3)
    first, second = (each["pid"] for each in worked(tmp_path))
    assert first != second


def test_of_two_servers_over_one_store_one_works_and_the_other_takes_over(tmp_path, queue):
    with served(tmp_path) as one, served(tmp_path) as other:
        queue.send(list(range(30)))
        assert until(lambda: queue.depth() == 0, 20)
        bodies = sorted(int(str(each["body"])) for each in worked(tmp_path))
        assert bodies == list(range(30)), "none was done twice"
        (doing,) = {each["pid"] for each in worked(tmp_path)}
        first, second = (one, other) if doing in one.processes() else (other, one)
        first.process.kill()
        first.process.wait()
        queue.send(["next"])
        assert until(lambda: queue.depth() == 0, 20)
        assert worked(tmp_path)[-1]["pid"] in second.processes()


def fired(folder: Path) -> list[str]:
    path = folder / "data" / "fired"
    return path.read_text().split() if path.exists() else []


def last_firing(folder: Path) -> int | None:
    """The time at which the schedule fired last or began, as the store knows it."""
    with closing(sqlite3.connect(folder / "data" / "strata.db")) as connection:
        row = connection.execute("SELECT fired_at FROM firings").fetchone()
    return None if row is None else row[0]


def a_day_passes(folder: Path) -> None:
    with closing(sqlite3.connect(folder / "data" / "strata.db")) as connection, connection:
        connection.execute("UPDATE firings SET fired_at = fired_at - 86400000000")


def test_a_firing_that_no_server_was_there_for_is_made_up_for_once(tmp_path):
    with served(tmp_path):
        assert until(lambda: last_firing(tmp_path) is not None)
    assert fired(tmp_path) == []
    a_day_passes(tmp_path)
    with served(tmp_path) as server:
        assert until(lambda: len(fired(tmp_path)) == 1)
        server.process.kill()
    with served(tmp_path) as server:
        send(server, "after")
        assert until(lambda: len(worked(tmp_path)) == 1)
    assert len(fired(tmp_path)) == 1


def test_a_schedule_can_be_switched_off_and_changed_by_settings(tmp_path):
    with served(tmp_path):
        assert until(lambda: last_firing(tmp_path) is not None)
    a_day_passes(tmp_path)
    with served(tmp_path, MAINTENANCE="false"):
        assert until(lambda: last_firing(tmp_path) is None)
    with served(tmp_path, MAINTENANCE_SCHEDULE="rate(1 hour)"):
        assert until(lambda: last_firing(tmp_path) is not None)
    assert fired(tmp_path) == []


def test_a_server_does_not_start_with_a_schedule_that_is_none(tmp_path, app):
    code, complaint = refused(tmp_path, app, MAINTENANCE_SCHEDULE="cron(0 3 * * *)")
    assert code == 1
    assert "Worker.Nightly: cron(0 3 * * *): a cron expression has 6 fields" in complaint
