"""Orders that a session places when it ends: rows that are written in the transaction that ends it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from strata.domain.scope import Scope
from strata.domain.wire.messages import Message
from strata.ports.rows import Action


@dataclass(frozen=True, slots=True)
class Ended:
    """A session that ends now.

    Attributes:
        session_id: the session.
        agent_id: its agent, if it has one.
        by_app: whether only its app is known, which is an agent where one of that name is configured.
        owner: its owner; None for nobody.
        project: its project.
        source: the id of its episode, or its own.
        line_by_rules: whether rules made the session's line, so that a model may make a better one.
        messages: what was said.
        began: when it began (µs), the time of messages that tell none.
        at: when the conversation ended (µs): `now`, unless it is imported.
        now: the time (µs).
    """

    session_id: str
    agent_id: str | None
    by_app: bool
    owner: str | None
    project: str
    source: str
    line_by_rules: bool
    messages: Sequence[Message]
    began: int
    at: int
    now: int


class EndOrders(Protocol):
    """Orders one kind of work when a session ends."""

    def actions(self, scope: Scope, ended: Ended) -> list[Action]:
        """The actions to write with the session's end; none where there is nothing to do.

        They fail where another end of the session was written since this was asked.
        """
