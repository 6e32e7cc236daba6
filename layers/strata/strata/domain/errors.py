"""The errors that Strata raises on purpose.

    StrataError
    ├── InvalidRequest        400  invalid_request   one or more fields are wrong; `details` names each
    ├── Unauthenticated       401  unauthenticated
    ├── Forbidden             403  forbidden
    │   └── AgreementMissing  403  agreement_missing the tenant has not accepted what models are asked under
    ├── NotFound              404  not_found         unknown or of another tenant, which look the same
    ├── Conflict              409  conflict          concurrent writes won, and retries are exhausted
    │   ├── DuplicateContent  409  duplicate_content another row has the same content
    │   ├── SwitchedOff       409  switched_off      the deployment has this work disabled
    │   └── OwnedByAnother    409  owned_by_another  the session belongs to another user
    ├── TooLarge              413  too_large
    ├── UnsupportedMedia      415  unsupported_media_type
    ├── ModelFailed           502  model_failed      a model refuses or gives an unusable answer
    └── Unavailable           503  unavailable       a store does not answer; retry after `retry_after`
        ├── NewerRow          503  newer_row         a newer version of Strata wrote the row
        └── Throttled         429  throttled
            ├── LimitReached  429  limit_reached     the tenant stores as much as it may
            └── BudgetSpent   429  budget_spent      the tenant's daily budget for models is spent

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

    def __init_subclass__(cls, code: str = "") -> None:
        cls.code = code or cls.code

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidRequest(StrataError, code="invalid_request"):
    """The request breaks a rule; `details` names every field at once."""

    def __init__(self, message: str, details: Sequence[FieldProblem] = ()) -> None:
        super().__init__(message)
        self.details = tuple(details)

    @classmethod
    def of(cls, field: str, message: str) -> "InvalidRequest":
        """The error for one wrong field."""
        return cls(f"{field}: {message}", (FieldProblem(field, message),))


class Unauthenticated(StrataError, code="unauthenticated"):
    """No credentials, or unknown ones."""


class Forbidden(StrataError, code="forbidden"):
    """Known credentials that may not do this."""


class AgreementMissing(Forbidden, code="agreement_missing"):
    """The tenant has not accepted the data processing agreement, which the deployment requires."""


class NotFound(StrataError, code="not_found"):
    """Unknown, expired, deleted, or of another tenant."""


class Conflict(StrataError, code="conflict"):
    """Concurrent writes won, and retries are exhausted."""


class DuplicateContent(Conflict, code="duplicate_content"):
    """Another row has the same content."""


class OwnedByAnother(Conflict, code="owned_by_another"):
    """The session or conversation belongs to another user."""


class SwitchedOff(Conflict, code="switched_off"):
    """The deployment has this work disabled."""


class TooLarge(StrataError, code="too_large"):
    """A body or a stored value exceeds its limit."""


class UnsupportedMedia(StrataError, code="unsupported_media_type"):
    """A body that is not JSON."""


class ModelFailed(StrataError, code="model_failed"):
    """A model refuses or gives an unusable answer; the same request would fail again."""


class Unavailable(StrataError, code="unavailable"):
    """A store does not answer; `retry_after` is in seconds."""

    def __init__(self, message: str, *, retry_after: int = 1) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NewerRow(Unavailable, code="newer_row"):
    """A newer version of Strata wrote a row that this one cannot read. A retry may reach the newer one."""


class Throttled(Unavailable, code="throttled"):
    """A store or a rate limit throttles."""


class LimitReached(Throttled, code="limit_reached"):
    """The tenant stores as much as it may; deleting makes room."""


class BudgetSpent(Throttled, code="budget_spent"):
    """The tenant's daily budget for models is spent."""


class Late(Exception):
    """Something that should have taken place is overdue; health says `degraded`, no request fails."""
