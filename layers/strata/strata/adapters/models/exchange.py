"""JSON to a model's server and back."""

import json
import os
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from strata.adapters.deadline import within
from strata.adapters.models.errors import Rejected, Slowed, Unanswered, Unusable
from strata.domain import retry_after

_CONNECT_SECONDS = 3.0
_CHUNK = 65_536
_SOCKETS = 16
_LONGEST_WAIT = 3600.0
_LONGEST_ERROR = 4_000

FORMAT = "response_format"
"""The field of OpenAI's protocol that many servers know in part, or not at all."""

Key = Callable[[], str]
"""Returns the API key; called at the first request."""


class Exchange:
    """Requests to one server.

    Args:
        url: the base URL; redirects are not followed.
        key: sent as a bearer token; None for a server without one.
        largest: size limit of a response in bytes.
    """

    def __init__(self, url: str, *, key: Key | None = None, largest: int) -> None:
        self._url = urlsplit(url)
        self._key = key
        self._largest = largest
        self._pool: Any = None
        self._pid = 0

    def post(self, path: str, body: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """The response's JSON object, received completely within `seconds`.

        Raises:
            Unanswered, Slowed, Unusable, Rejected: see there.
        """
        from urllib3.exceptions import HTTPError, NewConnectionError  # noqa: PLC0415 - see `_exchanged`

        headers = {"content-type": "application/json", "accept": "application/json"}
        if self._key is not None:
            headers["authorization"] = f"Bearer {self._key()}"
        sent = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode(errors="replace")
        try:
            status, told, answer = within(seconds, lambda: self._exchanged(path, sent, headers, seconds))
        except NewConnectionError as error:
            raise Unanswered("the model's server cannot be reached") from error
        except (HTTPError, OSError, ValueError) as error:
            late = "imeout" in type(error).__name__
            message = f"did not answer within {seconds:.3g} s" if late else "broke its answer off"
            raise Unanswered(f"the model's server {message}", was_sent=True) from error
        return _judged(status, told, answer)

    def _exchanged(
        self, path: str, sent: bytes, headers: Mapping[str, str], seconds: float
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body of the response."""
        from urllib3 import Timeout  # noqa: PLC0415 - who embeds by the table needs no HTTP

        until = time.monotonic() + seconds
        response = self._opened().urlopen(
            "POST",
            f"{self._url.path.rstrip('/')}{path}",
            body=sent,
            headers=headers,
            timeout=Timeout(connect=min(_CONNECT_SECONDS, seconds), read=seconds),
            retries=False,
            redirect=False,
            assert_same_host=False,
            preload_content=False,
            decode_content=False,
        )
        return response.status, response.headers, self._read(response, until)

    def _read(self, response: Any, until: float) -> bytes:
        """The body; reading ends at `until`, when the caller has given up."""
        chunks, size = [], 0
        try:
            while chunk := response.read1(_CHUNK):
                size += len(chunk)
                if size > self._largest:
                    raise Unusable(f"the model's server answers with more than {self._largest:,} bytes")
                if time.monotonic() > until:
                    raise TimeoutError
                chunks.append(chunk)
        except BaseException:
            response.close()
            raise
        response.release_conn()
        return b"".join(chunks)

    def _opened(self) -> Any:
        """The connections of this process: a forked child must not use its parent's."""
        if self._pool is None or self._pid != os.getpid():
            from urllib3 import connection_from_url  # noqa: PLC0415

            self._pool = connection_from_url(self._url.geturl(), maxsize=_SOCKETS)
            self._pid = os.getpid()
        return self._pool

    def close(self) -> None:
        """Close this process's connections."""
        if self._pool is not None and self._pid == os.getpid():
            self._pool.close()
        self._pool = None


def _judged(status: int, told: Mapping[str, str], answer: bytes) -> dict[str, Any]:
    if status == 200:
        document = _parsed(answer)
        if document is None:
            raise Unanswered("the model's server answers with something else than JSON", was_sent=True)
        return document
    if status == 429:
        raise Slowed("the model's server asks to slow down", wait=_wait(told))
    part = _part(answer)
    if status >= 500 and part == FORMAT:  # llama.cpp's Python server: its check of the request fails so
        raise Rejected(f"the model's server will not have the request (status {status})", part=part)
    if status >= 500 or status in {408, 409, 425}:
        raise Unanswered(f"the model's server fails with status {status}", wait=_wait(told))
    if status in {401, 402, 403}:
        raise Unusable(f"the model's server refuses this key (status {status})")
    if status in {404, 405, 410}:
        raise Unusable(f"the model's server knows no such model or path (status {status})")
    if status < 400:
        raise Unusable(f"the model's server answers with status {status}; it is not followed elsewhere")
    raise Rejected(f"the model's server will not have the request (status {status})", part=part)


def _part(answer: bytes) -> str:
    """The rejected field that an error names, as OpenAI's `param`; for the format also in other words."""
    error = (_parsed(answer) or {}).get("error")
    named = error.get("param") if isinstance(error, dict) else None
    if isinstance(named, str) and named:
        return named.partition(".")[0]
    return FORMAT if FORMAT.encode() in answer[:_LONGEST_ERROR] else ""


def _parsed(answer: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(answer)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _wait(told: Mapping[str, str]) -> float | None:
    asked = retry_after.seconds(told.get("retry-after", ""), datetime.now(UTC))
    return None if asked is None else min(asked, _LONGEST_WAIT)
