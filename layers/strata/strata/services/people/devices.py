"""Devices: whose the writes of each are (agtOS).

Until a device is given a user, what it writes is its own: it belongs to an owner of the device's name.
"""

from strata.domain.errors import Conflict, NotFound, OwnedByAnother
from strata.domain.scope import Scope
from strata.domain.times import rfc3339
from strata.domain.wire.devices import Device
from strata.ports.clock import Clock
from strata.ports.rows import Absent, AnyOf, Check, Delete, Equals, Item, Present, Update
from strata.ports.table import ConditionFailed, Table
from strata.services.records.erasures import tombstone_key
from strata.services.records.owners import owned
from strata.services.records.people import DEVICE_KIND, device_key

OWN = "device:"
"""Begins the owner of what a device wrote before it had a user."""


class Devices:
    """Maps devices to their users."""

    def __init__(self, table: Table, clock: Clock) -> None:
        self._table = table
        self._clock = clock

    def get(self, scope: Scope, device_id: str) -> Device:
        """A device with its user.

        Raises:
            NotFound: it has none.
        """
        return _device(device_id, self._table.get(scope, device_key(device_id)))

    def put(self, scope: Scope, device_id: str, user: str) -> Device:
        """Give a device its user.

        Raises:
            OwnedByAnother: it has another user.
            Conflict: the user is being erased.
        """
        key = device_key(device_id)
        row = {"device_id": device_id, "user_id": user, "updated_at": self._clock.now_us()}
        free = AnyOf((Absent(), Equals("user_id", user)))
        given = Update(key, default=row | owned(user, DEVICE_KIND), condition=free)
        try:
            self._table.transact(scope, [given, Check(tombstone_key(user), Absent())])
        except ConditionFailed as failed:
            if 0 in failed.failures:
                raise OwnedByAnother("the device belongs to another user") from None
            raise Conflict("the user is being erased; try again in an hour") from None
        return self.get(scope, device_id)

    def delete(self, scope: Scope, device_id: str) -> None:
        """Take a device's user from it; what it wrote stays that user's.

        Raises:
            NotFound: it has none.
        """
        try:
            self._table.transact(scope, [Delete(device_key(device_id), Present())])
        except ConditionFailed:
            raise NotFound("no such device") from None

    def owner(self, scope: Scope, device_id: str, named: str | None) -> str:
        """The owner of what a device writes now.

        Args:
            device_id: the device.
            named: the user that the write names, if any.

        Raises:
            OwnedByAnother: the write names another user than the device's.
        """
        row = self._table.get(scope, device_key(device_id))
        if row is None:
            return named or OWN + device_id
        user: str = row["user_id"]
        if named and named != user:
            raise OwnedByAnother("the device belongs to another user")
        return user


def _device(device_id: str, row: Item | None) -> Device:
    if row is None:
        raise NotFound("no such device")
    return Device(deviceId=device_id, userId=row["user_id"], updatedAt=rfc3339(row["updated_at"]))
