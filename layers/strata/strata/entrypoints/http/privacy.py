"""People's rights: what they agree to."""

from typing import Annotated

from aws_lambda_powertools.event_handler.openapi.params import Body

from strata.domain.consent import Consent, ConsentChange
from strata.domain.scope import READ, WRITE, Scope
from strata.entrypoints.http.api import Api, Caller, Handler
from strata.entrypoints.http.identity import named_by
from strata.entrypoints.http.parameters import IdentPath
from strata.entrypoints.observing import Observing
from strata.services.consents import Consents


def privacy_handler(identify: Caller, observing: Observing, consents: Consents) -> Handler:
    """Consent of people."""
    api = Api(identify, observing)

    @api.route("GET", "/api/rgpd/users/<externalRef>/consent", READ, answer=Consent)
    def get_consent(caller: Scope, externalRef: IdentPath) -> Consent:
        """What a person agrees to, with the history of it."""
        return consents.get(caller, externalRef)

    @api.route("PUT", "/api/rgpd/users/<externalRef>/consent", WRITE, answer=Consent)
    def put_consent(
        caller: Scope,
        externalRef: IdentPath,
        change: Annotated[ConsentChange, Body()],
    ) -> Consent:
        """Take down what a person says; it holds for every agent, also for what is queued already."""
        by = named_by(caller, api.resolver.current_event.raw_event)
        return consents.put(caller, externalRef, change, by)

    return api
