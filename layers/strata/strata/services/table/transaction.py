"""Transactions whose actions have names, so that a refusal is read by name and never by position."""

from collections.abc import Mapping, Sequence

from strata.domain.scope import Scope
from strata.ports.rows import Action, Item, Update
from strata.ports.table import ConditionFailed, Table

Named = Mapping[str, Action | Sequence[Action]]
"""Actions by name, in the order in which they are written; one name may stand for several."""


class Refused(Exception):
    """Conditions of a transaction did not hold, so nothing of it was written.

    Args:
        refusals: by name, each refused action with the live row that stood there (None: there was none).
    """

    def __init__(self, refusals: Mapping[str, Sequence[tuple[Action, Item | None]]]) -> None:
        super().__init__(f"conditions failed: {', '.join(refusals)}")
        self._refusals = refusals

    def __contains__(self, name: str) -> bool:
        """Whether an action of this name was refused."""
        return name in self._refusals

    def row(self, name: str, default: Item | None = None) -> Item | None:
        """The row that refused the action of this name; `default` where it was not refused."""
        return self._refusals[name][0][1] if name in self._refusals else default

    def actions(self, name: str) -> list[Action]:
        """The refused actions of this name."""
        return [action for action, _ in self._refusals.get(name, ())]


def transact(table: Table, scope: Scope, named: Named) -> None:
    """Write up to 100 named actions on distinct keys at once.

    Raises:
        Refused: a condition did not hold; nothing was written.
    """
    listed = [
        (name, action)
        for name, given in named.items()
        for action in (given if isinstance(given, Sequence) else (given,))
    ]
    try:
        table.transact(scope, [action for _, action in listed])
    except ConditionFailed as failed:
        raise _refused(failed, listed) from None


def update(table: Table, scope: Scope, name: str, action: Update) -> Item:
    """Write one named update; the row as it is then.

    Raises:
        Refused: its condition did not hold; nothing was written.
    """
    try:
        return table.update(scope, action)
    except ConditionFailed as failed:
        raise _refused(failed, [(name, action)]) from None


def write_what_holds(table: Table, scope: Scope, actions: Sequence[Action]) -> None:
    """Write those of up to 100 actions whose conditions hold, and leave out the others."""
    left = list(actions)
    while left:
        try:
            transact(table, scope, {"left": left})
        except Refused as refused:
            gone = refused.actions("left")
            left = [action for action in left if action not in gone]
        else:
            return


def _refused(failed: ConditionFailed, listed: Sequence[tuple[str, Action]]) -> Refused:
    refusals: dict[str, list[tuple[Action, Item | None]]] = {}
    for place, row in sorted(failed.failures.items()):
        name, action = listed[place]
        refusals.setdefault(name, []).append((action, row))
    return Refused(refusals)
