"""The queue adapter's handling of SQS's refusals."""

import json

import pytest
from botocore.exceptions import ClientError, ConnectTimeoutError

from strata.adapters.sqs import SqsQueue
from strata.domain.errors import Throttled, TooLarge, Unavailable
from support.scripted_client import ScriptedClient


def queue(*answers):
    client = ScriptedClient(*answers)
    return SqsQueue("https://sqs.eu-west-1.amazonaws.com/1/q", client=lambda: client), client


def failed(*numbers, code="InternalError"):
    return {"Failed": [{"Id": str(number), "Code": code, "SenderFault": False} for number in numbers]}


def refused(code):
    return ClientError({"Error": {"Code": code, "Message": "no"}}, "SendMessageBatch")


def sent(client):
    return [[json.loads(entry["MessageBody"]) for entry in asked["Entries"]] for _, asked in client.asked]


def test_only_what_failed_is_sent_again():
    sqs, client = queue(failed(1), {})
    sqs.send(["a", "b", "c"])
    assert sent(client) == [["a", "b", "c"], ["b"]]


def test_what_fails_again_and_again_is_told():
    sqs, _ = queue(*[failed(0)] * 3)
    with pytest.raises(Unavailable, match="1 of its messages"):
        sqs.send(["a"])


def test_a_body_that_is_refused_is_told_and_never_dropped():
    sqs, _ = queue(*[failed(0, code="InvalidParameterValue")] * 3)
    with pytest.raises(Unavailable):
        sqs.send(["a"])


def test_a_receipt_that_is_over_is_passed_over():
    sqs, client = queue(failed(0, code="ReceiptHandleIsInvalid"), failed(0, code="InvalidParameterValue"))
    sqs.delete(["old"])
    sqs.release(["old"], "why")
    assert len(client.asked) == 2


def test_a_request_has_ten_messages_and_256_kb_at_most():
    sqs, client = queue()
    sqs.send(list(range(23)))
    assert list(map(len, sent(client))) == [10, 10, 3]
    sqs, client = queue()
    sqs.send(["x" * 100_000] * 5)
    assert list(map(len, sent(client))) == [2, 2, 1]
    with pytest.raises(TooLarge):
        sqs.send(["x" * 300_000])


@pytest.mark.parametrize(
    ("trouble", "meant"),
    [
        (refused("ThrottlingException"), Throttled),
        (refused("AccessDenied"), Unavailable),
        (refused("AWS.SimpleQueueService.NonExistentQueue"), Unavailable),
        (ConnectTimeoutError(endpoint_url="https://sqs"), Unavailable),
    ],
)
def test_trouble_is_told_in_our_words(trouble, meant):
    for call in (
        lambda q: q.send([1]),
        lambda q: q.receive(),
        lambda q: q.delete(["r"]),
        lambda q: q.depth(),
    ):
        sqs, _ = queue(trouble)
        with pytest.raises(meant):
            call(sqs)


def test_a_body_of_another_sender_comes_as_text():
    sqs, _ = queue({"Messages": [{"Body": "not json", "ReceiptHandle": "r"}]}, {})
    (message,) = sqs.receive()
    assert (message.body, message.receipt, message.deliveries) == ("not json", "r", 1)


ATTRIBUTES = {
    f"ApproximateNumberOfMessages{which}": number
    for which, number in {"": "3", "NotVisible": "1", "Delayed": "0"}.items()
}
POLICY = {"RedrivePolicy": json.dumps({"deadLetterTargetArn": "arn:aws:sqs:eu-west-1:1:dead"})}


def test_dead_letters_are_counted_where_the_queue_sends_them():
    sqs, client = queue(
        {"Attributes": {"ApproximateNumberOfMessages": "5"} | ATTRIBUTES},
        {"Attributes": POLICY},
        {"QueueUrl": "https://sqs.eu-west-1.amazonaws.com/1/dead"},
        {
            "Attributes": ATTRIBUTES
            | {"ApproximateNumberOfMessages": "2", "ApproximateNumberOfMessagesNotVisible": "0"}
        },
    )
    counts = sqs.counts()
    assert (counts.waiting, counts.in_flight, counts.dead) == (3, 1, 2)
    assert [asked.get("QueueUrl", asked.get("QueueName")) for _, asked in client.asked] == [
        "https://sqs.eu-west-1.amazonaws.com/1/q",
        "https://sqs.eu-west-1.amazonaws.com/1/q",
        "dead",
        "https://sqs.eu-west-1.amazonaws.com/1/dead",
    ]


def test_dead_letters_are_moved_back_to_where_they_came_from():
    sqs, client = queue(
        {"Attributes": POLICY}, {"QueueUrl": "https://dead"}, {"Attributes": ATTRIBUTES}, {"TaskHandle": "t"}
    )
    assert sqs.revive() == 4
    assert client.asked[-1] == ("start_message_move_task", {"SourceArn": "arn:aws:sqs:eu-west-1:1:dead"})


def test_a_queue_without_dead_letters_has_none_to_move():
    sqs, client = queue({"Attributes": {}})
    assert sqs.revive() == 0
    assert [operation for operation, _ in client.asked] == ["get_queue_attributes"]
