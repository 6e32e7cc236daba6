"""The request that this thread works on, for rows that say which request wrote them."""

from contextvars import ContextVar

request_id: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id that the request's log lines have, too; None outside of requests."""
