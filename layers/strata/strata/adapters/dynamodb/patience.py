"""When a call is tried again, for how long, and which of our errors it ends in.

botocore's own retries are off: they don't know transactions, and would repeat an addition whose answer was
lost.
"""

from collections.abc import Callable
from enum import Enum, auto
from typing import TypeVar

from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError
from botocore.exceptions import ConnectionError as NoConnection
from botocore.parsers import ResponseParserError

from strata.adapters.patience import Patience
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
_CANCELED = "TransactionCanceledException"
_SERVER_ERROR = 500


class Trouble(Enum):
    """Why a call failed, as far as trying again is concerned."""

    THROTTLED = auto()
    """Nothing was written."""
    CONFLICT = auto()
    """Another transaction holds a row; nothing was written."""
    UNSENT = auto()
    """No connection; nothing was written."""
    UNKNOWN = auto()
    """The answer was lost: a write may have happened."""


class TablePatience(Patience):
    """Tries calls of botocore again, in the time that there is."""

    def call(self, send: Callable[[], T], *, repeatable: bool) -> T:
        """What `send` returns, tried until it does.

        `repeatable` says that doing it twice is as good as once. A store that does not answer is asked once
        more at most.

        Raises:
            Throttled, Unavailable: the time is up, or the store can't be reached.
            ClientError, BotoCoreError: what trying again would not mend.
        """
        silent = 0
        while True:
            try:
                return send()
            except (ClientError, BotoCoreError, ResponseParserError) as error:
                trouble = trouble_of(error)
                if trouble is None:
                    raise
                if trouble in (Trouble.UNSENT, Trouble.UNKNOWN):
                    silent += 1
                    again = silent == 1 and self.is_fresh() and (repeatable or trouble is Trouble.UNSENT)
                else:
                    again = True
                if not again or not self.wait():
                    raise _given_up(trouble) from error


def trouble_of(error: Exception) -> Trouble | None:
    """What kind of failure it is; None for those that trying again would not mend."""
    if isinstance(error, NoConnection):
        return Trouble.UNSENT
    if isinstance(error, HTTPClientError | ResponseParserError):
        return Trouble.UNKNOWN
    if not isinstance(error, ClientError):
        return None
    code = error_code(error)
    codes = cancellation_codes(error) if code == _CANCELED else {code}
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
    """Why the parts of a transaction were refused."""
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
