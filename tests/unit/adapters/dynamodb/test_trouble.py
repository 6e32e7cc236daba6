"""The DynamoDB adapter's handling of conflicts, throttling, lost answers, partial batches and large rows."""

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from botocore.exceptions import (
    ClientError,
    ConnectionClosedError,
    ConnectTimeoutError,
    EndpointConnectionError,
    ParamValidationError,
    ReadTimeoutError,
    SSLError,
)

from strata.adapters.circuit import Circuit
from strata.adapters.clock import SystemClock
from strata.adapters.dynamodb.census import DynamoCensus
from strata.adapters.dynamodb.patience import TablePatience
from strata.adapters.dynamodb.table import DynamoTable
from strata.domain.errors import StrataError, Throttled, TooLarge, Unavailable
from strata.domain.scope import Scope
from strata.ports.rows import Absent, Action, Check, Delete, Equals, Key, Present, Put, Update
from strata.ports.table import ConditionFailed, Query

SCOPE = Scope("acme")
KEY, OTHER = Key("p", "s"), Key("p", "t")
TWO: list[Action] = [Put(KEY, {"n": 1}, Absent()), Update(OTHER, add={"n": 1})]

LOST = ReadTimeoutError(endpoint_url="http://table")
UNREACHED = [EndpointConnectionError(endpoint_url="http://table"), ConnectTimeoutError(endpoint_url="x")]


class Scripted:
    """A client that gives the outcomes it was told, one a call, and keeps what it was asked."""

    def __init__(self, *outcomes: dict[str, Any] | Exception) -> None:
        self.outcomes = list(outcomes)
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def __getattr__(self, operation: str) -> Callable[..., dict[str, Any]]:
        def call(**arguments: Any) -> dict[str, Any]:
            self.asked.append((operation, arguments))
            outcome = self.outcomes.pop(0) if len(self.outcomes) > 1 else self.outcomes[0]
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        return call

    @property
    def operations(self) -> list[str]:
        return [operation for operation, _ in self.asked]


def table(client: Scripted, patience: float = 5) -> DynamoTable:
    return DynamoTable(client, "rows", SystemClock(), patience=patience, sleep=lambda _: time.sleep(0.001))


