"""Messages and firings reach the functions that the template hangs on them, here in one process."""

import json
from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from strata.domain.errors import Unavailable
from strata.entrypoints.observing import Observing
from strata.entrypoints.queue import queue_handler
from strata.local.queues.delivery import delay
from strata.local.queues.receivers import deliveries
from strata.local.template import declarations
from strata.local.template.cloudformation import TemplateError
from strata.local.template.functions import LambdaContext
from support.clocks import START, HandClock
from support.local_apps import write_app
from support.memory import application

TEMPLATE = """
Parameters:
  NightlySchedule: {Type: String, Default: "cron(0 3 * * ? *)"}
  NightlyTimezone: {Type: String, Default: UTC}
  NightlyEnabled: {Type: String, Default: "true"}
Conditions:
  Nightly: !Equals [!Ref NightlyEnabled, "true"]
Resources:
  WorkQueue:
    Type: AWS::SQS::Queue
    Properties:
      VisibilityTimeout: 60
      RedrivePolicy: {maxReceiveCount: 3, deadLetterTargetArn: !GetAtt DeadLetters.Arn}
  DeadLetters: {Type: AWS::SQS::Queue}
  Worker:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: worker/
      Handler: app.lambda_handler
      Timeout: 10
      Events:
        Work:
          Type: SQS
          Properties:
            Queue: !GetAtt WorkQueue.Arn
            BatchSize: 2
            FunctionResponseTypes: [ReportBatchItemFailures]
        Nightly:
          Type: ScheduleV2
          Properties:
            ScheduleExpression: !Ref NightlySchedule
            ScheduleExpressionTimezone: !Ref NightlyTimezone
            State: !If [Nightly, ENABLED, DISABLED]
"""
DAY = 86_400


class Worker:
    """A function that keeps its events and answers, or raises, what it is told."""

    def __init__(self):
        self.events = []
        self.answer = lambda event: None

    def __call__(self, event, failures):
        self.events.append(event)
        self.reasons = failures
        return self.answer(event)

    def batches(self):
        """The bodies of the batches that came."""
        return [
            [json.loads(record["body"]) for record in event["Records"]]
            for event in self.events
            if "Records" in event
        ]

    def times(self):
        """The times of the firings that came."""
        return [event["time"] for event in self.events if "Records" not in event]


class Place:
    """One data folder; each `run` is a server's life."""

    def __init__(self, folder):
        self.folder = folder
        self.clock = HandClock()
        self.worker = Worker()
        self.drained = 0
        self.app = application(folder, self.clock)
        self.queue = self.app.queues.named("work", max_deliveries=3)

    def run(self, document=TEMPLATE, **parameters):
        spec = declarations.load(write_app(self.folder, document, worker=""), parameters)
        made = deliveries(spec, {"Worker": self.worker}, lambda: self.app, self.folder, drain=self.drain)
        return made.work_off()

    def drain(self):
        self.drained += 1


@pytest.fixture
def place(tmp_path):
    place = Place(tmp_path)
    yield place
    place.app.close()


def raising(event):
    raise KeyError("the very text")


def failing(*bodies):
    def answer(event):
        return {
            "batchItemFailures": [
                {"itemIdentifier": record["messageId"]}
                for record in event["Records"]
                if json.loads(record["body"]) in bodies
            ]
        }

    return answer


def test_messages_come_as_lambda_gives_them_in_batches_of_the_templates_size(place):
    place.queue.send(["a", {"b": 1}, "c"])
    assert place.run() == 3
    assert place.worker.batches() == [["a", {"b": 1}], ["c"]]
    record = place.worker.events[0]["Records"][0]
    assert record["eventSource"] == "aws:sqs"
    assert record["eventSourceARN"].endswith(":WorkQueue")
    assert record["attributes"]["ApproximateReceiveCount"] == "1"
    assert record["body"] == '"a"'
    assert record["messageId"] != record["receiptHandle"]
    assert (place.queue.depth(), place.drained) == (0, 2)
    assert place.run() == 0


