"""Knowledge about people: their profiles, and conclusions about them (agtOS)."""

import json
from typing import Annotated, Any, Literal

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Body, Query
from pydantic import FiniteFloat, TypeAdapter, ValidationError

from strata.domain.errors import Conflict, InvalidRequest
from strata.domain.knowledge.profile import MOST_CHANGES
from strata.domain.knowledge.statements import ConclusionType
from strata.domain.scope import READ, WRITE, Scope
from strata.domain.times import DAY
from strata.domain.wire.conclusions import (
    ConclusionFilter,
    Conclusions,
    ConsolidationsAnswer,
    DeletedConclusion,
    DeletedConclusions,
    UndoneConsolidation,
)
from strata.domain.wire.devices import DeletedDevice, Device, DeviceUser, FoundDevice, LinkedDevice
from strata.domain.wire.exact_json import to_text
from strata.domain.wire.fields import BLANK_IS_ABSENT, EMPTY_IS_ABSENT, Clamped, Ident, plain
from strata.domain.wire.preferences import PreferencesAnswer, PreferencesChange
from strata.domain.wire.profiles import ProfileAnswer, ProfileChange, ProfileHistory, ProfileUpdated
from strata.entrypoints.http.api.api import Api, Caller, Handler
from strata.entrypoints.http.api.identity import named_by, owner_of
from strata.entrypoints.http.api.parameters import (
    DevicePath,
    IdentPath,
    IdentQuery,
    NewIdentPath,
    OneUserQuery,
    ProjectQuery,
)
from strata.entrypoints.http.api.requests import JSON
from strata.entrypoints.observing import Observing
from strata.ports.clock import Clock
from strata.services.knowledge.conclusions import ConclusionCatalog, Wanted
from strata.services.knowledge.consolidations import Consolidations
from strata.services.knowledge.profile import Profiles
from strata.services.people.devices import Devices
from strata.services.people.preferences import UserPreferences
from strata.services.privacy.adoption import Adoption


def knowledge_handler(
    identify: Caller,
    observing: Observing,
    profiles: Profiles,
    conclusions: ConclusionCatalog,
    consolidations: Consolidations,
    devices: Devices,
    adoption: Adoption,
    preferences: UserPreferences,
    clock: Clock,
) -> Handler:
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
        found = profiles.get(caller, owner_of(caller, user_id), agent_id, project)
        known = {
            name: [each.model_dump(exclude_none=True) for each in every]
            for name, every in found.provenance.items()
        }
        return _as_sent({"profile": found.profile.model_dump(), "provenance": known})

    @api.route("PUT", "/api/memory/profile", WRITE, answer=ProfileUpdated)
    def put_profile(
        caller: Scope, change: Annotated[ProfileChange, Body()], user_id: OneUserQuery = None
    ) -> ProfileUpdated:
        """Change the named fields of a person's profile; null takes a value away."""
        named = {user_id, change.userId} - {None}
        if len(named) > 1:
            raise Conflict("userId names another user in the query than in the body")
        return ProfileUpdated(updated=profiles.put(caller, owner_of(caller, *named), change))

    @api.route("GET", "/api/memory/conclusions", READ, answer=Conclusions)
    def list_conclusions(
        caller: Scope,
        kind: Annotated[ConclusionFilter | None, BLANK_IS_ABSENT, Query(alias="type")] = None,
        min_confidence: Annotated[FiniteFloat, Query(alias="minConfidence", ge=0, le=1)] = 0.0,
        max_age_days: Annotated[int | None, Query(alias="maxAgeDays", ge=1, le=36_500)] = None,
        user_id: OneUserQuery = None,
        agent_id: IdentQuery = None,
        project: ProjectQuery = None,
    ) -> Conclusions:
        """A person's conclusions, the latest supported first."""
        oldest = 0 if max_age_days is None else clock.now_us() - max_age_days * DAY * 1_000_000
        wanted = Wanted(agent_id, project, _TYPES[kind] if kind else frozenset(), min_confidence, oldest)
        return Conclusions(conclusions=conclusions.listed(caller, owner_of(caller, user_id), wanted))

    @api.route(
        "DELETE", "/api/memory/conclusions/<conclusionId>", WRITE, answer=DeletedConclusion, errors=(404,)
    )
    def delete_conclusion(
        caller: Scope, conclusionId: IdentPath, user_id: OneUserQuery = None
    ) -> DeletedConclusion:
        """Delete a conclusion; it is not drawn from the same sessions again."""
        conclusions.delete(caller, _person(api, caller, user_id), conclusionId)
        return DeletedConclusion(deleted=True, conclusion_id=conclusionId)

    @api.route("DELETE", "/api/memory/conclusions", WRITE, answer=DeletedConclusions)
    def delete_conclusions(caller: Scope, user_id: OneUserQuery = None) -> DeletedConclusions:
        """Delete all conclusions about a person; none is drawn from the same sessions again."""
        return DeletedConclusions(
            deleted=True, count=conclusions.delete_all(caller, _person(api, caller, user_id))
        )

    @api.route("GET", "/api/memory/profile/history", READ, answer=ProfileHistory)
    def profile_history(
        caller: Scope,
        user_id: OneUserQuery = None,
        agent_id: IdentQuery = None,
        project: ProjectQuery = None,
        limit: Annotated[int, Clamped(MOST_CHANGES), Query()] = 20,
    ) -> ProfileHistory:
        """The latest changes of a person's profile, newest first; a hundred are kept."""
        return profiles.history(caller, owner_of(caller, user_id), agent_id, project, limit)

    @api.route("GET", "/api/memory/consolidations", READ, answer=ConsolidationsAnswer)
    def list_consolidations(
        caller: Scope, limit: Annotated[int, Clamped(100), Query()] = 20, user_id: OneUserQuery = None
    ) -> ConsolidationsAnswer:
        """The runs that drew a person's conclusions, newest first."""
        return ConsolidationsAnswer(
            consolidations=consolidations.listed(caller, owner_of(caller, user_id), limit)
        )

    @api.route(
        "POST",
        "/api/memory/consolidations/<consolidationId>/undo",
        WRITE,
        answer=UndoneConsolidation,
        errors=(404,),
    )
    def undo_consolidation(
        caller: Scope, consolidationId: IdentPath, user_id: OneUserQuery = None
    ) -> UndoneConsolidation:
        """Put back what a run changed, but for what changed since; a second time changes nothing."""
        return consolidations.undo(caller, _person(api, caller, user_id), consolidationId)

    @api.route("GET", "/api/devices/<deviceId>", READ, answer=FoundDevice, errors=(404,))
    def get_device(caller: Scope, deviceId: DevicePath) -> FoundDevice:
        """The user of a device."""
        found = devices.get(caller, deviceId)
        return FoundDevice(**dict(found), device=found)

    @api.route("PUT", "/api/devices/<deviceId>", WRITE, answer=Device)
    def put_device(
        caller: Scope,
        deviceId: DevicePath,
        owner: Annotated[DeviceUser, Body()],
        adopt: Annotated[bool, Query()] = False,
    ) -> Device:
        """Give a device its user, whose its writes are from then on; a second user is refused.

        With `adopt` what the device wrote before becomes that user's, too.
        """
        put = adoption.adopt if adopt else devices.put
        return put(caller, deviceId, owner.userId)

    @api.route("POST", "/api/devices/<deviceId>/link", WRITE, answer=LinkedDevice)
    def link_device(
        caller: Scope, deviceId: DevicePath, owner: Annotated[DeviceUser, Body()]
    ) -> LinkedDevice:
        """Give a device its user, as agtOS's clients do: what `PUT` of the device does."""
        given = devices.put(caller, deviceId, owner.userId)
        return LinkedDevice(linked=True, deviceId=given.deviceId, userId=given.userId)

    @api.route("DELETE", "/api/devices/<deviceId>", WRITE, answer=DeletedDevice, errors=(404,))
    def delete_device(caller: Scope, deviceId: DevicePath) -> DeletedDevice:
        """Take a device from its user; what it wrote stays that user's."""
        devices.delete(caller, deviceId)
        return DeletedDevice(deleted=True, success=True, deviceId=deviceId)

    @api.route("GET", "/api/users/<userId>/preferences", READ, answer=PreferencesAnswer)
    def get_preferences(caller: Scope, userId: IdentPath) -> Response[str]:
        """A user's preferences with their privacy settings."""
        return _as_sent({"preferences": preferences.get(caller, userId)})

    @api.route("PUT", "/api/users/<userId>/preferences", WRITE, answer=PreferencesAnswer)
    def put_preferences(
        caller: Scope, userId: NewIdentPath, change: Annotated[PreferencesChange, Body()]
    ) -> Response[str]:
        """Change a user's preferences; `storeTranscripts` false refuses that anything of them is stored."""
        if change.users - {userId}:
            raise Conflict("userId names another user in the body than in the path")
        by = named_by(caller, api.resolver.current_event.raw_event)
        return _as_sent({"preferences": preferences.put(caller, userId, change.preferences, by)})

    return api


