"""The limits of tenants: those of the settings, and what an operator set for one tenant instead."""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace

from strata.domain.errors import InvalidRequest, Unavailable
from strata.domain.scope import Scope
from strata.ports.clock import Clock
from strata.ports.rows import Item, Update
from strata.ports.table import Query, Table
from strata.services.records.directory import LIMITS_PREFIX, TENANTS_PK, limits_key
from strata.services.table.pages import every_row

REMEMBERED_SECONDS = 60
"""Seconds for which a process uses the limits that it read."""

_DIRECTORY = Scope.directory()


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one tenant; None for none.

    Attributes:
        requests: requests a second.
        items: stored observations and sessions.
        daily_tokens: tokens of language models on a day of UTC.
        daily_dollars: US dollars for them.
    """

    requests: float | None = None
    items: int | None = None
    daily_tokens: int | None = None
    daily_dollars: float | None = None


NAMES = tuple(field.name for field in fields(Limits))


class TenantLimits:
    """Reads and sets the limits of tenants.

    Args:
        table: holds a row for each tenant with limits of its own.
        defaults: the limits of all others.
    """

    def __init__(self, table: Table, clock: Clock, defaults: Limits) -> None:
        self._table = table
        self._clock = clock
        self._defaults = defaults
        self._known: dict[str, tuple[float, Limits]] = {}

    def of(self, scope: Scope) -> Limits:
        """The limits of the tenant, as they were at most a minute ago.

        While the table is away those that were read last hold.
        """
        now = self._clock.monotonic()
        read_at, known = self._known.get(scope.tenant, (-math.inf, self._defaults))
        if now - read_at >= REMEMBERED_SECONDS:
            with suppress(Unavailable):
                known = self._limits(self._table.get(_DIRECTORY, limits_key(scope.tenant)) or {})
            self._known[scope.tenant] = now, known
        return known

    def list(self) -> dict[str, Limits]:
        """The tenants with limits of their own, by name."""
        rows = every_row(self._table, _DIRECTORY, Query(TENANTS_PK, prefix=LIMITS_PREFIX))
        return {row.key.sk.removeprefix(LIMITS_PREFIX): self._limits(row.item) for row in rows}

    def set(self, tenant: str, changed: Mapping[str, float | None], default: tuple[str, ...] = ()) -> Limits:
        """Set some limits of a tenant, and give others back to the settings.

        Args:
            tenant: the tenant.
            changed: the new limits by name, not below 0; None for no limit.
            default: the names of those that the settings shall decide again.

        Raises:
            InvalidRequest: a limit is not a number from 0 on, or the tenant's name is malformed.
        """
        Scope(tenant)
        for name, value in changed.items():
            if value is not None and not 0 <= value < math.inf:
                raise InvalidRequest.of(name, "must be a number from 0 on")
        update = Update(limits_key(tenant), set=dict(changed), remove=default)
        self._known.pop(tenant, None)
        return self._limits(self._table.update(_DIRECTORY, update))

    def _limits(self, row: Item) -> Limits:
        return replace(self._defaults, **{name: row[name] for name in NAMES if name in row})
