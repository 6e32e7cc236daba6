"""Evaluates conditions and updates on a row that was read inside the write transaction."""

from typing import assert_never

from strata.ports.rows import Absent, AllOf, AnyOf, AtMost, Condition, Equals, Item, Json, Present, Update


def holds(condition: Condition, live: Item | None) -> bool:
    """Whether the condition holds for the live row (None: absent or expired)."""
    match condition:
        case Absent():
            return live is None
        case Present():
            return live is not None
        case Equals(name, value):
            return live is not None and _same(live.get(name), value)
        case AtMost(name, value):
            return live is not None and _is_number(live.get(name)) and live[name] <= value
        case AnyOf(conditions):
            return any(holds(each, live) for each in conditions)
        case AllOf(conditions):
            return all(holds(each, live) for each in conditions)
        case _:
            assert_never(condition)


def updated(update: Update, live: Item | None) -> Item:
    """The row after the update.

    Raises:
        TypeError: `add` is applied to a value that is not a number.
    """
    item = {} if live is None else dict(live)
    for name, value in update.default.items():
        item.setdefault(name, value)
    item.update(update.set)
    for name, amount in update.add.items():
        before = item.get(name, 0)
        if not _is_number(before):
            raise TypeError(f"attribute {name!r} holds no number to add to")
        item[name] = before + amount
    for name in update.remove:
        item.pop(name, None)
    return item


def _same(stored: Json, value: str | int | bool | None) -> bool:
    """Equality of JSON values: True is not 1."""
    return bool(stored == value) and isinstance(stored, bool) == isinstance(value, bool)


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