def _as_sent(value: Any) -> Response[str]:
    """A response with free JSON, which may hold what pydantic does not write: a lone surrogate."""
    return Response(200, JSON, to_text(value))


def _person(api: Api, caller: Scope, user_id: str | None) -> str:
    """The person that the query or the body names, on routes that need no body.

    Raises:
        InvalidRequest: the body is no object, has other fields, or its userId is none.
        Conflict: both name a person, and not the same.
    """
    body = api.resolver.current_event.decoded_body or ""
    try:
        given = json.loads(body) if body.strip() else {}
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise InvalidRequest.of("body", "should be a JSON object with userId, or none")
    unknown = next((name for name in given if name not in _PERSON), None)
    if unknown is not None:
        raise InvalidRequest.of(unknown[:_LONGEST_NAME], "is not known here: userId names the person")
    try:
        named = {user_id, *(_USER.validate_python(each) for each in given.values())} - {None}
    except ValidationError as error:
        raise InvalidRequest.of("userId", plain(error.errors()[0]["msg"])) from None
    if len(named) > 1:
        raise Conflict("userId names another user in the query than in the body")
    return owner_of(caller, *named)


_PERSON = ("userId", "user_id")
_LONGEST_NAME = 100
_USER: TypeAdapter[str | None] = TypeAdapter(Annotated[Ident | None, EMPTY_IS_ABSENT])


_TYPES: dict[ConclusionFilter, frozenset[ConclusionType | Literal["corrected"]]] = {
    ConclusionFilter.EXPLICIT: frozenset({"explicit"}),
    ConclusionFilter.DEDUCTIVE: frozenset({"deductive"}),
    ConclusionFilter.INDUCTIVE: frozenset({"inductive"}),
    ConclusionFilter.ABDUCTIVE: frozenset({"abductive"}),
    ConclusionFilter.INFERRED: frozenset({"deductive", "inductive", "abductive"}),
    ConclusionFilter.CORRECTED: frozenset({"corrected"}),
}
