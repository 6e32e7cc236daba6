"""What people can ask for over the services: all that is stored about them, and that it be erased."""

from functools import cached_property
from typing import TYPE_CHECKING

from strata.bootstrap.layers import Layers

if TYPE_CHECKING:
    from strata.ports import Remnants
    from strata.services.privacy.access import Access
    from strata.services.privacy.erasure.jobs import Erasures
    from strata.services.privacy.erasure.work import Eraser


class ErasureServices(Layers):
    """Erasure and access."""

    @cached_property
    def erasures(self) -> "Erasures":
        """Begins erasures and tells of them."""
        from strata.services.privacy.erasure.jobs import Erasures

        return Erasures(self.table, self.clock, self.queue("erasure"))

    @cached_property
    def erasing(self) -> "Eraser":
        """Erases."""
        from strata.services.privacy.erasure.work import Eraser

        return Eraser(
            self.table,
            self.index,
            self.clock,
            self.remnants,
            settle_seconds=self.settings.erasure_settle,
        )

    @cached_property
    def access(self) -> "Access":
        """Gives out what is stored about people."""
        from strata.services.privacy.access import Access

        return Access(self.table, self.clock)

    @cached_property
    def remnants(self) -> "Remnants | None":
        """What the file of this machine still holds of what was deleted; None where there is no such file.

        Where rows and index are elsewhere it has the journal of their stream: keys, and callers name some.
        """
        chosen = self.settings
        elsewhere = "sqlite" not in (chosen.store, chosen.index)
        tables = chosen.dynamodb
        deployed = tables.endpoint is None or bool(tables.bodies_bucket)
        if elsewhere and chosen.data is None and deployed:
            return None
        from strata.adapters.sqlite import SqliteRemnants

        return SqliteRemnants(self.database)
