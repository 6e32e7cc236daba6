"""Answers what no route of the gateway takes: HEAD, OPTIONS, another method, an unknown path."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from strata.domain.wire.envelope import enveloped, has_envelope
from strata.entrypoints.http.api.api import Api, Caller
from strata.entrypoints.http.api.requests import JSON, Event
from strata.entrypoints.observing import Observing

FALLBACK = "$default"
"""The key of the gateway's route for requests that no other route takes. It asks for no credentials."""

_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


class FallbackApi(Api):
    """The routes of one function, and the answers to what no function has a route for.

    HEAD is answered for this function's own public routes: of all others the answer would be for who has
    credentials, and nobody checked them.

    Args:
        caller, observing: of the routes.
        openapi: the document of all functions' routes.
    """

    def __init__(self, caller: Caller, observing: Observing, openapi: Callable[[], str]) -> None:
        super().__init__(caller, observing)
        self._openapi = openapi

    def _answered(self, event: Event, context: Any) -> dict[str, Any]:
        if event.get("routeKey") != FALLBACK:
            return super()._answered(event, context)
        path, request = event["rawPath"], event["requestContext"]
        method = request["http"]["method"]
        allowed = self._allowed(path)
        if method == "HEAD" and "HEAD" in allowed:
            get = request | {"http": request["http"] | {"method": "GET"}}
            asked = {**event, "routeKey": f"GET {path}", "requestContext": get}
            return super()._answered(asked, context) | {"body": ""}
        if not allowed:
            meant = path.rstrip("/")
            hint = f": {meant} has no slash at the end" if meant != path and self._allowed(meant) else ""
            return _refusal(path, 404, "not_found", f"there is no {method} {path}{hint}", {})
        headers = {"Allow": ", ".join(allowed)}
        if method == "OPTIONS":
            return {"statusCode": 204, "headers": headers, "body": "", "isBase64Encoded": False}
        sentence = f"{path} takes {headers['Allow']}, not {method}"
        return _refusal(path, 405, "method_not_allowed", sentence, headers)

    def _allowed(self, path: str) -> list[str]:
        """The methods of a path; none for an unknown one."""
        found = {
            method
            for template, methods in _paths(self._openapi())
            if _fits(template, path)
            for method in methods
        }
        if not found:
            return []
        public = self.described.get(f"GET {path}")
        head = ["HEAD"] if public is not None and public.permission is None else []
        return [*(each for each in _METHODS if each in found), *head, "OPTIONS"]


@cache
def _paths(document: str) -> list[tuple[list[str], list[str]]]:
    """The segments of every path, and its methods."""
    paths: dict[str, dict[str, Any]] = json.loads(document)["paths"]
    return [(path.split("/"), [method.upper() for method in methods]) for path, methods in paths.items()]


def _fits(template: Sequence[str], path: str) -> bool:
    segments = path.split("/")
    return len(template) == len(segments) and all(
        bool(given) if wanted.startswith("{") else wanted == given
        for wanted, given in zip(template, segments, strict=True)
    )


def _refusal(path: str, status: int, code: str, sentence: str, headers: dict[str, str]) -> dict[str, Any]:
    body = json.dumps({"error": sentence, "code": code}, ensure_ascii=False)
    return {
        "statusCode": status,
        "headers": {"Content-Type": JSON} | headers,
        "body": enveloped(status, body) if has_envelope(path) else body,
        "isBase64Encoded": False,
    }
