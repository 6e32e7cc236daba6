"""Retries of the client: which requests, after which wait, and which are never sent twice."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from strata.client import AsyncClient, Client, RetryPolicy, StrataClientError
from support.blocking_client import Blocking
from support.fake_strata import FakeStrata


@pytest.fixture
def server() -> FakeStrata:
    return FakeStrata()


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture(params=["sync", "async"])
def connect(request, server, waits):
    """Makes either kind of client; waiting takes no time, and is written down."""
    opened = []

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    def connect(retry=None):
        given = {"url": "http://strata.test", "transport": server, "retry": retry}
        client: Any
        if request.param == "sync":
            client = Client(**given, sleep=waits.append)
        else:
            client = Blocking(lambda: AsyncClient(**given, sleep=sleep))
        opened.append(client)
        return client.__enter__()

    yield connect
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def client(connect):
    return connect()


def save(client) -> int:
    return client.save("locks help", project="web", session_id="s1", title="Deploy", type="lesson").id


def refusal(status: int, **headers: str) -> httpx.Response:
    return httpx.Response(status, json={"error": "not now", "code": "throttled"}, headers=headers)


@pytest.mark.parametrize(
    "failure", [refusal(429), refusal(503), httpx.ConnectError("refused"), httpx.ReadTimeout("slow")]
)
def test_an_idempotent_call_is_tried_again(client, server, waits, failure):
    server.refusals = [failure, failure]
    assert client.recent() == []
    assert len(waits) == 2


@pytest.mark.parametrize(
    "failure",
    [
        refusal(503),
        refusal(504),
        httpx.ReadTimeout("slow"),
        httpx.ReadError("reset"),
        httpx.WriteError("reset"),
    ],
)
def test_a_save_that_may_have_been_done_is_not_sent_again(client, server, waits, failure):
    server.refusals = [failure]
    with pytest.raises(StrataClientError):
        save(client)
    assert len(server.requests) == 1
    assert waits == []


@pytest.mark.parametrize(
    "failure", [refusal(429), httpx.ConnectError("refused"), httpx.ConnectTimeout("slow")]
)
def test_a_save_that_was_surely_not_done_is_sent_again(client, server, waits, failure):
    server.refusals = [failure, failure]
    assert save(client) == 1
    assert len(server.observations) == 1
    assert len(waits) == 2


def test_what_is_sent_again_is_the_same(client, server):
    server.refusals = [refusal(429), refusal(429)]
    save(client)
    assert len({request.content for request in server.requests}) == 1


def test_a_server_that_stays_away_is_given_up(client, server, waits):
    server.refusals = [httpx.ConnectError("connection refused")] * 3
    with pytest.raises(StrataClientError, match=r"can't reach Strata at http://strata\.test") as raised:
        client.recent()
    assert (raised.value.status, raised.value.code) == (None, "unreachable")
    assert len(server.requests) == 3


def test_no_retries_are_none(connect, server):
    server.refusals = [refusal(429)]
    with pytest.raises(StrataClientError):
        connect(RetryPolicy(retries=0)).recent()
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 404, 409, 500])
def test_a_refusal_that_will_not_change_is_not_tried_again(client, server, waits, status):
    server.refusals = [httpx.Response(status, json={"error": "no", "code": "no"})]
    with pytest.raises(StrataClientError, match="no"):
        client.recent()
    assert waits == []


def test_the_servers_own_waiting_time_is_kept(client, server, waits):
    server.refusals = [refusal(503, **{"Retry-After": "3"})]
    client.recent()
    assert waits == [3.0]


def test_a_server_that_asks_for_too_long_is_not_waited_for(client, server, waits):
    server.refusals = [refusal(503, **{"Retry-After": "3600"})]
    with pytest.raises(StrataClientError) as raised:
        client.recent()
    assert raised.value.status == 503
    assert waits == []


def test_a_waiting_time_may_be_a_date(connect, server, waits):
    policy = RetryPolicy(jitter=lambda low, high: low, now=lambda: datetime(2026, 1, 1, tzinfo=UTC))
    client = connect(policy)
    server.refusals = [refusal(429, **{"Retry-After": "Thu, 01 Jan 2026 00:00:05 GMT"})]
    client.recent()
    assert waits == [5.0]


@pytest.mark.parametrize("asked", ["nan", "inf", "-3", "soon", "", "Thu, 01 Jan 2026 00:00:05"])
def test_a_waiting_time_that_says_nothing_is_passed_over(connect, server, waits, asked):
    client = connect(RetryPolicy(jitter=lambda low, high: high))
    server.refusals = [refusal(429, **{"Retry-After": asked})]
    client.recent()
    assert waits == [0.2]


def test_waits_grow_and_are_bounded(connect, server, waits):
    policy = RetryPolicy(retries=8, first=1.0, longest=10.0, jitter=lambda low, high: high)
    client = connect(policy)
    server.refusals = [httpx.ConnectError("refused")] * 6
    client.recent()
    assert waits == [1.0, 2.0, 4.0, 8.0, 10.0, 10.0]
