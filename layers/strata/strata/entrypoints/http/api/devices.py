"""The user of a request that names a device: a writing route gets it as if the caller had named it.

A device is named by `X-Device-Id`, or `device_id` in the query or in a body whose fields the route knows.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl, urlencode

from pydantic import TypeAdapter, ValidationError

from strata.domain.errors import InvalidRequest
from strata.domain.scope import Scope
from strata.domain.wire.devices import DeviceId
from strata.domain.wire.fields import plain
from strata.entrypoints.http.api.ignored import Known
from strata.entrypoints.http.api.requests import Event

DEVICE = "device_id"
_HEADER = "x-device-id"
_USERS = ("user_id", "userId")
_DEVICE_ID: TypeAdapter[str] = TypeAdapter(DeviceId)

OwnerOf = Callable[[Scope, str, str | None], str]
"""The owner of what a device writes, given the user that the write names."""


@dataclass(frozen=True, slots=True)
class Identified:
    """Returns the scope of an event, knows the owners of devices, and counts requests by their tenant."""

    scope: Callable[[Event], Scope]
    owner_of_device: OwnerOf
    count: Callable[[Scope], None]
    """Raises `Throttled` above the tenant's rate."""

    def __call__(self, event: Event) -> Scope:
        """The scope of an event."""
        return self.scope(event)


@dataclass(frozen=True, slots=True)
class Sent:
    """An event for a route, the fields that its body gets, and the device that it named."""

    event: Event
    fields: Mapping[str, str]
    device: str | None = None


def for_owner(event: Event, scope: Scope, known: Known, owner_of: OwnerOf) -> Sent:
    """The request with the owner of its device as its user, where it names a device.

    Raises:
        InvalidRequest: the device's id is malformed, or the request names two.
        OwnedByAnother: the request names another user than the device's.
    """
    pairs = parse_qsl(event.get("rawQueryString") or "", keep_blank_values=True)
    header = next((_text(v) for k, v in (event.get("headers") or {}).items() if k.lower() == _HEADER), None)
    devices = [each for each in (header, *(value for name, value in pairs if name == DEVICE)) if each]
    body = {} if known.free else _object(event.get("body") or "", bool(devices))
    in_body = body.get(DEVICE)
    if not isinstance(in_body, str | None):
        raise InvalidRequest.of(DEVICE, "should be a text")
    named = {*devices, *([in_body] if in_body else ())}
    if not named:
        return Sent(event, {})
    if len(named) > 1:
        raise InvalidRequest.of(DEVICE, "names two devices")
    try:
        device = _DEVICE_ID.validate_python(named.pop())
    except ValidationError as error:
        raise InvalidRequest.of(DEVICE, plain(error.errors()[0]["msg"])) from None
    users = [*(value for name, value in pairs if name in _USERS), *(body.get(name) for name in _USERS)]
    claimed = next((each for each in users if isinstance(each, str) and each), None)
    owner = owner_of(scope, device, claimed)
    query = next((name for name in _USERS if name in known.query), None)
    field = next((name for name in _USERS if known.body and name in known.body), None)
    rest = [(name, value) for name, value in pairs if name != DEVICE]
    if query is not None and not (field and body.get(field)):
        rest = [(name, value) for name, value in rest if name != query] + [(query, owner)]
    return Sent(_with_query(event, rest), {} if field is None else {field: owner}, device)


def knowing_devices(known: Known) -> Known:
    """The parameters of a writing route, with the name of the device."""
    body = None if known.body is None else known.body | {DEVICE}
    return replace(known, query=known.query | {DEVICE}, body=body)


def _text(header: str) -> str:
    """A header's text: clients send UTF-8, and servers hand headers on as Latin-1."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


def _object(text: str, devices: bool) -> dict[str, Any]:
    """The body, where it may name a device or a user beside one; a malformed one is the route's to refuse."""
    if not devices and f'"{DEVICE}"' not in text:
        return {}
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _with_query(event: Event, pairs: list[tuple[str, str]]) -> Event:
    joined: dict[str, str] = {}
    for name, value in pairs:
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return {**event, "rawQueryString": urlencode(pairs), "queryStringParameters": joined}
