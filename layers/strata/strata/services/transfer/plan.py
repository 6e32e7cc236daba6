"""The plan of the import of one row."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from strata.ports.rows import Action, Item


def _is_there(there: Item | None) -> bool:
    return there is not None


@dataclass(frozen=True, slots=True)
class Plan:
    """The actions that import a row.

    Attributes:
        row: writes it; refused where it is there already.
        guards: actions that are refused where it must not be imported, each by the reason.
        beside: what changes with it.
        head: changes with it, once for all rows of one transaction.
        stands: whether what is there under its key stands against it.
    """

    row: Action
    guards: Mapping[str, Action] = field(default_factory=dict)
    beside: Sequence[Action] = ()
    head: Sequence[Action] = ()
    stands: Callable[[Item | None], bool] = _is_there

    @property
    def actions(self) -> list[Action]:
        """All of them."""
        return [self.row, *self.guards.values(), *self.beside, *self.head]
