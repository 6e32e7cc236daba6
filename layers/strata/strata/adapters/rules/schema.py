"""The schema version of rows, in the attribute `schema`, which services do not see.

A row without it has version 1. Rows of a newer version of Strata are rejected, never guessed at
(decisions 27).
"""

from collections.abc import Collection

from strata.domain.errors import NewerRow
from strata.ports.rows import Json

NAME = "schema"
SCHEMA = 1
"""The schema version that this version of Strata writes, and the newest that it reads."""


def require_known(schema: Json) -> None:
    """Check the schema version of a stored row.

    Raises:
        NewerRow: this version of Strata does not know it.
    """
    if not isinstance(schema, int) or schema > SCHEMA:
        raise NewerRow(
            f"a row has schema {schema}, and this version of Strata knows {SCHEMA}; upgrade Strata"
        )


def escaped(name: str, own: Collection[str]) -> str:
    """The stored name of an item's attribute: with an extra underscore where the row has that name itself."""
    return f"_{name}" if name.lstrip("_") in own else name


def unescaped(name: str, own: Collection[str]) -> str:
    """The item's attribute for a stored name."""
    return name[1:] if name[:1] == "_" and name.lstrip("_") in own else name