def refused(code: str, message: str = "", *, status: int = 400, **more: Any) -> ClientError:
    response = {"Error": {"Code": code, "Message": message}, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError({**response, **more}, "operation")


def canceled(*codes: str, items: dict[int, Any] | None = None, message: str = "") -> ClientError:
    reasons = [{"Code": code, "Message": message} for code in codes]
    for place, item in (items or {}).items():
        reasons[place]["Item"] = item
    return refused("TransactionCanceledException", CancellationReasons=reasons)


def row(key: Key = KEY, **attributes: dict[str, Any]) -> dict[str, Any]:
    return {"pk": {"S": f"acme#{key.pk}"}, "sk": {"S": key.sk}, **attributes}


THROTTLING = [
    refused("ProvisionedThroughputExceededException"),
    refused("ThrottlingException"),
    refused("RequestLimitExceeded"),
]


# --- a table that does not answer


@pytest.mark.parametrize("error", [LOST, *UNREACHED], ids=str)
def test_a_table_without_an_answer_is_asked_by_one_call_and_then_by_none_for_a_while(
    error: Exception,
) -> None:
    client = Scripted(error)
    away = DynamoTable(client, "rows", SystemClock(), patience=0.1, pause=60, sleep=lambda _: None)
    with pytest.raises(Unavailable):
        away.get(SCOPE, KEY)
    asked = len(client.asked)
    for _ in range(3):
        with pytest.raises(Unavailable, match="the table did not answer a moment ago") as refusal:
            away.transact(SCOPE, TWO)
        assert refusal.value.retry_after > 1
    assert len(client.asked) == asked


@pytest.mark.parametrize(
    "answer", [{}, refused("InternalServerError", status=500), refused("ValidationException")], ids=str
)
def test_a_table_that_answers_after_the_pause_is_asked_as_ever(answer: dict[str, Any] | Exception) -> None:
    circuit = Circuit(60, lambda: now[0])
    now, outcomes = [0.0], Scripted(LOST)

    def ask() -> None:
        TablePatience(0.01, circuit=circuit, sleep=lambda _: None).call(outcomes.get_item, repeatable=True)

    with pytest.raises(Unavailable):
        ask()
    now[0], outcomes.outcomes = 61, [answer]
    with suppress(Unavailable, ClientError):
        ask()
    circuit.admit()
    circuit.admit()


def test_one_lost_connection_keeps_nobody_waiting() -> None:
    closed = ConnectionClosedError(endpoint_url="http://table")
    client = Scripted(closed, closed, {})
    rows = DynamoTable(client, "rows", SystemClock(), pause=60, sleep=lambda _: None)
    with pytest.raises(Unavailable):
        rows.get(SCOPE, KEY)
    assert rows.get(SCOPE, KEY) is None


SPOILT = SSLError(endpoint_url="http://table", error="bad record")
CLOSED = ConnectionClosedError(endpoint_url="http://table")


def circuit_after(*outcomes: dict[str, Any] | Exception, repeatable: bool, took: float = 0) -> Circuit:
    """The circuit after a call that met these; each attempt took so many of its six seconds."""
    now, client, circuit = [0.0], Scripted(*outcomes), Circuit(60)

    def send() -> Any:
        now[0] += took
        return client.get_item()

    patience = TablePatience(6, circuit=circuit, sleep=lambda _: None, clock=lambda: now[0])
    with pytest.raises(Unavailable):
        patience.call(send, repeatable=repeatable)
    return circuit


@pytest.mark.parametrize("took", [0, 5, 6])
@pytest.mark.parametrize("error", [LOST, CLOSED], ids=str)
def test_one_connection_that_breaks_under_a_write_closes_the_table_to_nobody(
    error: Exception, took: float
) -> None:
    circuit_after(error, repeatable=False, took=took).admit()


@pytest.mark.parametrize("error", [LOST, CLOSED, SPOILT], ids=str)
def test_one_connection_that_breaks_late_in_a_call_closes_the_table_to_nobody(error: Exception) -> None:
    busy = refused("TransactionConflictException")
    circuit_after(busy, error, repeatable=True, took=2).admit()


@pytest.mark.parametrize(
    ("outcomes", "repeatable", "took"),
    [
        ([LOST, LOST], True, 0),
        ([SPOILT, SPOILT], False, 0),
        ([SPOILT, LOST], False, 0),
        *(([each], False, 4) for each in UNREACHED),
    ],
    ids=str,
)
def test_a_second_attempt_without_an_answer_or_no_connection_closes_it(
    outcomes: list[Exception], repeatable: bool, took: float
) -> None:
    circuit = circuit_after(*outcomes, repeatable=repeatable, took=took)
    with pytest.raises(Unavailable, match="a moment ago"):
        circuit.admit()


@pytest.mark.parametrize(
    "answer", [None, {"Attributes": row(n={"N": "1"})}, refused("ValidationException")], ids=str
)
def test_a_table_that_hangs_is_told_by_two_calls_with_no_answer_between(
    answer: dict[str, Any] | Exception | None,
) -> None:
    count = Update(KEY, add={"n": 1})
    client = Scripted(LOST, *([] if answer is None else [answer]), LOST)
    rows = DynamoTable(client, "rows", SystemClock(), pause=60, sleep=lambda _: None)
    for _ in range(len(client.outcomes) if answer is not None else 2):
        with suppress(Unavailable, ClientError):
            rows.update(SCOPE, count)
    asked = len(client.asked)
    with pytest.raises(Unavailable):
        rows.update(SCOPE, count)
    assert (len(client.asked) == asked) is (answer is None)


def test_a_probe_that_times_out_leaves_the_table_closed() -> None:
    now = [0.0]
    circuit = Circuit(10, lambda: now[0])
    circuit.failed()
    now[0] = 11
    circuit.admit()
    now[0] = 16
    circuit.doubted()
    now[0] = 22
    with pytest.raises(Unavailable):
        circuit.admit()


# --- conflicts


@pytest.mark.parametrize(
    "trouble",
    [
        canceled("None", "TransactionConflict"),
        canceled("ThrottlingError", "None"),
        canceled("None", "ProvisionedThroughputExceeded"),
        *THROTTLING,
    ],
    ids=str,
)
def test_a_transaction_that_met_another_is_tried_again_as_a_new_one(trouble: ClientError) -> None:
    client = Scripted(trouble, trouble, {})
    table(client).transact(SCOPE, TWO)
    assert client.operations == ["transact_write_items"] * 3


def test_a_transaction_that_was_refused_for_certain_gets_a_new_token() -> None:
    client = Scripted(canceled("None", "TransactionConflict"), {})
    table(client).transact(SCOPE, TWO)
    first, second = (arguments["ClientRequestToken"] for _, arguments in client.asked)
    assert first != second


def test_a_failed_condition_is_told_at_once_also_beside_a_conflict() -> None:
    there = row(n={"N": "7"}, owner={"S": "ann"})
    client = Scripted(canceled("ConditionalCheckFailed", "TransactionConflict", items={0: there}))
    with pytest.raises(ConditionFailed) as failed:
        table(client).transact(SCOPE, TWO)
    assert failed.value.failures == {0: {"n": 7, "owner": "ann"}}
    assert len(client.asked) == 1


def test_a_conflict_that_does_not_settle_ends_in_unavailable() -> None:
    with pytest.raises(Unavailable) as gone:
        table(Scripted(canceled("None", "TransactionConflict")), patience=0.1).transact(SCOPE, TWO)
    assert not isinstance(gone.value, Throttled)


def test_a_single_write_that_meets_a_transaction_is_tried_again() -> None:
    client = Scripted(refused("TransactionConflictException"), {"Attributes": row(n={"N": "2"})})
    assert table(client).update(SCOPE, Update(KEY, add={"n": 1})) == {"n": 2}


def test_a_transaction_still_under_way_is_asked_for_with_its_own_token() -> None:
    client = Scripted(refused("TransactionInProgressException"), {})
    table(client).transact(SCOPE, TWO)
    assert client.asked[0] == client.asked[1]


# --- throttling


@pytest.mark.parametrize("trouble", THROTTLING, ids=str)
@pytest.mark.parametrize(
    "call",
    [
        lambda rows: rows.get(SCOPE, KEY),
        lambda rows: rows.get_many(SCOPE, [KEY]),
        lambda rows: rows.query(SCOPE, Query("p")),
        lambda rows: rows.transact(SCOPE, TWO),
        lambda rows: rows.transact(SCOPE, [Delete(KEY, Present())]),
        lambda rows: rows.update(SCOPE, Update(KEY, add={"n": 1})),
    ],
    ids=["get", "get_many", "query", "transact", "delete", "update"],
)
def test_throttling_is_waited_out_and_then_told(
    call: Callable[[DynamoTable], object], trouble: ClientError
) -> None:
    client = Scripted(trouble)
    with pytest.raises(Throttled) as told:
        call(table(client, patience=0.1))
    assert told.value.__cause__ is trouble
    assert len(client.asked) > 1


@pytest.mark.parametrize(
    ("code", "seconds"), [("ThrottlingException", 1), ("TransactionConflictException", 6)]
)
def test_a_throttled_table_is_given_up_sooner_than_a_conflict(code: str, seconds: float) -> None:
    slept: list[float] = []
    patience = TablePatience(6, 1, sleep=slept.append, clock=lambda: sum(slept))
    with pytest.raises(Unavailable):
        patience.call(Scripted(refused(code)).put_item, repeatable=True)
    assert seconds - 1 < sum(slept) < seconds


def test_an_addition_that_was_throttled_is_tried_again() -> None:
    client = Scripted(THROTTLING[0], {"Attributes": row(n={"N": "1"})})
    assert table(client).update(SCOPE, Update(KEY, add={"n": 1})) == {"n": 1}


# --- lost answers, and nobody there


def test_a_transaction_whose_answer_was_lost_is_sent_again_under_its_token() -> None:
    client = Scripted(LOST, {})
    table(client).transact(SCOPE, TWO)
    assert client.asked[0] == client.asked[1]


@pytest.mark.parametrize("lost", [LOST, refused("InternalServerError", status=500)], ids=str)
@pytest.mark.parametrize(
    "update",
    [
        Update(KEY, add={"n": 1}),
        Update(KEY, set={"n": 1}, add={"m": 1}),
        Update(KEY, set={"n": 1}, condition=Equals("n", None)),
    ],
    ids=str,
)
def test_an_update_that_would_count_or_lose_to_itself_is_not_repeated(
    update: Update, lost: Exception
) -> None:
    client = Scripted(lost)
    with pytest.raises(Unavailable):
        table(client).update(SCOPE, update)
    assert len(client.asked) == 1


@pytest.mark.parametrize("action", [Put(KEY, {}, Absent()), Delete(KEY, Present())], ids=str)
def test_a_conditional_write_whose_answer_was_lost_is_not_repeated(action: Put | Delete) -> None:
    client = Scripted(LOST)
    with pytest.raises(Unavailable):
        table(client).transact(SCOPE, [action])
    assert len(client.asked) == 1


def test_a_write_that_may_be_repeated_is_once() -> None:
    client = Scripted(LOST, {})
    table(client).transact(SCOPE, [Put(KEY, {"n": 1})])
    assert client.operations == ["put_item"] * 2
    with pytest.raises(Unavailable):
        table(gone := Scripted(LOST)).transact(SCOPE, [Put(KEY, {"n": 1})])
    assert len(gone.asked) == 2


@pytest.mark.parametrize("trouble", UNREACHED, ids=str)
def test_a_store_that_cannot_be_reached_is_given_up_soon(trouble: Exception) -> None:
    for call in (
        lambda rows: rows.get(SCOPE, KEY),
        lambda rows: rows.update(SCOPE, Update(KEY, add={"n": 1})),
    ):
        client = Scripted(trouble)
        with pytest.raises(Unavailable):
            call(table(client))
        assert len(client.asked) == 2


def test_a_read_whose_answer_was_lost_is_repeated() -> None:
    client = Scripted(LOST, {"Item": row(n={"N": "1"})})
    assert table(client).get(SCOPE, KEY) == {"n": 1}


def test_what_trying_again_would_not_mend_stays_loud() -> None:
    for bug in (
        refused("ValidationException", "no"),
        refused("AccessDeniedException"),
        ParamValidationError(report=""),
    ):
        client = Scripted(bug)
        with pytest.raises(type(bug)) as raised:
            table(client).transact(SCOPE, TWO)
        assert not isinstance(raised.value, StrataError)
        assert len(client.asked) == 1


def test_a_table_that_is_not_there_is_unavailable() -> None:
    with pytest.raises(Unavailable, match="no such table"):
        table(Scripted(refused("ResourceNotFoundException"))).get(SCOPE, KEY)


# --- batches


def test_what_a_batch_left_out_is_asked_for_until_it_came() -> None:
    keys = [Key("p", str(number)) for number in range(3)]
    left = {"rows": {"Keys": [{name: row(key)[name] for name in ("pk", "sk")} for key in keys[1:]]}}
    client = Scripted(
        {"Responses": {"rows": [row(keys[0])]}, "UnprocessedKeys": left},
        {"Responses": {}, "UnprocessedKeys": left},
        {"Responses": {"rows": [row(keys[1]), row(keys[2])]}, "UnprocessedKeys": {}},
    )
    assert table(client).get_many(SCOPE, keys) == {key: {} for key in keys}
    assert client.asked[1][1]["RequestItems"]["rows"]["Keys"] == left["rows"]["Keys"]


def test_a_batch_that_never_comes_whole_is_no_answer() -> None:
    left = {"rows": {"Keys": [{name: row()[name] for name in ("pk", "sk")}]}}
    with pytest.raises(Unavailable):
        table(Scripted({"Responses": {}, "UnprocessedKeys": left}), patience=0.1).get_many(SCOPE, [KEY])


def test_what_a_deletion_left_out_is_deleted_until_all_is_gone() -> None:
    keys = [Key("p", str(number)) for number in range(3)]
    left = {
        "rows": [
            {"DeleteRequest": {"Key": {name: row(key)[name] for name in ("pk", "sk")}}} for key in keys[1:]
        ]
    }
    client = Scripted({"UnprocessedItems": left}, THROTTLING[0], {"UnprocessedItems": {}})
    table(client).delete_many(SCOPE, keys)
    assert [len(asked["RequestItems"]["rows"]) for _, asked in client.asked] == [3, 2, 2]
    assert client.asked[2][1]["RequestItems"] == left


def test_a_deletion_that_never_ends_is_told() -> None:
    left = {"rows": [{"DeleteRequest": {"Key": {name: row()[name] for name in ("pk", "sk")}}}]}
    with pytest.raises(Unavailable):
        table(Scripted({"UnprocessedItems": left}), patience=0.1).delete_many(SCOPE, [KEY])


def test_a_scan_waits_for_a_throttled_page() -> None:
    client = Scripted({"Count": 2, "LastEvaluatedKey": row()}, THROTTLING[0], {"Count": 3})
    assert DynamoCensus(client, "rows", sleep=lambda _: None).count("OBS#") == 5
    assert client.asked[2][1]["ExclusiveStartKey"] == row()


# --- conditions


def test_who_lost_to_a_write_of_its_own_sees_it() -> None:
    mine = {"observation_id": 7}
    client = Scripted(refused("ConditionalCheckFailedException", Item=row(observation_id={"N": "7"})))
    with pytest.raises(ConditionFailed) as failed:
        table(client).transact(SCOPE, [Put(KEY, mine, Absent())])
    assert failed.value.failures == {0: mine}


def test_an_update_gives_way_to_a_row_that_took_the_expired_ones_place() -> None:
    expired, live = row(n={"N": "9"}, expires_at={"N": "1"}), row(n={"N": "3"})
    client = Scripted(
        refused("ConditionalCheckFailedException", Item=expired),
        refused("ConditionalCheckFailedException", Item=live),
        {"Attributes": row(n={"N": "4"})},
    )
    assert table(client).update(SCOPE, Update(KEY, add={"n": 1})) == {"n": 4}
    assert client.operations == ["update_item", "put_item", "update_item"]
    assert client.asked[1][1]["Item"] == row(n={"N": "1"}, schema={"N": "1"})


def test_a_check_alone_is_a_transaction() -> None:
    client = Scripted({})
    table(client).transact(SCOPE, [Check(KEY, Present())])
    assert client.operations == ["transact_write_items"]


# --- sizes


@pytest.mark.parametrize(
    "action",
    [Put(KEY, {"text": "ü" * 205_000}), Update(KEY, set={"text": "x" * 410_000})],
    ids=["put", "update"],
)
def test_a_row_that_is_too_large_is_refused_before_it_is_sent(action: Put | Update) -> None:
    client = Scripted({})
    with pytest.raises(TooLarge):
        table(client).transact(SCOPE, [action])
    assert client.asked == []


@pytest.mark.parametrize(
    "trouble",
    [
        refused("ValidationException", "Item size to update has exceeded the maximum allowed size"),
        refused("ValidationException", "Transaction payload size cannot exceed 4MB. Payload Size: 4290078"),
        canceled(
            "None", "ValidationError", message="Item size to update has exceeded the maximum allowed size"
        ),
    ],
    ids=str,
)
def test_a_row_that_an_update_makes_too_large_is_told_as_such(trouble: ClientError) -> None:
    with pytest.raises(TooLarge, match=re.escape("400 KB")):
        table(Scripted(trouble)).transact(SCOPE, TWO)
