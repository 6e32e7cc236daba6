"""Limits of tenants."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.room import Room

if TYPE_CHECKING:
    from strata.domain.scope import Scope
    from strata.services.tenants.limits import TenantLimits
    from strata.services.tenants.rate import RequestRate
    from strata.services.tenants.stored import StoredItems


class Tenants(Room):
    """The limits of each tenant."""

    @cached_property
    def limits(self) -> "TenantLimits":
        from strata.services.tenants.limits import Limits, TenantLimits

        chosen, models = self._settings, self._settings.language
        defaults = Limits(
            chosen.tenant_requests, chosen.tenant_items, models.daily_tokens, models.daily_dollars
        )
        return TenantLimits(self._app.stores.table, self._app.clock, defaults)

    @cached_property
    def request_rate(self) -> "RequestRate":
        from strata.services.tenants.rate import RequestRate

        limits = self.limits
        return RequestRate(self._app.stores.table, self._app.clock, lambda scope: limits.of(scope).requests)

    @cached_property
    def stored(self) -> "StoredItems":
        from strata.services.tenants.stored import StoredItems

        def count(scope: "Scope") -> int:
            stats = self._app.stream.current_totals.stats(scope, None)
            return stats.total_observations + stats.total_sessions

        limits = self.limits
        return StoredItems(self._app.clock, lambda scope: limits.of(scope).items, count)
