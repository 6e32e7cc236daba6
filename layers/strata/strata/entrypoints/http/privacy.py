"""People's rights under the GDPR: consent, access and erasure."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from strata.domain.scope import ADMIN, READ, WRITE, Scope
from strata.domain.wire.audit import AuditEntry, DpaAccepted, DpaStatus
from strata.domain.wire.consent import Consent, ConsentChange, SessionConsent, SessionConsentChange
from strata.domain.wire.erasures import Erasure, ErasureStarted, PersonalData
from strata.domain.wire.exact_json import to_text
from strata.domain.wire.fields import MAX_ROWS, Clamped, OptionalLabel
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.identity import named_by
from strata.entrypoints.http.api.parameters import IdentPath, IdentQuery, NewIdentPath
from strata.entrypoints.http.api.requests import JSON
from strata.entrypoints.observing import Observing
from strata.services.people.agreement import Agreements
from strata.services.people.audit import AuditLog
from strata.services.people.consent import Consents
from strata.services.people.session_consent import SessionConsents
from strata.services.privacy.access import Access
from strata.services.privacy.erasure.jobs import Erasures


def privacy_handler(
    identify: Caller,
    observing: Observing,
    consents: Consents,
    erasures: Erasures,
    access: Access,
    session_consents: SessionConsents,
    audit: AuditLog,
    agreements: Agreements,
) -> Handler:
    """Routes for consent, access, erasure, and what is recorded about them."""
    api = Api(identify, observing)

    def by(caller: Scope) -> str:
        return named_by(caller, api.resolver.current_event.raw_event)

    @api.route("GET", "/api/rgpd/users/<externalRef>/consent", READ, answer=Consent)
    def get_consent(caller: Scope, externalRef: IdentPath) -> Consent:
        """A person's consent, with its history."""
        return consents.get(caller, externalRef)

    @api.route("PUT", "/api/rgpd/users/<externalRef>/consent", WRITE, answer=Consent)
    def put_consent(
        caller: Scope, externalRef: IdentPath, change: Annotated[ConsentChange, Body()]
    ) -> Consent:
        """Record a person's consent; it applies to every agent, and to work that is queued already."""
        return consents.put(caller, externalRef, change, by(caller))

    @api.route("POST", "/api/rgpd/sessions/<sessionId>/consent", WRITE, answer=SessionConsent)
    def put_session_consent(
        caller: Scope, sessionId: NewIdentPath, change: Annotated[SessionConsentChange, Body()]
    ) -> SessionConsent:
        """Record the consent of a session's person for that session; false: nothing is learnt from it."""
        return session_consents.put(caller, sessionId, change.allowed, by(caller))

    @api.route("GET", "/api/rgpd/audit-log", ADMIN, answer=list[AuditEntry])
    def list_audit_log(
        caller: Scope,
        external_ref: IdentQuery = None,
        limit: Annotated[int, Clamped(MAX_ROWS), Query()] = 50,
    ) -> list[AuditEntry]:
        """Recorded consents, erasures and agreements, newest first; of one person where one is named."""
        return audit.listed(caller, external_ref, limit)

    @api.route("POST", "/api/auth/tenants/<id>/dpa-accept", ADMIN, answer=DpaAccepted, errors=(404,))
    def accept_dpa(caller: Scope, id: IdentPath) -> DpaAccepted:
        """Accept the data processing agreement for the caller's own tenant; the first acceptance stands."""
        return agreements.accept(caller, id, by(caller))

    @api.route("GET", "/api/auth/tenants/<id>/dpa-status", READ, answer=DpaStatus, errors=(404,))
    def get_dpa_status(caller: Scope, id: IdentPath) -> Response[Any]:
        """Whether the data processing agreement was accepted for the caller's own tenant."""
        return Response(200, JSON, agreements.status(caller, id).model_dump_json())

    @api.route("GET", "/api/rgpd/users/<externalRef>/ai-data", ADMIN, answer=PersonalData)
    def get_personal_data(
        caller: Scope, externalRef: IdentPath, cursor: Annotated[str | None, Query(max_length=8000)] = None
    ) -> Response[Any]:
        """A page of everything that is stored about a person; `next` is the cursor of the following page."""
        page = access.page(caller, externalRef, cursor)
        # Events and working memories may hold what pydantic does not write: a lone surrogate.
        return Response(200, JSON, to_text(page.model_dump(exclude_none=True)))

    @api.route("DELETE", "/api/rgpd/users/<externalRef>/ai-data", ADMIN, answer=ErasureStarted, status=202)
    def erase_personal_data(
        caller: Scope, externalRef: IdentPath, external_type: Annotated[OptionalLabel, Query()] = None
    ) -> ErasureStarted:
        """Start a job that erases everything stored about a person, or what came by one channel."""
        return erasures.begin(caller, externalRef, by(caller), external_type)

    @api.route("GET", "/api/rgpd/erasures/<erasure_id>", ADMIN, answer=Erasure, errors=(404,))
    def get_erasure(caller: Scope, erasure_id: IdentPath) -> Erasure:
        """The progress of an erasure, and the receipt when it is complete."""
        return erasures.get(caller, erasure_id)

    return api
