"""Erasing what is stored about a person."""

from collections.abc import Iterator

import httpx
import pytest

from erasure_support import Person, files_with
from strata.bootstrap import Application
from support import ClaimsFromHeader, HandClock, Memory, application, client


@pytest.fixture
def app(tmp_path) -> Iterator[Application]:
    app = application(tmp_path, HandClock(), AUTH="required", ERASURE_SETTLE="0")
    yield app
    app.close()


@pytest.fixture
def api(app, tmp_path) -> Iterator[httpx.Client]:
    with client(app, tmp_path, ClaimsFromHeader()) as api:
        yield api


class Followed(Memory):
    """A memory whose stream is followed by the gateway's own reader, which trims the log as a server's does."""

    def __init__(self, app: Application, api: httpx.Client) -> None:
        super().__init__(app)
        self._api = api

    def follow(self) -> None:
        self._api.get("/stats", headers={"x-tenant": self.scope.tenant})


@pytest.fixture
def memory(app, api) -> Memory:
    return Followed(app, api)


def test_nothing_of_a_person_is_left_and_nobody_else_loses_anything(app, api, memory, tmp_path):
    ann, bob, other = Person(api, "ann"), Person(api, "bob"), Person(api, "ann", "another")
    for each in (ann, bob, other):
        each.fills()
        each.is_known(app)
    memory.work()
    before = [each.data() for each in (bob, other)]

    erasure = ann.asks_to_be_erased()
    memory.work()

    receipt = ann.receipt(erasure)
    assert receipt["status"] == "done", receipt
    assert files_with(tmp_path, ann.word) == []
    assert [each.data() for each in (bob, other)] == before
    print(receipt["erased"], ann.data())
