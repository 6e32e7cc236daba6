"""Rows that are too large: the largest values become bodies, and the row holds their names.

Such a row lists all of its bodies in one more attribute. A write that would replace or delete the row, or a
value in a body, is conditional on there being none; if there are, it fails with the row, and is retried for
exactly those bodies. So a write knows which bodies it orphans without a read, and rows without bodies cost
nothing extra. A name is used for one value of one row and never again.
"""

import json
import uuid
from collections.abc import Collection, Iterator

from strata.adapters.dynamodb.rows import BODIES
from strata.adapters.dynamodb.values import MAX_ITEM_BYTES, Stored, StoredItem, item_size, plain
from strata.domain.errors import TooLarge
from strata.ports.rows import Json

ROOMY_BYTES = 350 * 1024
"""Size from which a row's largest values move to bodies: leaves room for further small attributes."""
SMALLEST_BYTES = 1024
"""A value up to this size stays in its row, whatever the row's size."""

IN_ROW = {"pk", "sk", "gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk", "gsi3pk", "gsi3sk", "expires_at"}
"""Attributes that the table itself reads, and which therefore stay in the row."""


class Overflow:
    """The old and new bodies of one call's rows.

    Args:
        possible: whether there is a store for bodies.
    """

    def __init__(self, *, possible: bool) -> None:
        self.possible = possible
        self.tight = False
        """Move every value that may be moved, because the write was refused as too large."""
        self._made: dict[tuple[int, str], str] = {}
        self._unkept: dict[str, bytes] = {}
        self._kept: dict[int, Collection[str]] = {}
        self._standing: dict[int, list[str]] = {}
        self._pointers: dict[int, dict[str, str]] = {}
        self._seen: set[str] = set()

    def fit(self, place: int, values: StoredItem, row: StoredItem) -> list[str]:
        """Replace the largest values of action `place` by pointers, if they are too large together.

        Args:
            place: the action's index.
            values: its values, changed in place.
            row: the key of its row, which the bodies will name.

        Returns:
            The names of the new bodies.

        Raises:
            TooLarge: nothing can be moved, and the rest exceeds DynamoDB's limits.
        """
        size = item_size(values)
        if size <= (ROOMY_BYTES if self.possible else MAX_ITEM_BYTES) and not self.tight:
            return []
        names = []
        movable = {name: item_size({name: values[name]}) for name in values if name not in IN_ROW}
        for name in sorted(movable, key=movable.__getitem__, reverse=True) if self.possible else ():
            if movable[name] <= SMALLEST_BYTES or (size <= ROOMY_BYTES and not self.tight):
                break
            names.append(self._body(place, name, values[name], row))
            values[name] = {"SS": names[-1:]}
            size += item_size({name: values[name]}) - movable[name]
        if size > MAX_ITEM_BYTES:
            taken, most = size // 1024 + 1, MAX_ITEM_BYTES // 1024
            raise TooLarge(f"this takes {taken} KB; a stored row may have {most}")
        return names

    def concerns(self, place: int) -> bool:
        """Whether action `place` makes bodies, or its row has some."""
        return place in self._standing or bool(self._kept.get(place))

    def meet(self, place: int, row: StoredItem | None) -> bool:
        """Record the row that refused action `place`; whether its bodies may be the reason."""
        before = self._standing.pop(place, None)
        self._pointers.pop(place, None)
        if row is not None and BODIES in row:
            self._standing[place] = row[BODIES]["SS"]
            self._pointers[place] = {
                name: value["SS"][0] for name, value in row.items() if "SS" in value and name != BODIES
            }
            self._seen |= set(self._standing[place])
        return self.possible and before != self._standing.get(place)

    def standing(self, place: int) -> list[str] | None:
        """The known bodies of the row of action `place`."""
        return self._standing.get(place)

    def keep(self, place: int, names: Collection[str]) -> None:
        """Set the bodies of the row of action `place`."""
        self._kept[place] = names

    def after(self, place: int, replaced: Collection[str], names: Collection[str]) -> list[str]:
        """The bodies of the row of action `place` without these attributes and with `names`."""
        gone = {name for attribute, name in self._pointers[place].items() if attribute in replaced}
        left = [name for name in self._standing[place] if name not in gone]
        return left + [name for name in names if name not in left]

    def unkept(self) -> Iterator[tuple[str, bytes]]:
        """Names and bytes of the bodies to store before the rows are written, each once."""
        while self._unkept:
            yield self._unkept.popitem()

    def made(self) -> Collection[str]:
        """The names of all new bodies."""
        return self._made.values()

    def left_behind(self) -> set[str]:
        """Bodies that no row names after the write."""
        return (self._seen | set(self._made.values())) - {
            name for names in self._kept.values() for name in names
        }

    def _body(self, place: int, attribute: str, value: Stored, row: StoredItem) -> str:
        if (place, attribute) not in self._made:
            self._made[place, attribute] = name = uuid.uuid4().hex
            self._unkept[name] = to_body(plain(value), (row["pk"]["S"], row["sk"]["S"]))
        return self._made[place, attribute]


def to_body(value: Json, row: tuple[str, str]) -> bytes:
    """The JSON text of a value, lone surrogates included, and on a second line that of its row's key."""
    lines = [
        json.dumps(each, ensure_ascii=False, separators=(",", ":"), allow_nan=False) for each in (value, row)
    ]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def of_body(body: bytes) -> Json:
    """The value from the text of `to_body`."""
    return json.loads(body.partition(b"\n")[0].decode("utf-8", "surrogatepass"))


def row_of(body: bytes) -> tuple[str, str] | None:
    """The stored key of the row that a body was made for; None where it is not recorded."""
    line = body.partition(b"\n")[2]
    if not line:
        return None
    pk, sk = json.loads(line.decode("utf-8", "surrogatepass"))
    return pk, sk
