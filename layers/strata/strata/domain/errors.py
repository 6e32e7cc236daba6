"""Every error that Strata raises on purpose.

    StrataError
    ├── InvalidRequest        400  invalid_request   one or more fields are wrong; `details` names each
    ├── Unauthenticated       401  unauthenticated
    ├── Forbidden             403  forbidden
    ├── NotFound              404  not_found         unknown, or another tenant's: the two look the same
    ├── Conflict              409  conflict          a write met a newer one and retries did not settle it
    │   ├── DuplicateContent  409  duplicate_content the change would make a second row of one content
    │   ├── SwitchedOff       409  switched_off      this work is switched off in this deployment
    │   └── OwnedByAnother    409  owned_by_another  the session belongs to another user
    ├── TooLarge              413  too_large
    ├── UnsupportedMedia      415  unsupported_media_type
    ├── ModelFailed           502  model_failed      a model answers, but not with what was asked for
    └── Unavailable           503  unavailable       a store does not answer; try again after `retry_after`
        ├── NewerRow          503  newer_row         a newer version of Strata wrote what is read here
        └── Throttled         429  throttled
            └── BudgetSpent   429  budget_spent      the tenant's models have cost what they may in a day

The entry points map the class to a status; the `code` is part of the contract and never changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class FieldProblem:
    """One wrong field: its name as the caller wrote it, and one sentence."""

    field: str
    message: str


class StrataError(Exception):
    """Base of every deliberate error; `message` is one clear sentence for the caller."""

    code: ClassVar[str] = "internal_error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidRequest(StrataError):
    """The request breaks a rule; `details` names every field at once."""

    code = "invalid_request"

    def __init__(self, message: str, details: Sequence[FieldProblem] = ()) -> None:
        super().__init__(message)
        self.details = tuple(details)

    @classmethod
    def of(cls, field: str, message: str) -> "InvalidRequest":
        """The error for one wrong field."""
        return cls(f"{field}: {message}", (FieldProblem(field, message),))


class Unauthenticated(StrataError):
    """No credentials, or unknown ones."""

    code = "unauthenticated"


class Forbidden(StrataError):
    """Known credentials that may not do this."""

    code = "forbidden"


class NotFound(StrataError):
    """Unknown, expired, deleted, or of another tenant."""

    code = "not_found"


class Conflict(StrataError):
    """A concurrent write won and retries did not settle it."""

    code = "conflict"


class DuplicateContent(Conflict):
    """The change would make a second row of one content."""

    code = "duplicate_content"


class OwnedByAnother(Conflict):
    """A session or conversation already belongs to another user."""

    code = "owned_by_another"


class SwitchedOff(Conflict):
    """The work that was asked for is switched off in this deployment."""

    code = "switched_off"


class TooLarge(StrataError):
    """A body or a stored whole exceeds its limit."""

    code = "too_large"


class UnsupportedMedia(StrataError):
    """A body that is not JSON."""

    code = "unsupported_media_type"


class ModelFailed(StrataError):
    """A model refuses, or answers something else than was asked for; asking again as it was is no use."""

    code = "model_failed"


class Unavailable(StrataError):
    """A store does not answer; `retry_after` is in seconds."""

    code = "unavailable"

    def __init__(self, message: str, *, retry_after: int = 1) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NewerRow(Unavailable):
    """A newer version of Strata wrote a row that this one can't read. The next try may meet the newer one."""

    code = "newer_row"


class Throttled(Unavailable):
    """A store or a limit asks to slow down."""

    code = "throttled"


class BudgetSpent(Throttled):
    """What a tenant's models may cost in a day is spent."""

    code = "budget_spent"
