"""Devices as they go over the wire (agtOS)."""

from typing import Annotated

from pydantic import BeforeValidator, StringConstraints

from strata.domain.wire.base import Wire
from strata.domain.wire.fields import NewIdent

MAX_DEVICE = 190
"""Characters of a device's id: an owner's name is made of it."""


def _short(value: object) -> object:
    """Names the one limit, before the longer one of ids is looked at."""
    if isinstance(value, str) and len(value) > MAX_DEVICE:
        raise ValueError(f"should have at most {MAX_DEVICE} characters")
    return value


DeviceId = Annotated[NewIdent, StringConstraints(max_length=MAX_DEVICE), BeforeValidator(_short)]


class DeviceUser(Wire):
    """The user whose the writes of a device are."""

    userId: NewIdent  # noqa: N815 - the wire's own name


class Adopted(Wire):
    """The numbers of rows that a device wrote before it had a user and that one call gave to that user.

    Attributes:
        complete: whether nothing is left; otherwise the same call goes on.
    """

    sessions: int = 0
    observations: int = 0
    episodes: int = 0
    facts: int = 0
    conclusions: int = 0
    complete: bool = False


class Device(Wire):
    """A device, its user, and when it was given it; `adopted` where an adoption was asked for."""

    deviceId: str  # noqa: N815
    userId: str  # noqa: N815
    updatedAt: str  # noqa: N815
    adopted: Adopted | None = None


class FoundDevice(Device):
    """A device as it is read; `device` is the same once more, where agtOS's clients look for it."""

    device: Device


class LinkedDevice(Wire):
    """A device that has its user."""

    linked: bool
    deviceId: str  # noqa: N815
    userId: str  # noqa: N815


class DeletedDevice(Wire):
    """A device that has no user any more; `success` is `deleted`, as agtOS's clients read it."""

    deleted: bool
    success: bool
    deviceId: str  # noqa: N815
