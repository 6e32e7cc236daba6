"""Rows of the table: keys, attributes, conditions on them and what can be done with them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

Json = Any
"""A JSON value: None, bool, int, float, str, list or dict of these."""


Item = dict[str, Json]
"""A stored row's attributes, without its key. `expires_at` (epoch seconds) is its time to live;
`gsi1pk`, `gsi1sk`, and so on to 3, place it in the sparse secondary indexes."""


class Key(NamedTuple):
    """A row's key inside the scope's tenant. The adapter puts the tenant in front of `pk`.

    A tuple, because the keys of a batch are hashed and compared many times.
    """

    pk: str
    sk: str


@dataclass(frozen=True, slots=True)
class Absent:
    """Holds when there is no row, or only an expired one."""


@dataclass(frozen=True, slots=True)
class Present:
    """Holds when there is a live row."""


@dataclass(frozen=True, slots=True)
class Equals:
    """Holds when a live row's attribute has this value; `None` matches a missing attribute too."""

    name: str
    value: str | int | bool | None


@dataclass(frozen=True, slots=True)
class AtMost:
    """Holds when a live row's numeric attribute exists and is not above `value`."""

    name: str
    value: int | float


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Holds when one of the conditions does."""

    conditions: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """Holds when every one of the conditions does."""

    conditions: tuple["Condition", ...]


Condition = Absent | Present | Equals | AtMost | AnyOf | AllOf


@dataclass(frozen=True, slots=True)
class Put:
    """Write the whole row, replacing what is there."""

    key: Key
    item: Item
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Update:
    """Change attributes of a row, making it if there is none. An expired row counts as none.

    `default` sets what is missing, `set` what is given, `add` adds to a number (0 when missing),
    `remove` drops attributes. One attribute may stand in one of them only.
    """

    key: Key
    set: Mapping[str, Json] = field(default_factory=dict)
    add: Mapping[str, int | float] = field(default_factory=dict)
    default: Mapping[str, Json] = field(default_factory=dict)
    remove: tuple[str, ...] = ()
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Delete:
    """Remove a row; removing what is not there is fine."""

    key: Key
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Take part in a transaction without a change."""

    key: Key
    condition: Condition


Action = Put | Update | Delete | Check
