"""Prepares requests for the routes: whole paths, decoded bodies, strict JSON."""

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any, NoReturn, get_args
from urllib.parse import parse_qsl, quote

from aws_lambda_powertools.event_handler.openapi.params import Body
from pydantic import BaseModel, RootModel

from strata.domain.errors import InvalidRequest, TooLarge, UnsupportedMedia

JSON = "application/json"
LINES = "application/x-ndjson"
"""One JSON object a line."""
_LINES = (LINES, "application/jsonl", "application/x-jsonlines")

_BYTE_ORDER_MARK = "\ufeff"

MAX_LEVELS = 220
"""Nesting of lists and objects in a body. pydantic writes 255, and a response wraps the stored value."""

Event = Mapping[str, Any]
"""An event of API Gateway's HTTP APIs, payload format 2.0."""


def admitted(event: Event, max_body: int) -> Event:
    """Return the event with its body decoded, at most `max_body` bytes long, and declared as JSON.

    Raises:
        InvalidRequest: the body is not UTF-8.
        TooLarge: it is larger.
        UnsupportedMedia: it is declared as something else, or compressed.
    """
    body = event.get("body")
    if not body:  # of no type, whatever a client declares: the resolver fails on those it does not know
        return _declared_json(event)
    encoding = _header(event, "content-encoding").strip().lower()
    if encoding not in ("", "identity"):  # a gateway may have taken it for text, and spoilt it
        raise UnsupportedMedia(f"the body is encoded as {encoding[:100]}: send it without Content-Encoding")
    if event.get("isBase64Encoded"):
        try:
            body = base64.b64decode(body, validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            raise InvalidRequest("the body is not UTF-8 text") from None
        event = {**event, "body": body, "isBase64Encoded": False}
    if len(body) > max_body or len(body.encode("utf-8", "surrogatepass")) > max_body:
        raise TooLarge(f"the request body is over {max_body} bytes")
    if body.startswith(_BYTE_ORDER_MARK):
        event = {**event, "body": body.removeprefix(_BYTE_ORDER_MARK)}
    media = _header(event, "content-type")
    kind = media.partition(";")[0].strip().lower()
    if kind and not declares_json(kind):
        raise UnsupportedMedia(f"the body must be {JSON}, not {kind}")
    return event if media == JSON else _declared_json(event)


def _header(event: Event, wanted: str) -> str:
    """A header of a request; "" where it has none of this name."""
    headers: Mapping[str, str] = event.get("headers") or {}
    return next((value for name, value in headers.items() if name.lower() == wanted), "")


def declares_json(content_type: str) -> bool:
    """Whether a Content-Type header names JSON, JSON lines, or a format that is JSON."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind == JSON or kind.endswith("+json") or kind in _LINES


def _declared_json(event: Event) -> Event:
    return {**event, "headers": {**(event.get("headers") or {}), "content-type": JSON}}


def takes_object(annotation: Any) -> bool:
    """Whether a parameter of this type is a body that must be a JSON object."""
    if not any(isinstance(each, Body) for each in getattr(annotation, "__metadata__", ())):
        return False
    kinds = get_args(annotation.__origin__) or (annotation.__origin__,)
    return any(
        isinstance(kind, type) and issubclass(kind, BaseModel) and not issubclass(kind, RootModel)
        for kind in kinds
    )


def refuse_list(event: Event) -> None:
    """Reject a list in place of an object: the resolver would take its first element.

    Raises:
        InvalidRequest: the body is a list.
    """
    if (event.get("body") or "").lstrip().startswith("["):
        raise InvalidRequest.of("body", "should be a JSON object, not a list")


def with_whole_parameters(event: Event) -> Event:
    """Return the event with percent-encoded path parameters.

    API Gateway decodes `rawPath`, so that a `/` in an id adds a segment, and the resolver's own pattern
    matches no emoji. The path is rebuilt from the gateway's `routeKey` and `pathParameters`.
    """
    parameters = event.get("pathParameters")
    if not parameters:
        return event
    path = event["routeKey"].partition(" ")[2]
    for name, value in parameters.items():
        path = path.replace(f"{{{name}}}", quote(value, safe=""))
    return {**event, "rawPath": path}


def repeated(event: Event, name: str) -> list[str]:
    """All values of a repeated query parameter; the event joins them with commas."""
    query = parse_qsl(event.get("rawQueryString") or "", keep_blank_values=True)
    return [value for key, value in query if key == name]


def parameters(event: Event) -> set[str]:
    """The names of all query parameters."""
    return {key for key, _ in parse_qsl(event.get("rawQueryString") or "", keep_blank_values=True)}


def parse_json(body: str | None) -> Any:
    """Parse a JSON body; NaN and infinities are invalid.

    Raises:
        InvalidRequest: the body is not JSON, or nested too deeply.
    """
    if not body:
        return None
    try:
        value = json.loads(body, parse_constant=_no_constant)
    except RecursionError:
        raise InvalidRequest(_TOO_DEEP) from None
    except json.JSONDecodeError as error:
        raise InvalidRequest(f"the body is not JSON: {error}") from None
    except ValueError:  # Python's own limit for the digits of an integer
        raise InvalidRequest("the body holds a number with too many digits") from None
    if body.count("[") + body.count("{") > MAX_LEVELS and _levels_exceed(value, MAX_LEVELS):
        raise InvalidRequest(_TOO_DEEP)
    return value


_TOO_DEEP = f"the body is nested too deeply: more than {MAX_LEVELS} levels of lists and objects"


def _levels_exceed(value: Any, most: int) -> bool:
    inner = [value]
    for _ in range(most + 1):
        inner = [
            each
            for outer in inner
            for each in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(each, (list, dict))
        ]
        if not inner:
            return False
    return True


def _no_constant(name: str) -> NoReturn:
    raise InvalidRequest(f"the body is not JSON: {name} is not a JSON value")
