"""The shape that a row is written in: every row says it in `schema`, which no service sees.

A row without it is of the first shape. What a newer version of Strata wrote is refused, never guessed at
(decisions 27).
"""

from collections.abc import Collection

from strata.domain.errors import NewerRow
from strata.ports import Json

NAME = "schema"
SCHEMA = 1
"""The newest shape that this version reads, and the one that it writes."""


def require_known(schema: Json) -> None:
    """Check what a stored row says of its shape.

    Raises:
        NewerRow: this version doesn't know it.
    """
    if not isinstance(schema, int) or schema > SCHEMA:
        raise NewerRow(
            f"a row has schema {schema}, and this version of Strata knows {SCHEMA}; upgrade Strata"
        )


def escaped(name: str, own: Collection[str]) -> str:
    """An item's attribute as it is stored: with an underscore more where the row has that name itself."""
    return f"_{name}" if name.lstrip("_") in own else name


def unescaped(name: str, own: Collection[str]) -> str:
    """The item's attribute that is stored by this name."""
    return name[1:] if name[:1] == "_" and name.lstrip("_") in own else name
