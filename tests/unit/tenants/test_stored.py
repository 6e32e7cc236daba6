"""Stored items of tenants: what adds to them is refused above the limit, and everything else goes on."""

import pytest

from strata.domain.errors import LimitReached
from strata.domain.scope import Scope
from strata.services.tenants.stored import StoredItems
from support.api import ClaimsFromHeader, client
from support.clocks import FrozenClock
from support.memory import application, observation

LOUD, QUIET = Scope("loud"), Scope("quiet")


@pytest.fixture
def app(tmp_path):
    app = application(tmp_path, FrozenClock(), AUTH="required", TENANT_ITEMS="3")
    yield app
    app.close()


@pytest.fixture
def ask(app):
    """Asks as a tenant, a second after the question before."""
    api = client(app, ClaimsFromHeader())

    def asked(tenant, method, path, **sent):
        app.clock.forward(1)
        return api.request(method, path, headers={"x-tenant": tenant}, **sent)

    return asked


def note(number, **fields):
    return observation(content=f"note number {number}", session_id="s", **fields)


def test_a_full_tenant_adds_nothing_and_goes_on_with_what_it_has(ask):
    assert ask("loud", "POST", "/sessions", json={"id": "s", "project": "demo"}).status_code == 201
    first = ask("loud", "POST", "/observations", json=note(1)).json()["id"]
    assert ask("loud", "POST", "/observations", json=note(2, topic_key="two")).status_code == 201

    refused = ask("loud", "POST", "/observations", json=note(3))
    assert (refused.status_code, refused.json()["code"]) == (429, "limit_reached")
    assert refused.headers["retry-after"] == "60"
    assert ask("loud", "POST", "/sessions", json={"id": "t", "project": "demo"}).status_code == 429
    lines = {"sessions": [{"id": "u", "project": "demo", "started_at": "2026-01-01T00:00:00Z"}]}
    assert ask("loud", "POST", "/import", json=lines).status_code == 429
    assert ask("loud", "GET", "/stats").json()["total_observations"] == 2

    assert ask("loud", "POST", "/sessions", json={"id": "s", "project": "demo"}).status_code == 201
    assert ask("loud", "POST", "/observations", json=note(1)).json()["action"] == "deduplicated"
    assert ask("loud", "POST", "/observations", json=note(4, topic_key="two")).json()["action"] == "updated"
    assert ask("loud", "PATCH", f"/observations/{first}", json={"title": "New"}).status_code == 200
    assert ask("quiet", "POST", "/observations", json=note(3)).status_code == 201

    assert ask("loud", "DELETE", f"/observations/{first}").status_code == 204
    assert ask("loud", "POST", "/observations", json=note(3)).status_code == 201


def test_processes_that_store_at_once_are_right_within_a_tenth():
    clock, stored = FrozenClock(), {"loud": 0, "quiet": 0}
    processes = [StoredItems(clock, lambda scope: 1000, lambda scope: told[scope.tenant]) for _ in range(8)]
    for second in range(60):  # 40 a second by eight processes; the totals are a second behind
        told = dict(stored)
        for number in range(40):
            clock.forward(1 / 40)
            try:
                processes[number % 8].admit(LOUD)
            except LimitReached:
                continue
            stored["loud"] += 1
        if second % 10 == 0:
            processes[second % 8].admit(QUIET)
    assert 1000 <= stored["loud"] <= 1100


def test_a_tenant_without_a_limit_is_not_counted():
    def count(scope):
        raise AssertionError("nobody asked")

    StoredItems(FrozenClock(), lambda scope: None, count).admit(LOUD, 10**9)
