"""Consent, access to personal data, and erasure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from strata.client.call import Call, enveloped, model
from strata.client.calls.parts import Later, fields, params, path

if TYPE_CHECKING:
    from strata.domain.wire import audit, erasures
    from strata.domain.wire import consent as consents
else:
    audit = Later("strata.domain.wire.audit")
    consents = Later("strata.domain.wire.consent")
    erasures = Later("strata.domain.wire.erasures")


def get_consent(user_id: str) -> Call[consents.Consent]:
    """A person's consent, with its history. `GET /api/rgpd/users/{externalRef}/consent`."""
    where = path("/api/rgpd/users/{}/consent", user_id)
    return Call("GET", where, enveloped(model(lambda: consents.Consent)))


def put_consent(
    user_id: str, ai_consent: bool | None = None, *, persist: bool | None = None, erase: bool | None = None
) -> Call[consents.Consent]:
    """Record a person's consent; `erase` removes what was learnt about a person who refuses.

    `PUT /api/rgpd/users/{externalRef}/consent`.
    """
    body = fields(ai_consent=ai_consent, persist=persist, erase=erase)
    where = path("/api/rgpd/users/{}/consent", user_id)
    return Call("PUT", where, enveloped(model(lambda: consents.Consent)), body=body)


def put_session_consent(session_id: str, consent: bool) -> Call[consents.SessionConsent]:
    """Record the consent of a session's person for that session; False: nothing is learnt from it.

    `POST /api/rgpd/sessions/{sessionId}/consent`.
    """
    where = path("/api/rgpd/sessions/{}/consent", session_id)
    return Call("POST", where, enveloped(model(lambda: consents.SessionConsent)), body={"consent": consent})


def audit_log(user_id: str | None = None, *, limit: int | None = None) -> Call[list[audit.AuditEntry]]:
    """Recorded consents, erasures and agreements, newest first; of one person where one is named.

    `GET /api/rgpd/audit-log`.
    """
    asked = params(external_ref=user_id, limit=limit)
    return Call("GET", "/api/rgpd/audit-log", enveloped(model(lambda: list[audit.AuditEntry])), asked)


def accept_dpa(tenant: str) -> Call[audit.DpaAccepted]:
    """Accept the data processing agreement for the caller's own tenant; the first acceptance stands.

    `POST /api/auth/tenants/{id}/dpa-accept`.
    """
    where = path("/api/auth/tenants/{}/dpa-accept", tenant)
    return Call("POST", where, enveloped(model(lambda: audit.DpaAccepted)))


def dpa_status(tenant: str) -> Call[audit.DpaStatus]:
    """Whether the data processing agreement was accepted for the caller's own tenant.

    `GET /api/auth/tenants/{id}/dpa-status`.
    """
    where = path("/api/auth/tenants/{}/dpa-status", tenant)
    return Call("GET", where, enveloped(model(lambda: audit.DpaStatus)))


def personal_data(user_id: str, *, cursor: str | None = None) -> Call[erasures.PersonalData]:
    """A page of everything that is stored about a person; `next` is the cursor of the following page.

    `GET /api/rgpd/users/{externalRef}/ai-data`.
    """
    where = path("/api/rgpd/users/{}/ai-data", user_id)
    return Call("GET", where, enveloped(model(lambda: erasures.PersonalData)), params(cursor=cursor))


def erase_personal_data(user_id: str, *, external_type: str | None = None) -> Call[erasures.ErasureStarted]:
    """Start erasing everything that is stored about a person, or what their sessions on one channel hold.

    `erasure` returns the progress.

    `DELETE /api/rgpd/users/{externalRef}/ai-data`.
    """
    where = path("/api/rgpd/users/{}/ai-data", user_id)
    asked = params(external_type=external_type)
    return Call("DELETE", where, enveloped(model(lambda: erasures.ErasureStarted)), asked)


def erasure(erasure_id: str) -> Call[erasures.Erasure]:
    """The progress of an erasure, and the receipt when it is complete.

    `GET /api/rgpd/erasures/{erasure_id}`.
    """
    return Call("GET", path("/api/rgpd/erasures/{}", erasure_id), enveloped(model(lambda: erasures.Erasure)))
