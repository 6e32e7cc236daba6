"""The exception that every client method raises."""

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any


class StrataClientError(Exception):
    """A failed call.

    Attributes:
        status: the HTTP status; None without a response.
        code: the stable error code of the API (`not_found`, `invalid_request`, …), or the client's own:
            `unreachable`, `timeout`, `bad_url`, `bad_key`, `bad_answer`.
        message: one sentence for people.
        details: `{"field", "message"}` for each invalid field.
    """

    def __init__(
        self, status: int | None, code: str, message: str, details: Sequence[Mapping[str, str]] = ()
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.details = [dict(detail) for detail in details]

    def __reduce__(self) -> tuple[type["StrataClientError"], tuple[object, ...]]:
        return type(self), (self.status, self.code, self.message, self.details)


def refused(status: int, body: str) -> StrataClientError:
    """The error for an unsuccessful response, also from a gateway or proxy."""
    try:
        said = json.loads(body)
    except ValueError:
        said = None
    if not isinstance(said, dict):
        said = {}
    said = _bare(said)
    code, message, details = said.get("code"), said.get("error", said.get("message")), said.get("details")
    return StrataClientError(
        status,
        code if isinstance(code, str) else _code_of(status),
        message if isinstance(message, str) and message else f"the server answered {_phrase(status)}",
        _fields(details),
    )


def _bare(said: dict[str, Any]) -> dict[str, Any]:
    """The body of an error as all other routes have it, where it came in Fyso's envelope."""
    error = said.get("error")
    if not isinstance(error, dict):
        return said
    code = str(error.get("code")).lower()
    bare = {"error": error.get("message"), "details": error.get("details")}
    return bare | {"code": "invalid_request" if code == "validation_error" else code}


def _fields(details: Any) -> list[dict[str, str]]:
    if not isinstance(details, list):
        return []
    return [
        {str(name): str(value) for name, value in detail.items()}
        for detail in details
        if isinstance(detail, dict)
    ]


def _phrase(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _code_of(status: int) -> str:
    try:
        return HTTPStatus(status).name.lower()
    except ValueError:
        return "bad_answer"
