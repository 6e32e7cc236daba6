"""Narrowed searches: labels and times of documents, as their table stores them and as SQL asks for them."""

import sqlite3
from collections.abc import Iterable
from typing import TYPE_CHECKING

from strata.domain.text.strings import encodable
from strata.ports.search import Document, Label, Narrowing

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BETWEEN = "\x1f"
_ESCAPED = str.maketrans({"\\": "\\\\", _BETWEEN: "\\u", "\0": "\\0"})
_TIMES = ("created_at", "updated_at")

Condition = tuple[str, list[str | int]]
"""SQL over the columns of `narrowings`, and its parameters."""


def stored(document: Document) -> tuple[int | None, int | None, str]:
    """The columns of a document's row, after its id."""
    labels = "".join(f"{_BETWEEN}{_token(*each)}" for each in document.labels)
    created, updated = (document.times.get(name) for name in _TIMES)
    return created, updated, f"{labels}{_BETWEEN}" if labels else ""


def condition(narrowing: Narrowing) -> Condition:
    """The condition that a document's row must pass; all pass an empty one.

    Raises:
        ValueError: there is no such time.
    """
    parts: list[str] = []
    parameters: list[str | int] = []
    for clause in narrowing.labels:
        parts.append(" OR ".join("instr(labels, ?)" for _ in clause) or "0")
        parameters += map(_sought, clause)
    for span in narrowing.spans:
        if span.name not in _TIMES:
            raise ValueError(f"documents have no time {span.name}")
        for operator, end in ((">=", span.first), ("<", span.end)):
            if end is not None:
                parts.append(f"{span.name} {operator} ?")
                parameters.append(end)
    return " AND ".join(f"({part})" for part in parts), parameters


def narrowed(connection: sqlite3.Connection, first: int, last: int, asked: Condition) -> "NDArray[np.int64]":
    """The ids that pass, in rising order."""
    import numpy as np  # noqa: PLC0415 - 0.15 s that a process without vectors saves

    sql, parameters = asked
    rows: Iterable[tuple[int]] = connection.execute(
        f"SELECT id FROM narrowings WHERE id BETWEEN ? AND ? AND {sql} ORDER BY id",  # noqa: S608 - own names
        (first, last, *parameters),
    )
    return np.fromiter((number for (number,) in rows), np.int64)


def _sought(label: Label) -> str:
    return f"{_BETWEEN}{_token(label.name, label.value)}{'' if label.prefix else _BETWEEN}"


def _token(name: str, value: str) -> str:
    """One label; what a prefix of the value makes is a prefix of it."""
    return encodable(f"{name}={value}").translate(_ESCAPED)
