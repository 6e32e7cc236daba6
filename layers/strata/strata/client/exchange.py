"""Shared by both clients: turns a call into a request, and an outcome into a reply or an error."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import httpx

from strata.client.call import Call
from strata.client.config import Endpoint
from strata.client.errors import StrataClientError, refused

T = TypeVar("T")

Outcome = httpx.Response | httpx.RequestError | httpx.InvalidURL
"""The outcome of a request: a response, or the failure."""

FAILURES = (httpx.RequestError, httpx.InvalidURL)


@dataclass(frozen=True, slots=True)
class Reply(Generic[T]):
    """A successful response, raw and typed."""

    text: str
    value: T
    headers: Mapping[str, str] = field(default_factory=dict)


def connection(to: Endpoint, timeout: float) -> dict[str, Any]:
    """The constructor arguments of httpx's clients, sync or async."""
    headers = {}
    if to.key is not None:
        headers["authorization"] = f"Bearer {to.key}"
    return {
        "base_url": to.url,
        "headers": headers,
        "timeout": httpx.Timeout(timeout, connect=min(timeout, 5.0)),
        "trust_env": not to.is_loopback,
    }


def request(call: Call[Any], trace_context: Mapping[str, str]) -> dict[str, Any]:
    """The arguments of httpx's `request`, sync or async.

    Raises:
        StrataClientError: the body has no JSON form (`invalid_request`).
    """
    try:
        content = call.content()
    except (TypeError, ValueError, RecursionError) as error:
        sentence = f"the body of {call.method} {call.path} can't be JSON: {error}"
        raise StrataClientError(None, "invalid_request", sentence) from error
    headers = {**trace_context, **call.headers, "accept": call.decoder.media_type}
    if content is not None:
        headers["content-type"] = "application/json"
    return {
        "method": call.method,
        "url": call.path,
        "params": dict(call.params),
        "content": content,
        "headers": headers,
    }


def settle(call: Call[T], to: Endpoint, outcome: Outcome) -> Reply[T]:
    """The reply.

    Raises:
        StrataClientError: there was no response, it was an error, or it is not from Strata.
    """
    if isinstance(outcome, httpx.TimeoutException):
        raise StrataClientError(None, "timeout", f"Strata at {to.named} did not answer in time") from outcome
    if isinstance(outcome, httpx.InvalidURL):
        sentence = f"{call.method} {call.path} can't be sent: {outcome}"
        raise StrataClientError(None, "invalid_request", sentence) from outcome
    if isinstance(outcome, httpx.DecodingError):
        raise _not_ours(call, to, None) from outcome
    if isinstance(outcome, httpx.RequestError):
        raise StrataClientError(
            None, "unreachable", f"can't reach Strata at {to.named}: {outcome}"
        ) from outcome
    if not outcome.is_success:
        raise refused(outcome.status_code, outcome.text)
    try:
        return Reply(outcome.text, call.decoder.read(outcome.text), outcome.headers)
    except ValueError as error:
        raise _not_ours(call, to, outcome.status_code) from error


def _not_ours(call: Call[Any], to: Endpoint, status: int | None) -> StrataClientError:
    sentence = f"{to.named} answered {call.method} {call.path} with something that is not Strata's"
    return StrataClientError(status, "bad_answer", sentence)
