"""Events are taken by a webhook or a bus, or told to be untaken."""

import json
from typing import Any

import boto3
import pytest
from moto import mock_aws

from strata.adapters.announcing import BusAnnouncer, WebhookAnnouncer
from strata.domain.errors import Unavailable
from strata.ports.announcements import Announcement
from support.http_server import Answering, listening

EVENTS = [
    Announcement(f"{number}-{tenant}", "memory.contradiction.detected", tenant, 1_767_225_600_000_000, detail)
    for number, (tenant, detail) in enumerate(
        [("acme", {"userId": "ann", "reason": "newer"}), ("blue", {"userId": "bob", "reason": "stated"})]
    )
]
TOLD = [
    {"id": f"{number}-{event.tenant}", "tenant": event.tenant, "at": "2026-01-01T00:00:00.000000Z"}
    | dict(event.detail)
    for number, event in enumerate(EVENTS)
]


class Hook(Answering):
    """Answers with these statuses, then with 204; keeps what it is sent."""

    statuses: list[int]
    taken: list[Any]

    def do_POST(self) -> None:
        status = self.statuses.pop(0) if self.statuses else 204
        body = json.loads(self.body())
        if status // 100 == 2:
            self.taken.append(body)
        self.tell(status, {"location": "/elsewhere"} if status == 302 else {}, b"")


@pytest.fixture
def hook() -> type[Hook]:
    return type("Hooked", (Hook,), {"statuses": [], "taken": []})


def test_a_webhook_is_sent_each_event_as_json_and_tried_again(hook):
    hook.statuses[:] = [503, 429]
    with listening(hook) as address:
        for event in EVENTS:
            WebhookAnnouncer(address).announce(event)

    assert hook.taken == [{"name": "memory.contradiction.detected"} | each for each in TOLD]


@pytest.mark.parametrize("statuses", [[500] * 3, [404], [302]])
def test_an_event_that_a_webhook_refuses_is_not_taken(hook, statuses):
    hook.statuses[:] = statuses
    with listening(hook) as address, pytest.raises(Unavailable, match="webhook"):
        WebhookAnnouncer(address).announce(EVENTS[0])

    assert (hook.taken, hook.statuses) == ([], [])


def test_an_event_is_not_taken_where_nobody_listens(hook):
    with listening(hook) as address:
        pass
    with pytest.raises(Unavailable, match="webhook"):
        WebhookAnnouncer(address).announce(EVENTS[0])


@pytest.fixture
def region(monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")


def test_a_bus_is_sent_each_event_with_its_source_and_name(region):
    sent: list[Any] = []
    with mock_aws():
        bus = boto3.client("events")
        bus.create_event_bus(Name="memory")
        bus.meta.events.register(
            "provide-client-params.events.PutEvents", lambda params, **_: sent.extend(params["Entries"])
        )
        for event in EVENTS:
            BusAnnouncer("memory", client=bus).announce(event)
            BusAnnouncer("memory").announce(event)

    assert [json.loads(each.pop("Detail")) for each in sent] == TOLD
    about = {"EventBusName": "memory", "Source": "strata", "DetailType": "memory.contradiction.detected"}
    assert sent == [about, about]


class Bus:
    """EventBridge's client, which answers so."""

    def put_events(self, **_: Any) -> dict[str, Any]:
        return {"FailedEntryCount": 1, "Entries": [{"ErrorCode": "ThrottlingException"}]}


def test_an_event_that_a_bus_refuses_is_not_taken():
    with pytest.raises(Unavailable, match="ThrottlingException"):
        BusAnnouncer("memory", client=Bus()).announce(EVENTS[0])
