"""The tenant and permissions of a call. A `Scope` is the first argument of every service and port method."""

import re
from dataclasses import dataclass

from strata.domain.errors import Forbidden, InvalidRequest

DEFAULT_TENANT = "local"

_TENANT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,99}")

READ, WRITE, ADMIN = "read", "write", "admin"
PERMISSIONS = frozenset({READ, WRITE, ADMIN})

DIRECTORY = "_directory"
"""Takes the place of a tenant in the keys of rows that are read before the tenant is known. No tenant can
have this name: theirs begin with a letter or a digit."""

MAINTENANCE = "_upkeep"
"""The same for rows of the service's own maintenance: the tenants that changed, and its own runs."""

RESERVED = frozenset({DIRECTORY, MAINTENANCE})
"""Names that take the place of a tenant in stored keys."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The tenant of a call, the permissions of the caller, and the end user.

    `tenant` holds letters, digits and `._:@-` only, so that it can be the unescaped first part of every
    stored key. `identity` is the end user that the credentials name, if any.

    Raises:
        InvalidRequest: the tenant has another form.
    """

    tenant: str
    permissions: frozenset[str] = PERMISSIONS
    identity: str | None = None

    def __post_init__(self) -> None:
        if not _TENANT.fullmatch(self.tenant):
            raise InvalidRequest.of("tenant", "must be 1-100 letters, digits or ._:@-")

    @classmethod
    def directory(cls) -> "Scope":
        """The scope of the directory of API keys, for the service that keeps it.

        `Scope("_directory")` is refused as any other invalid tenant, so no request can obtain this scope.
        """
        return cls._reserved(DIRECTORY)

    @classmethod
    def maintenance(cls) -> "Scope":
        """The scope of the service's own maintenance; no request can obtain it either."""
        return cls._reserved(MAINTENANCE)

    @classmethod
    def _reserved(cls, name: str) -> "Scope":
        scope = object.__new__(cls)
        for field, value in (("tenant", name), ("permissions", frozenset()), ("identity", None)):
            object.__setattr__(scope, field, value)
        return scope

    def may(self, permission: str) -> bool:
        """Whether the caller holds `permission`; admin holds them all."""
        return permission in self.permissions or ADMIN in self.permissions

    def require(self, permission: str) -> None:
        """Raise `Forbidden` unless the caller holds `permission`."""
        if not self.may(permission):
            raise Forbidden(f"these credentials lack the '{permission}' scope")
