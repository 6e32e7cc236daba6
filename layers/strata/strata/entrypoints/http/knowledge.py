"""Knowledge about people: their profiles (agtOS)."""

from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body

from strata.domain.errors import InvalidRequest
from strata.domain.scope import READ, WRITE, Scope
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.domain.wire.exact_json import to_text
from strata.domain.wire.profiles import ProfileAnswer, ProfileChange, ProfileUpdated
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.parameters import IdentQuery, OneUserQuery, ProjectQuery
from strata.entrypoints.http.api.requests import JSON
from strata.entrypoints.observing import Observing
from strata.services.knowledge.profile import Profiles


def knowledge_handler(identify: Caller, observing: Observing, profiles: Profiles) -> Handler:
    """Routes to read and change what is known about a person."""
    api = Api(identify, observing)

    @api.route("GET", "/api/memory/profile", READ, answer=ProfileAnswer)
    def get_profile(
        caller: Scope,
        user_id: OneUserQuery = None,
        agent_id: IdentQuery = None,
        project: ProjectQuery = None,
    ) -> Response[str]:
        """A person's profile, and where each of its values is from; null and empty where nothing is known."""
        found = profiles.get(caller, _user(caller, user_id), agent_id, project)
        known = {
            name: [each.model_dump(exclude_none=True) for each in every]
            for name, every in found.provenance.items()
        }
        return Response(200, JSON, to_text({"profile": found.profile.model_dump(), "provenance": known}))

    @api.route("PUT", "/api/memory/profile", WRITE, answer=ProfileUpdated)
    def put_profile(
        caller: Scope, change: Annotated[ProfileChange, Body()], user_id: OneUserQuery = None
    ) -> ProfileUpdated:
        """Change the named fields of a person's profile; null takes a value away."""
        named = {user_id, change.userId} - {None}
        if len(named) > 1:
            raise InvalidRequest.of("userId", "is another user in the query than in the body")
        return ProfileUpdated(updated=profiles.put(caller, _user(caller, *named), change))

    return api


def _user(caller: Scope, named: str | None = None) -> str:
    return named or caller.identity or DEFAULT_OWNER