def test_what_a_function_sends_is_delivered_too(place):
    place.queue.send([3])

    def again(event):
        number = json.loads(event["Records"][0]["body"])
        if number:
            place.queue.send([number - 1])

    place.worker.answer = again
    assert place.run() == 4
    assert place.worker.batches() == [[3], [2], [1], [0]]


def test_what_failed_of_a_batch_comes_again_alone_and_later_each_time(place):
    place.queue.send(["good", "bad"])
    place.worker.answer = failing("bad")
    assert place.run() == 2
    assert place.run() == 0
    place.clock.forward(5)
    assert place.run() == 1
    place.clock.forward(5)
    assert place.run() == 0
    place.clock.forward(20)
    assert place.run() == 1
    assert place.worker.batches() == [["good", "bad"], ["bad"], ["bad"]]
    (letter,) = place.queue.dead_letters()
    assert (letter.body, letter.deliveries, letter.reason) == ("bad", 3, "its function reported it as failed")


def test_a_function_may_say_why_a_message_failed(place):
    place.queue.send(["a", "b"])

    def answer(event):
        failed = [record["messageId"] for record in event["Records"]]
        place.worker.reasons[failed[0]] = "Unavailable: the model is away"
        return {"batchItemFailures": [{"itemIdentifier": each} for each in failed]}

    place.worker.answer = answer
    for _ in range(3):
        place.run()
        place.clock.forward(60)
    assert [letter.reason for letter in place.queue.dead_letters()] == [
        "Unavailable: the model is away",
        "its function reported it as failed",
    ]


def test_a_function_that_raises_fails_its_whole_batch_and_its_words_stay_out_of_the_reason(place, caplog):
    place.queue.send(["a", "b"])
    place.worker.answer = raising
    for _ in range(3):
        place.run()
        place.clock.forward(60)
    assert [(letter.body, letter.reason) for letter in place.queue.dead_letters()] == [
        ("a", "KeyError"),
        ("b", "KeyError"),
    ]
    assert "the very text" not in caplog.text
    assert place.queue.revive() == 2
    place.worker.answer = lambda event: None
    assert place.run() == 2
    assert place.queue.counts().dead == 0


@pytest.mark.parametrize(
    "answer",
    [
        {"batchItemFailures": [{"itemIdentifier": "of another batch"}]},
        {"batchItemFailures": [{"id": "1"}]},
        {"batchItemFailures": "all"},
        ["1"],
    ],
)
def test_an_answer_that_lambda_would_not_understand_fails_the_whole_batch(place, answer):
    place.queue.send(["a", "b"])
    place.worker.answer = lambda event: answer
    place.run()
    assert place.queue.counts().waiting == 2


def test_without_partial_answers_what_is_not_raised_is_done(place):
    place.queue.send(["a"])
    place.worker.answer = failing("a")
    document = TEMPLATE.replace("FunctionResponseTypes: [ReportBatchItemFailures]", "Enabled: true")
    assert place.run(document) == 1
    assert place.queue.depth() == 0


def test_what_somebody_left_undone_who_is_gone_comes_again_soon(place):
    place.queue.send(["a"])
    place.queue.receive(invisible=600)
    assert place.run() == 0
    place.clock.forward(5)
    assert place.run() == 1


def test_only_one_at_a_time_works_on_the_queues_of_a_folder(place):
    place.queue.send(["a"])
    inside: list[int] = []
    place.worker.answer = lambda event: inside.append(place.run())
    assert place.run() == 1
    assert inside == [None]


def test_delays_grow_up_to_the_time_of_invisibility():
    assert [delay(count, 360) for count in (1, 2, 3, 4, 5, 1000)] == [5, 25, 125, 360, 360, 360]


