"""People who speak with agents, and what is concluded about them, through the API."""

from collections.abc import Callable
from typing import Any

from strata.bootstrap import Application
from strata.domain.times import DAY
from support.clocks import HandClock
from support.memory import Memory, dialogue

Ask = Callable[..., Any]


class People:
    """Speaks as people of tenants, and asks what was concluded about them."""

    def __init__(self, app: Application, ask: Ask, clock: HandClock) -> None:
        self.memory, self.ask, self.clock = Memory(app), ask, clock
        self.sessions = 0

    def say(
        self,
        *said: str,
        tenant: str = "local",
        user: str | None = "ann",
        project: str = "demo",
        session: str = "",
        **fields: Any,
    ) -> str:
        """A session from its start to its end; its id."""
        self.sessions += 1
        session = session or f"s{self.sessions}"
        named = {"user_id": user} if user else {}
        self.ask(tenant, "POST", "/sessions", json={"id": session, "project": project} | named | fields)
        messages = dialogue(*(words for each in said for words in (each, "ok")))
        self.ask(tenant, "POST", f"/sessions/{session}/end", json={"messages": messages})
        return session

    def says(self, *said: str, **fields: Any) -> str:
        """The same, and the dreamer has looked at it; a day has gone by."""
        session = self.say(*said, **fields)
        self.memory.work()
        self.clock.forward(DAY)
        return session

    def known(self, user: str | None = "ann", tenant: str = "local", **params: Any) -> list[str]:
        return [each["text"] for each in self.conclusions(user, tenant, **params)]

    def conclusions(
        self, user: str | None = "ann", tenant: str = "local", **params: Any
    ) -> list[dict[str, Any]]:
        named = {"userId": user} if user else {}
        found = self.ask(tenant, "GET", "/api/memory/conclusions", params=params | named)
        return found["conclusions"]
