"""Bulk writes of documents, each of which may succeed, fail, or be retried."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from strata.adapters.opensearch.connection import Connection, compact
from strata.adapters.opensearch.dialect import Dialect
from strata.adapters.opensearch.errors import Missing, UnusableEndpoint, blocked, refused_credentials
from strata.adapters.patience import Patience, Sleep
from strata.domain.errors import Throttled, Unavailable
from strata.domain.faults import reason as described
from strata.ports.search import DocumentsRefused

CHUNK_BYTES = 4 * 1024 * 1024
"""Size of one request. The smallest managed domains accept 10 MB."""
CHUNK_DOCUMENTS = 500

_FIRST_WAIT, _WAIT_EACH = 2.0, 0.02
"""Seconds to wait for a response: a minimum, and more for each document."""

NO_CUSTOM_IDS = (
    "this serverless collection takes no document ids of one's own, so nothing in it could be replaced or"
    " deleted: make a NextGen collection of type VECTORSEARCH, or use a managed domain"
)

_log = logging.getLogger(__name__)

_DENIED = {401, 403}
_MOST_DENIED = 1000
_AGAIN = {409, 429, 500, 502, 503, 504}
_FIRST_PAUSE, _LONGEST_PAUSE = 0.1, 2.0


@dataclass(frozen=True, slots=True)
class Operation:
    """Index `source` as `id`, or delete `id` without one. `key` is the document's, for messages."""

    key: str
    id: str
    source: dict[str, Any] | None = None


class Bulk:
    """Sends operations in chunks and retries those that the engine throttles.

    Args:
        seconds: time limit of one call.
        clock, sleep: a monotonic clock in seconds, and a pause; tests pass their own.
    """

    def __init__(
        self,
        connection: Connection,
        dialect: Dialect,
        *,
        seconds: float = 10.0,
        clock: Callable[[], float] = time.monotonic,
        sleep: Sleep = time.sleep,
    ) -> None:
        self._connection = connection
        self._dialect = dialect
        self._seconds = seconds
        self._clock = clock
        self._sleep = sleep
        self._denied: set[str] = set()
        """Ids of documents that were denied beside others that were not."""

    def send(self, index: str, tenant: str, operations: Sequence[Operation]) -> None:
        """Write all documents that the engine accepts, then report the others.

        Where it fails in the middle, those that were refused before are logged.

        Raises:
            DocumentsRefused: the engine rejects some for their content; all others are written.
            Unavailable, Throttled: the time is up; any part may be written.
            Missing: there is no such index or alias.
            Blocked: the index takes no writes; any part may be written.
            UnusableEndpoint: the endpoint accepts no ids, or not these credentials.
        """
        deadline = self._clock() + self._seconds
        refused: dict[str, str] = {}
        try:
            for chunk in _chunks([(each, self._lines(each, tenant)) for each in operations]):
                self._send_chunk(index, chunk, deadline, refused)
        except Unavailable:
            if refused:
                _log.warning(
                    "%d documents of a write that fails are refused, too: %s",
                    len(refused),
                    described(DocumentsRefused(refused)),
                )
            raise
        if refused:
            raise DocumentsRefused(refused)

    def _lines(self, operation: Operation, tenant: str) -> str:
        about = {"_id": operation.id, **({"routing": tenant} if self._dialect.routing else {})}
        if operation.source is None:
            return compact({"delete": about})
        return f"{compact({'index': about})}\n{compact(operation.source)}"

    def _send_chunk(
        self, index: str, chunk: list[tuple[Operation, str]], deadline: float, refused: dict[str, str]
    ) -> None:
        left = deadline - self._clock()
        patience = Patience(left, _FIRST_PAUSE, _LONGEST_PAUSE, sleep=self._sleep, clock=self._clock)
        while True:
            failure: Unavailable = Throttled("the search engine asks to slow down")
            try:
                chunk = self._attempt(index, chunk, patience.left, refused)
            except UnusableEndpoint:
                raise
            except Unavailable as error:
                failure = error
            if not chunk:
                return
            if not isinstance(failure, Throttled) or not patience.wait():
                raise failure

    def _attempt(
        self, index: str, chunk: list[tuple[Operation, str]], left: float, refused: dict[str, str]
    ) -> list[tuple[Operation, str]]:
        """Send a chunk; return the operations to retry, and add the rejected ones to `refused`."""
        params: dict[str, str] = {}
        if self._dialect.refresh:
            params["refresh"] = self._dialect.refresh
        if self._dialect.require_alias:
            params["require_alias"] = "true"
        answer = self._connection.request(
            "POST",
            f"/{index}/_bulk",
            "".join(f"{lines}\n" for _, lines in chunk),
            params=params,
            timeout=max(min(left, _FIRST_WAIT + len(chunk) * _WAIT_EACH), _FIRST_PAUSE),
        )
        try:
            results = [next(iter(item.values())) for item in answer["items"]]
            if not answer["errors"]:
                return []
            outcomes = [_outcome(result) for result in results]
        except (AttributeError, KeyError, StopIteration, TypeError) as error:
            raise Unavailable("the search engine's answer to a write is not one of OpenSearch's") from error
        self._note_denied([each.id for each, _ in chunk], outcomes)
        again = []
        for sent, outcome in zip(chunk, outcomes, strict=True):
            if outcome is _Again:
                again.append(sent)
            elif isinstance(outcome, _Denied):
                refused[sent[0].key] = outcome.told
            elif isinstance(outcome, str):
                refused[sent[0].key] = outcome
        if failure := next((each for each in outcomes if isinstance(each, Unavailable)), None):
            raise failure
        return again

    def _note_denied(self, ids: Sequence[str], outcomes: Sequence["_Outcome"]) -> None:
        """Remember the documents that are denied beside others: sent alone, they are to blame then, too.

        Raises:
            UnusableEndpoint: every one is denied: the credentials are to blame.
        """
        denied = {name: each for name, each in zip(ids, outcomes, strict=True) if isinstance(each, _Denied)}
        if len(denied) < len(ids):
            self._denied |= denied.keys()
            if len(self._denied) > _MOST_DENIED:
                self._denied = {*denied}
        elif not self._denied.issuperset(denied):
            raise refused_credentials(next(iter(denied.values())).status)