def test_a_schedule_fires_at_its_time_and_not_before(place):
    assert (place.run(), place.worker.events) == (0, [])  # at midnight it begins
    place.clock.forward(3 * 3600 - 60)
    assert place.run() == 0
    place.clock.forward(60)
    assert place.run() == 1
    (event,) = place.worker.events
    assert (event["source"], event["detail-type"], event["detail"]) == (
        "aws.scheduler",
        "Scheduled Event",
        "{}",
    )
    assert event["time"] == "2026-01-01T03:00:00Z"
    assert event["resources"][0].endswith(":schedule/default/WorkerNightly")


def test_a_restart_neither_misses_a_firing_nor_repeats_it(place):
    place.run()
    for _ in range(3):
        place.clock.forward(DAY)
        assert place.run() == 1
        assert place.run() == 0
    assert place.worker.times() == [f"2026-01-0{day}T03:00:00Z" for day in (1, 2, 3)]


def test_what_was_missed_while_no_server_ran_is_made_up_for_once(place):
    place.run()
    place.clock.forward(10 * DAY)
    assert place.run() == 1
    assert place.worker.times() == ["2026-01-01T03:00:00Z"]
    place.clock.forward(DAY)
    assert place.run() == 1
    assert place.worker.times()[1] == "2026-01-11T03:00:00Z"


def test_what_was_missed_while_it_was_switched_off_is_not_made_up_for(place):
    place.run()
    assert place.run(NightlyEnabled="false") == 0
    place.clock.forward(10 * DAY)
    assert place.run(NightlyEnabled="false") == 0
    assert place.run() == 0
    place.clock.forward(DAY)
    assert place.run() == 1


def test_a_schedule_that_was_changed_begins_anew(place):
    place.run()
    place.clock.forward(DAY)
    assert place.run(NightlySchedule="rate(2 hours)") == 0
    place.clock.forward(2 * 3600)
    assert place.run(NightlySchedule="rate(2 hours)") == 1
    assert place.run(NightlySchedule="rate(2 hours)", NightlyTimezone="Europe/Berlin") == 0


def test_a_rate_does_not_drift_when_it_is_looked_at_late(place):
    place.run(NightlySchedule="rate(1 hour)")
    for late in (7, 11, 13):
        place.clock.forward(3600 - late)
        place.run(NightlySchedule="rate(1 hour)")
        place.clock.forward(late + 5)
        place.run(NightlySchedule="rate(1 hour)")
    assert place.worker.times() == [f"2026-01-01T0{hour}:00:00Z" for hour in (1, 2, 3)]


def test_a_firing_that_fails_is_tried_twice_more(place):
    place.worker.answer = raising
    place.run()
    place.clock.forward(3 * 3600)
    for _ in range(5):
        place.run()
        place.clock.forward(900)
    assert len(place.worker.events) == 3
    assert len({event["id"] for event in place.worker.events}) == 1
    (letter,) = place.app.queues.named("Worker.Nightly").dead_letters()
    assert letter.reason == "KeyError"


def test_the_templates_input_takes_the_place_of_the_event(place):
    text = '{"at": "<aws.scheduler.scheduled-time>", "n": <aws.scheduler.attempt-number>}'
    document = TEMPLATE.replace("State:", f"Input: '{text}'\n            State:")
    place.run(document)
    place.clock.forward(3 * 3600)
    place.run(document)
    assert place.worker.events == [{"at": "2026-01-01T03:00:00Z", "n": 1}]


