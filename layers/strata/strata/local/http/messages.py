"""Converts HTTP messages to and from API Gateway's payload format 2.0."""

import base64
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any
from urllib.parse import parse_qsl, unquote

from strata.domain.wire.envelope import enveloped, has_envelope

HOST = "localhost"
_TEXT = ("text/", "application/json", "application/xml", "application/javascript")
_BODILESS = (204, 304)


@dataclass(slots=True)
class Request:
    """One request: `path` and `query` as sent, header names in lower case, in the order sent."""

    method: str
    path: str
    query: str = ""
    headers: Sequence[tuple[str, str]] = ()
    body: bytes = b""
    source_ip: str = "127.0.0.1"


@dataclass(slots=True)
class Response:
    """One complete response, whose headers include the content length."""

    status: int
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes = b""


def problem(status: int, message: str, code: str) -> Response:
    """The error body of every route, for errors outside the functions."""
    return of_json(status, {"error": message, "code": code})


def in_envelope(path: str, refusal: Response) -> Response:
    """A `problem` of this path, in Fyso's envelope where the path's answers have it."""
    if not has_envelope(unquote(path)):
        return refusal
    wrapped = of_json(refusal.status, json.loads(enveloped(refusal.status, refusal.body.decode())))
    kept = [header for header in refusal.headers if not header[0].startswith("content-")]
    return Response(wrapped.status, [*wrapped.headers, *kept], wrapped.body)


def of_json(status: int, value: object) -> Response:
    """A response with a JSON value."""
    body = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    headers = [("content-type", "application/json"), ("content-length", str(len(body)))]
    return Response(status, [*headers, ("x-content-type-options", "nosniff")], body)


def to_event(
    request: Request, route_key: str, parameters: Mapping[str, str], request_id: str
) -> dict[str, Any]:
    """The payload 2.0 event of a request: as in HTTP APIs, the path is decoded and equal names are joined."""
    path = unquote(request.path) if "%" in request.path else request.path
    headers: dict[str, str] = {}
    cookies: list[str] = []
    for name, value in request.headers:
        if name == "cookie":
            cookies.extend(part.strip() for part in value.split(";"))
        else:
            headers[name] = f"{headers[name]},{value}" if name in headers else value
    now = time.time()
    event: dict[str, Any] = {
        "version": "2.0",
        "routeKey": route_key,
        "rawPath": path,
        "rawQueryString": request.query,
        "headers": headers,
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "local",
            "domainName": headers.get("host", HOST),
            "domainPrefix": "local",
            "http": {
                "method": request.method,
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": request.source_ip,
                "userAgent": headers.get("user-agent", ""),
            },
            "requestId": request_id,
            "routeKey": route_key,
            "stage": "$default",
            "time": _clock_time(int(now)),
            "timeEpoch": int(now * 1000),
        },
        "isBase64Encoded": False,
    }
    if request.query:
        event["queryStringParameters"] = _joined(request.query)
    if parameters:
        event["pathParameters"] = dict(parameters)
    if cookies:
        event["cookies"] = cookies
    if request.body:
        event["body"], event["isBase64Encoded"] = _body(request.body, headers.get("content-type", ""))
    return event


@lru_cache(maxsize=2)
def _clock_time(second: int) -> str:
    return time.strftime("%d/%b/%Y:%H:%M:%S +0000", time.gmtime(second))


def from_answer(answer: object) -> Response:
    """The response from a handler's return value.

    A mapping with `statusCode` is the response itself; anything else is the body of a 200, as in HTTP APIs.

    Raises:
        ValueError: the status is invalid, or the body is neither text nor Base64.
    """
    if not isinstance(answer, dict) or "statusCode" not in answer:
        return of_json(200, answer)
    status = int(answer["statusCode"])
    body = answer.get("body")
    if body is None:
        content = b""
    elif not isinstance(body, str):
        raise ValueError(f"the body of an answer must be text, not {type(body).__name__}")
    else:
        content = base64.b64decode(body, validate=True) if answer.get("isBase64Encoded") else body.encode()
    headers = [(name.lower(), _text(value)) for name, value in (answer.get("headers") or {}).items()]
    for name, values in (answer.get("multiValueHeaders") or {}).items():
        headers = [header for header in headers if header[0] != name.lower()]
        headers.extend((name.lower(), _text(value)) for value in values)
    headers = [header for header in headers if header[0] != "content-length"]
    headers.extend(("set-cookie", str(cookie)) for cookie in answer.get("cookies") or ())
    if status in _BODILESS:
        return Response(status, [header for header in headers if header[0] != "content-type"])
    if content and not any(name == "content-type" for name, _ in headers):
        headers.append(("content-type", "text/plain; charset=utf-8"))
    headers.append(("content-length", str(len(content))))
    return Response(status, headers, content)


def _joined(query: str) -> dict[str, str]:
    joined: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        joined[name] = f"{joined[name]},{value}" if name in joined else value
    return joined


def _body(body: bytes, content_type: str) -> tuple[str, bool]:
    """The body for an event, and whether it is Base64: only text of a text type is unchanged."""
    if content_type.lower().startswith(_TEXT) or "+json" in content_type:
        try:
            return body.decode(), False
        except UnicodeDecodeError:
            pass
    return base64.b64encode(body).decode(), True


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)