class _Again:
    """The outcome of an operation that was throttled or timed out."""


@dataclass(frozen=True, slots=True)
class _Denied:
    """The outcome of an operation that these credentials may not do: status, and the engine's reason."""

    status: int
    told: str


_Outcome = str | type[_Again] | _Denied | Unavailable | None


def _outcome(result: dict[str, Any]) -> _Outcome:
    """None when it is done, `_Again` when it should be retried, else the reason for its rejection.

    It is an error where no document is to blame: each of them would be refused alike.
    """
    error = result.get("error")
    if error is None:
        return None  # deleting what is not there is a 404 without an error
    kind, reason = str(error.get("type")), str(error.get("reason"))
    if kind == "index_not_found_exception" or "require_alias" in reason:
        return Missing(reason)
    if "Document ID is not supported" in reason:
        return UnusableEndpoint(NO_CUSTOM_IDS)
    status = result["status"]
    if block := blocked(status, kind, reason):
        return block
    if status in _AGAIN:
        return _Again
    cause = error.get("caused_by") or {}
    told = f"{kind}: {cause.get('reason') or reason}"
    return _Denied(status, told) if status in _DENIED else told


def _chunks(operations: Sequence[tuple[Operation, str]]) -> Iterator[list[tuple[Operation, str]]]:
    chunk: list[tuple[Operation, str]] = []
    size = 0
    for operation, lines in operations:
        if chunk and (size + len(lines) > CHUNK_BYTES or len(chunk) == CHUNK_DOCUMENTS):
            yield chunk
            chunk, size = [], 0
        chunk.append((operation, lines))
        size += len(lines)
    if chunk:
        yield chunk
