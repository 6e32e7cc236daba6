"""The audit log of consent, and the data processing agreement, as they go over the wire (Fyso)."""

from typing import Any, Literal

from strata.domain.wire.base import Wire

Event = Literal["consent_given", "consent_refused", "data_suppressed", "dpa_accepted"]


class AuditEntry(Wire):
    """An entry of the audit log: an event about a person or the tenant, its author and time (RFC 3339).

    `externalRef` is absent where nobody is concerned; once the person was erased it is the `subject` of the
    erasure's receipt.
    """

    id: str
    event: Event
    externalRef: str | None = None  # noqa: N815 - the wire's own name
    actorId: str  # noqa: N815
    metadata: dict[str, Any]
    createdAt: str  # noqa: N815


class DpaAccepted(Wire):
    """The acceptance of the data processing agreement: the time (RFC 3339 UTC), and the caller."""

    dpaAcceptedAt: str  # noqa: N815
    dpaAcceptedBy: str  # noqa: N815


class DpaStatus(Wire):
    """Whether, when and by whom the data processing agreement was accepted."""

    accepted: bool
    acceptedAt: str | None = None  # noqa: N815
    acceptedBy: str | None = None  # noqa: N815
