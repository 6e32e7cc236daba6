"""The errors of the OpenAPI document, as reusable responses."""

from http import HTTPStatus
from typing import Any

from openapi.texts import ERRORS


def error_responses() -> dict[str, Any]:
    """Every error as a reusable response, by its name."""
    return {error_name(status): _error(status) for status in ERRORS}


def error_name(status: int) -> str:
    """The name of an error in `components/responses`."""
    return "".join(word.title() for word in HTTPStatus(status).phrase.split())


def _error(status: int) -> dict[str, Any]:
    described = ERRORS[status]
    body: dict[str, Any] = {"error": described["error"], "code": described["code"]}
    if status == HTTPStatus.BAD_REQUEST:
        field, _, message = described["error"].partition(": ")
        body["details"] = [{"field": field, "message": message}]
    content = {"schema": {"$ref": "#/components/schemas/Error"}, "example": body}
    headers = {
        name: {"description": text, "schema": {"type": "string"}} for name, text in _HEADERS.get(status, ())
    }
    return (
        {"description": described["description"]}
        | ({"headers": headers} if headers else {})
        | {"content": {"application/json": content}}
    )


_RETRY = (("Retry-After", "Seconds to wait before a retry."),)
_HEADERS: dict[int, tuple[tuple[str, str], ...]] = {
    401: (("WWW-Authenticate", "The scheme of the credentials."),),
    405: (("Allow", "The methods of the path."),),
    429: _RETRY,
    503: _RETRY,
}
