"""An application whose recognizer takes marked names, so that tests say exactly what a text names."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from strata.bootstrap import Application, Overrides
from strata.domain.entities.shapes import Mention
from support.api import ClaimsFromHeader, client
from support.api_calls import data
from support.clocks import HandClock
from support.memory import Memory, application

Ask = Callable[..., Any]


class Marked:
    """Reads `[person Ana Ruiz|Ana|sister|pet]`: a type, a name, other forms of it, a role, a hint."""

    def recognize(self, text: str, language: str | None = None) -> list[Mention]:
        found = []
        for mark in re.finditer(r"\[(\w+) ([^]|]+)(?:\|([^]|]*))?(?:\|(\w*))?(?:\|(\w*))?\]", text):
            also = tuple(filter(None, (mark[3] or "").split(",")))
            found.append(
                Mention(mark[2], mark[1], *mark.span(2), also, mark[4] or "", hint=mark[5] or "")  # type: ignore[arg-type]
            )
        return found


class Entities:
    """Tells episodes, and asks which entities they name."""

    def __init__(self, app: Application, ask: Ask, clock: HandClock) -> None:
        self.app, self.memory, self._ask, self.clock = app, Memory(app), ask, clock
        self.told = 0

    def tell(
        self, *texts: str, user: str = "ann", tenant: str = "local", session: str = "", **fields: Any
    ) -> list[str]:
        """Store an episode of each text and follow the stream; their ids."""
        ids = []
        for text in texts:
            self.clock.forward(60)
            body = {
                "conversation_id": session or f"of-{user}",
                "agent_id": "a1",
                "user_id": user,
                "summary": text,
            }
            ids.append(self._ask(tenant, "POST", "/episodic/store", json=body | fields)["id"])
        self.memory.follow()
        return ids

    def ask(
        self, path: str = "", *, method: str = "GET", user: str = "ann", tenant: str = "local", **sent: Any
    ) -> Any:
        params = {"userId": user} | sent.pop("params", {})
        return self._ask(tenant, method, f"/api/entities{path}", params=params, **sent)

    def listed(self, user: str = "ann", tenant: str = "local", **params: Any) -> list[dict[str, Any]]:
        return self.ask(user=user, tenant=tenant, params={"limit": 100} | params)["entities"]

    def names(self, user: str = "ann", tenant: str = "local", **params: Any) -> list[str]:
        return [each["name"] for each in self.listed(user, tenant, **params)]


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def app(tmp_path: Path, clock: HandClock) -> Iterator[Application]:
    app = application(
        tmp_path, clock, Overrides(entity_recognizer=Marked()), AUTH="required", ERASURE_SETTLE="0"
    )
    yield app
    app.close()


@pytest.fixture
def ask(app: Application) -> Ask:
    """A call of a tenant's that must succeed: `ask("acme", "GET", path)`; `status=` expects that refusal."""
    api = client(app, ClaimsFromHeader())

    def asked(tenant: str, method: str, path: str, *, status: int | None = None, **sent: Any) -> Any:
        headers = {"x-tenant": tenant} | sent.pop("headers", {})
        response = api.request(method, path, headers=headers, **sent)
        if status is not None:
            assert response.status_code == status, response.text
            return response.json()
        if response.headers.get("content-type", "").startswith("text/"):
            return response.text
        return data(response) if response.content else None

    return asked


@pytest.fixture
def entities(app: Application, ask: Ask, clock: HandClock) -> Entities:
    return Entities(app, ask, clock)
