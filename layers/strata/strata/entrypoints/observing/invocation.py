"""The current invocation, to which log lines and spans refer."""

import re
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:=-]{1,128}")


@dataclass(frozen=True, slots=True)
class Invocation:
    """One call of a handler: its event, Lambda's context, and whether it is the first of the process."""

    event: Mapping[str, Any]
    context: Any
    cold_start: bool

    @property
    def correlation_id(self) -> str | None:
        """The caller's `X-Request-Id` if it is a plain id, else the gateway's own, else Lambda's."""
        given = self.header("x-request-id")
        if given is not None and _REQUEST_ID.fullmatch(given):
            return given
        own = (self.event.get("requestContext") or {}).get("requestId")
        return own or self.request_id

    @property
    def request_id(self) -> str | None:
        """Lambda's id of this invocation, as in Lambda's own log lines."""
        return getattr(self.context, "aws_request_id", None)

    @property
    def function(self) -> str | None:
        """The function's name."""
        return getattr(self.context, "function_name", None)

    def header(self, name: str) -> str | None:
        """A request header by its name in lower case, as in payload 2.0."""
        headers: Mapping[str, str] = self.event.get("headers") or {}
        return headers.get(name)


current: ContextVar[Invocation | None] = ContextVar("invocation", default=None)
"""The invocation of this thread."""
