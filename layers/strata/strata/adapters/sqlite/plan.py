"""Plans a transaction's writes from its actions and the existing rows."""

from collections.abc import Sequence
from typing import Literal

from strata.adapters.rules.conditions import holds, updated
from strata.adapters.sqlite.rows import Columns, parsed, written
from strata.domain.scope import Scope
from strata.ports.rows import Action, Check, Delete, Item, Put, Update
from strata.ports.table import ConditionFailed

Stored = tuple[str, str]
"""A key as it is stored: the tenant's partition and the sort key."""

Event = Literal["INSERT", "MODIFY", "REMOVE"]


def plan(
    scope: Scope, actions: Sequence[Action], keys: list[Stored], there: dict[Stored, tuple[str, bool]]
) -> tuple[list[Columns], list[Stored], list[str]]:
    """The rows to write, the keys to delete, and the log's values, three for each change."""
    rows: list[Columns] = []
    gone: list[Stored] = []
    log: list[str] = []
    failures: dict[int, Item | None] = {}
    for number, (action, stored) in enumerate(zip(actions, keys, strict=True)):
        text, is_live = there.get(stored, (None, False))
        needed = action.condition is not None or isinstance(action, Update)
        live = parsed(text) if needed and is_live and text is not None else None
        if action.condition is not None and not holds(action.condition, live):
            failures[number] = live
        elif isinstance(action, Delete):
            if text is not None:
                gone.append(stored)
                log += (*stored, "REMOVE")
        elif not isinstance(action, Check):
            item = action.item if isinstance(action, Put) else updated(action, live)
            rows.append(written(stored, scope, item))
            event: Event = "INSERT" if text is None else "MODIFY"
            log += (*stored, event)
    if failures:
        raise ConditionFailed(failures)
    return rows, gone, log
