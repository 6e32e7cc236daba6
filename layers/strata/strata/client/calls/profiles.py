"""Profiles and preferences of people, and the users of their devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from strata.client.call import Call, member, model
from strata.client.calls.parts import Later, fields, params, path

if TYPE_CHECKING:
    from strata.domain.wire import devices as wire_devices
    from strata.domain.wire import profiles as wire
else:
    wire = Later("strata.domain.wire.profiles")
    wire_devices = Later("strata.domain.wire.devices")


def get_profile(
    user_id: str | None = None, *, agent_id: str | None = None, project: str | None = None
) -> Call[wire.ProfileAnswer]:
    """A person's profile, and where each of its values is from; of agents, those of this one.

    `GET /api/memory/profile`.
    """
    given = params(userId=user_id, agent_id=agent_id, project=project)
    return Call("GET", "/api/memory/profile", model(lambda: wire.ProfileAnswer), given)


def put_profile(user_id: str | None = None, **change: Any) -> Call[bool]:
    """Change the named fields: `name="Ann", communicationStyle=None`. None takes a value away.

    `PUT /api/memory/profile`. With `agent_id`, and `project`, it is that agent who states it. False: nothing
    may be kept of the person.
    """
    body = fields(userId=user_id) | change
    return Call("PUT", "/api/memory/profile", member("updated", lambda: bool), body=body)


def profile_history(
    user_id: str | None = None,
    *,
    agent_id: str | None = None,
    project: str | None = None,
    limit: int | None = None,
) -> Call[list[wire.PastProfile]]:
    """The latest changes of a person's profile, newest first. `GET /api/memory/profile/history`."""
    given = params(userId=user_id, agent_id=agent_id, project=project, limit=limit)
    found = member("history", lambda: list[wire.PastProfile])
    return Call("GET", "/api/memory/profile/history", found, given)


def get_preferences(user_id: str) -> Call[dict[str, Any]]:
    """A user's preferences with their privacy settings. `GET /api/users/{userId}/preferences`."""
    where = path("/api/users/{}/preferences", user_id)
    return Call("GET", where, member("preferences", lambda: dict[str, Any]))


def put_preferences(user_id: str, **change: Any) -> Call[dict[str, Any]]:
    """Change the named preferences; `privacySettings={"storeTranscripts": False}` stops all storing.

    `PUT /api/users/{userId}/preferences`.
    """
    where = path("/api/users/{}/preferences", user_id)
    return Call("PUT", where, member("preferences", lambda: dict[str, Any]), body={"preferences": change})


def get_device(id: str) -> Call[wire_devices.Device]:
    """The user of a device. `GET /api/devices/{deviceId}`."""
    return Call("GET", path("/api/devices/{}", id), model(lambda: wire_devices.Device))


def put_device(id: str, user_id: str, *, adopt: bool = False) -> Call[wire_devices.Device]:
    """Give a device its user, whose its writes are from then on; with `adopt` those before, too.

    `PUT /api/devices/{deviceId}`.
    """
    where, given = path("/api/devices/{}", id), params(adopt=adopt or None)
    return Call("PUT", where, model(lambda: wire_devices.Device), given, body={"userId": user_id})


def delete_device(id: str) -> Call[bool]:
    """Take a device from its user; what it wrote stays that user's. `DELETE /api/devices/{deviceId}`."""
    return Call("DELETE", path("/api/devices/{}", id), member("deleted", lambda: bool))
