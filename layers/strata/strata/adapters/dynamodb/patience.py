"""Retries of DynamoDB calls, and the mapping of their failures to our errors.

botocore's own retries are off: they do not handle transactions, and would repeat an addition whose response
was lost.
"""

import time
from collections.abc import Callable
from enum import Enum, auto
from typing import TypeVar

from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    HTTPClientError,
    ReadTimeoutError,
)
from botocore.exceptions import ConnectionError as NoConnection
from botocore.parsers import ResponseParserError

from strata.adapters.circuit import Circuit
from strata.adapters.patience import Patience, Sleep
from strata.domain.errors import Throttled, Unavailable

T = TypeVar("T")

_THROTTLING = {
    "ProvisionedThroughputExceededException",
    "ProvisionedThroughputExceeded",
    "RequestLimitExceeded",
    "Throttling",
    "ThrottlingError",
    "ThrottlingException",
    "LimitExceededException",
}
_CONFLICT = {"TransactionConflictException", "TransactionConflict", "TransactionInProgressException"}
CANCELED = "TransactionCanceledException"
_SERVER_ERROR = 500
_WITHOUT_ANSWER = (NoConnection, HTTPClientError, ResponseParserError)


class Trouble(Enum):
    """The reason for a failure, as far as retries are concerned."""

    THROTTLED = auto()
    """Nothing was written."""
    CONFLICT = auto()
    """Another transaction holds a row; nothing was written."""
    UNSENT = auto()
    """There was no connection; nothing was written."""
    UNKNOWN = auto()
    """The response was lost: a write may have happened."""


class TablePatience(Patience):
    """Retries calls of botocore until a deadline.

    Args:
        seconds: limit for starting attempts.
        throttled: a lower one after an attempt that was throttled; the same where it is None.
        circuit: refuses calls, before anything is sent, for a while after the store did not answer one.
        sleep, clock: wait between the attempts, and tell how long it took.
    """

    def __init__(
        self,
        seconds: float,
        throttled: float | None = None,
        *,
        circuit: Circuit | None = None,
        sleep: Sleep = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._circuit = circuit or Circuit(0)
        super().__init__(seconds, sleep=sleep, clock=clock)
        self._sooner = 0 if throttled is None else seconds - throttled

    def wait_throttled(self) -> bool:
        """Sleep before the next attempt after the table asked to slow down; False if the time is up."""
        return self.wait(sooner=self._sooner)

    def call(self, send: Callable[[], T], *, repeatable: bool) -> T:
        """The result of `send`, retried on transient failures.

        `repeatable` marks an idempotent call. A store that does not respond is retried at most once.

        The circuit opens when that attempt has no answer, too, or when no connection can be made: one that is
        broken says nothing of the others. A read timeout without a second attempt, because the write may
        not be repeated or the time is up, opens it if the call before, of any thread, ended so, and nothing
        was answered since. How long it waited does not matter: a lost connection is waited for as
        long as a store that hangs.

        Raises:
            Throttled, Unavailable: the time is up, or the store cannot be reached.
            ClientError, BotoCoreError: failures that a retry would not fix.
        """
        self._circuit.admit()
        silent = unanswered = 0
        while True:
            try:
                return self._answered(send)
            except (ClientError, BotoCoreError, ResponseParserError) as error:
                trouble = trouble_of(error)
                if trouble is None:
                    raise
                unanswered = unanswered + 1 if isinstance(error, _WITHOUT_ANSWER) else 0
                if trouble in (Trouble.UNSENT, Trouble.UNKNOWN):
                    silent += 1
                    again = silent == 1 and self.is_fresh() and (repeatable or trouble is Trouble.UNSENT)
                else:
                    again = True
                wait = self.wait_throttled if trouble is Trouble.THROTTLED else self.wait
                if not again or not wait():
                    self._fail(error, unanswered)
                    raise _given_up(trouble) from error

    def _fail(self, error: Exception, unanswered: int) -> None:
        """Tell the circuit of a call that ends with this error after so many attempts without an answer."""
        if not isinstance(error, NoConnection | ReadTimeoutError):
            return
        if unanswered > 1 or isinstance(error, ConnectTimeoutError | EndpointConnectionError):
            self._circuit.failed()
        elif isinstance(error, ReadTimeoutError):
            self._circuit.doubted()

    def _answered(self, send: Callable[[], T]) -> T:
        """The result of one attempt. Any answer closes the circuit, also one that refuses."""
        try:
            result = send()
        except Exception as error:
            if not isinstance(error, _WITHOUT_ANSWER):
                self._circuit.succeeded()
            raise
        self._circuit.succeeded()
        return result


def trouble_of(error: Exception) -> Trouble | None:
    """The kind of a failure; None for those that a retry would not fix."""
    if isinstance(error, NoConnection):
        return Trouble.UNSENT
    if isinstance(error, HTTPClientError | ResponseParserError):
        return Trouble.UNKNOWN
    if not isinstance(error, ClientError):
        return None
    code = error_code(error)
    codes = cancellation_codes(error) if code == CANCELED else {code}
    if codes & _THROTTLING:
        return Trouble.THROTTLED
    if codes & _CONFLICT:
        return Trouble.CONFLICT
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
    return Trouble.UNKNOWN if status >= _SERVER_ERROR else None


def error_code(error: ClientError) -> str:
    """DynamoDB's name of the error."""
    return str(error.response.get("Error", {}).get("Code", ""))


def cancellation_codes(error: ClientError) -> set[str]:
    """The cancellation codes of a transaction's parts."""
    reasons: list[dict[str, str]] = error.response.get("CancellationReasons", [])
    return {reason.get("Code", "None") for reason in reasons} - {"None"}


def _given_up(trouble: Trouble) -> Unavailable:
    match trouble:
        case Trouble.THROTTLED:
            return Throttled("the table asks to slow down")
        case Trouble.CONFLICT:
            return Unavailable("the rows are being written by others; try again")
        case Trouble.UNSENT:
            return Unavailable("the table can't be reached")
        case Trouble.UNKNOWN:
            return Unavailable("the table did not answer")
