"""A restored store, and the numbers of what was carried over to it."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from strata.domain.scope import Scope
from strata.ports.changes import ChangeLog
from strata.ports.clock import Clock
from strata.ports.rows import Item
from strata.ports.table import Census, Table
from strata.services.facts.catalog import FactCatalog
from strata.services.observations.change import Editor
from strata.services.privacy.erasure.work import Eraser
from strata.services.privacy.forget import DerivedDataForgetter
from strata.services.stream.consumers import Consumer


@dataclass(slots=True)
class CarriedOver:
    """The number of each kind that were applied.

    Attributes:
        erased: people, or channels of theirs, who were erased after the backup.
        refused: people who refused after it; what was derived from their words is deleted.
        deleted: observations, episodes, facts, conclusions and entities that were deleted after it.
        statements: statements of consent that it did not know.
        audit_entries: entries of the audit log that it did not know.
        keys: API keys that were made or changed after it, revoked ones among them.
        limits: tenants whose own limits were set after it.
    """

    erased: int = 0
    refused: int = 0
    deleted: int = 0
    statements: int = 0
    audit_entries: int = 0
    keys: int = 0
    limits: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """The numbers by their names."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Restored:
    """The restored store, which nobody else uses, and the services over it.

    Attributes:
        table, census, change_log: the store.
        editor, facts, bury_entity, forgetter, eraser: delete what is to go; the eraser waits for nothing.
        consumers: follow its stream.
    """

    table: Table
    census: Census
    change_log: ChangeLog
    editor: Editor
    facts: FactCatalog
    bury_entity: Callable[[Scope, str, str, Item], None]
    forgetter: DerivedDataForgetter
    eraser: Eraser
    consumers: Sequence[Consumer]
    clock: Clock