def test_a_rule_fires_as_eventbridge_has_it(place):
    document = """
Resources:
  Worker:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: worker/
      Handler: app.lambda_handler
      Events:
        Hourly: {Type: Schedule, Properties: {Schedule: rate(1 hour)}}
"""
    place.run(document)
    place.clock.forward(3600)
    place.run(document)
    (event,) = place.worker.events
    assert (event["source"], event["detail"]) == ("aws.events", {})
    assert event["time"] == "2026-01-01T01:00:00Z"
    assert place.clock.us > START


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "cron(0 3 * * ? *)",
            "cron(0 3 * * *)",
            "Worker.Nightly: cron(0 3 * * *): a cron expression has 6 fields",
        ),
        ("Default: UTC", "Default: Nowhere", "Worker.Nightly: there is no time zone Nowhere"),
        ("Timeout: 10", "Timeout: 61", "Worker.Work: VisibilityTimeout of WorkQueue is less"),
        ("Queue: !GetAtt WorkQueue.Arn", "Queue: !GetAtt Other.Arn", "Worker.Work: Queue must be"),
        (
            "Queue: !GetAtt WorkQueue.Arn",
            "Queue: !GetAtt DeadLetters.Arn",
            "dead letters stay where they died",
        ),
        ("!GetAtt DeadLetters.Arn}", "!GetAtt Nowhere.Arn}", "WorkQueue: its queue of dead letters, Nowhere"),
        ("maxReceiveCount: 3, ", "", "WorkQueue: RedrivePolicy needs maxReceiveCount"),
        ("VisibilityTimeout: 60", "FifoQueue: true", "WorkQueue: queues that keep an order"),
        ("BatchSize: 2", "FilterCriteria: {Filters: []}\n            BatchSize: 2", None),
        (
            "BatchSize: 2",
            "FilterCriteria: {Filters: [{Pattern: '{}'}]}",
            "Worker.Work: a filter before a queue",
        ),
    ],
)
def test_what_cannot_run_here_is_said_at_the_start(place, old, new, said):
    document = TEMPLATE.replace(old, new)
    assert document != TEMPLATE
    if said is None:
        document = document.replace("{Filters: []}", "{}")
        assert place.run(document) == 0
        return
    with pytest.raises(TemplateError) as refused:
        place.run(document)
    assert said in str(refused.value)


def test_the_name_of_a_queue_is_its_logical_id_in_words_without_the_word_queue(tmp_path):
    names = ("ExtractionQueue", "RedriveQueue", "DeadLetters", "ErasureJobsQueue")
    document = "Resources:\n" + "".join(f"  {name}: {{Type: AWS::SQS::Queue}}\n" for name in names)
    queues = declarations.load(write_app(tmp_path, document)).queues
    assert [queues[name].name for name in names] == ["extraction", "redrive", "dead_letters", "erasure_jobs"]


def test_a_piece_of_work_that_fails_is_told_with_its_reason_where_that_is_kept():
    def work(body):
        if body == "bad":
            raise Unavailable("the model is away")

    handler = queue_handler(work, Observing(HandClock()))
    event = {"Records": [{"messageId": body, "body": json.dumps(body)} for body in ("good", "bad")]}
    context = LambdaContext("Worker", "r1")
    assert handler(event, context) == {"batchItemFailures": [{"itemIdentifier": "bad"}]}
    assert list(context.failures) == ["bad"]
    assert context.failures["bad"].startswith("Unavailable")
    assert handler(event, None) == {"batchItemFailures": [{"itemIdentifier": "bad"}]}


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), count=st.integers(1, 6))
def test_whatever_fails_and_ends_no_message_is_lost_or_done_twice(tmp_path_factory, data, count):
    place = Place(tmp_path_factory.mktemp("folder"))
    done, seen = [], []

    def answer(event):
        bodies = {record["messageId"]: json.loads(record["body"]) for record in event["Records"]}
        seen.extend(bodies.values())
        fate = data.draw(st.sampled_from(["done", "some", "raise", "end"]))
        if fate == "end":
            raise KeyboardInterrupt  # as when the process is killed: nothing is told to the queue
        if fate == "raise":
            raise KeyError
        failed = [each for each in bodies if fate == "some" and data.draw(st.booleans())]
        done.extend(body for each, body in bodies.items() if each not in failed)
        return {"batchItemFailures": [{"itemIdentifier": each} for each in failed]}

    place.worker.answer = answer
    place.queue.send(list(range(count)))
    while place.queue.depth():
        with suppress(KeyboardInterrupt):
            place.run()
        place.clock.forward(60)
    dead = [letter.body for letter in place.queue.dead_letters()]
    assert sorted(done + dead) == list(range(count))
    assert all(seen.count(body) <= 3 for body in range(count))
    assert all(seen.count(body) == 3 for body in dead)
    place.app.close()
