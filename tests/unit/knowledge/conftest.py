"""One application with the routes of every tenant."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from strata.bootstrap import Application
from support.api import ClaimsFromHeader, client
from support.api_calls import data
from support.clocks import HandClock
from support.memory import application
from support.people import People

Ask = Callable[..., Any]


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def app(tmp_path: Path, clock: HandClock) -> Iterator[Application]:
    app = application(tmp_path, clock, AUTH="required", ERASURE_SETTLE="0")
    yield app
    app.close()


@pytest.fixture
def ask(app: Application) -> Ask:
    """A call of a tenant's that must succeed: `ask("acme", "GET", path)`; `status=` expects that refusal."""
    api = client(app, ClaimsFromHeader())

    def asked(tenant: str, method: str, path: str, *, status: int | None = None, **sent: Any) -> Any:
        headers = {"x-tenant": tenant} | sent.pop("headers", {})
        response = api.request(method, path, headers=headers, **sent)
        if status is None:
            return data(response) if response.content else None
        assert response.status_code == status, response.text
        return response.json()

    return asked


@pytest.fixture
def people(app: Application, ask: Ask, clock: HandClock) -> People:
    return People(app, ask, clock)
