"""People's rights under the GDPR: consent, access and erasure."""

from typing import Annotated, Any

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query

from strata.domain.scope import ADMIN, READ, WRITE, Scope
from strata.domain.wire.consent import Consent, ConsentChange
from strata.domain.wire.erasures import Erasure, ErasureStarted, PersonalData
from strata.domain.wire.exact_json import to_text
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.identity import named_by
from strata.entrypoints.http.api.parameters import IdentPath
from strata.entrypoints.http.api.requests import JSON
from strata.entrypoints.observing import Observing
from strata.services.people.consent import Consents
from strata.services.privacy.access import Access
from strata.services.privacy.erasure.jobs import Erasures


def privacy_handler(
    identify: Caller, observing: Observing, consents: Consents, erasures: Erasures, access: Access
) -> Handler:
    """Routes for consent, access and erasure."""
    api = Api(identify, observing)

    @api.route("GET", "/api/rgpd/users/<externalRef>/consent", READ, answer=Consent)
    def get_consent(caller: Scope, externalRef: IdentPath) -> Consent:
        """A person's consent, with its history."""
        return consents.get(caller, externalRef)

    @api.route("PUT", "/api/rgpd/users/<externalRef>/consent", WRITE, answer=Consent)
    def put_consent(
        caller: Scope, externalRef: IdentPath, change: Annotated[ConsentChange, Body()]
    ) -> Consent:
        """Record a person's consent; it applies to every agent, and to work that is queued already."""
        by = named_by(caller, api.resolver.current_event.raw_event)
        return consents.put(caller, externalRef, change, by)

    @api.route("GET", "/api/rgpd/users/<externalRef>/ai-data", ADMIN, answer=PersonalData)
    def get_personal_data(
        caller: Scope, externalRef: IdentPath, cursor: Annotated[str | None, Query(max_length=8000)] = None
    ) -> Response[Any]:
        """A page of everything that is stored about a person; `next` is the cursor of the following page."""
        page = access.page(caller, externalRef, cursor)
        # Events and working memories may hold what pydantic does not write: a lone surrogate.
        return Response(200, JSON, to_text(page.model_dump(exclude_none=True)))

    @api.route("DELETE", "/api/rgpd/users/<externalRef>/ai-data", ADMIN, answer=ErasureStarted, status=202)
    def erase_personal_data(caller: Scope, externalRef: IdentPath) -> ErasureStarted:
        """Start a job that erases everything that is stored about a person."""
        return erasures.begin(caller, externalRef)

    @api.route("GET", "/api/rgpd/erasures/<erasure_id>", ADMIN, answer=Erasure, errors=(404,))
    def get_erasure(caller: Scope, erasure_id: IdentPath) -> Erasure:
        """The progress of an erasure, and the receipt when it is complete."""
        return erasures.get(caller, erasure_id)

    return api
