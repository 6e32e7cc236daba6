"""The vectors of recent texts, because queries repeat."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strata.ports.language import Vectors


class RecentVectors:
    """Caches vectors by a hash of their text; those used least recently are dropped. Thread-safe.

    Args:
        dimensions: length of a vector.
        make: the vectors of distinct texts that are not blank, in their order.
        kept: number of cached vectors.
    """

    def __init__(
        self, dimensions: int, make: "Callable[[list[str]], Sequence[Vectors]]", *, kept: int = 4_096
    ) -> None:
        self._dimensions = dimensions
        self._make = make
        self._capacity = kept
        self._lock = threading.Lock()
        self._kept: OrderedDict[bytes, Vectors] = OrderedDict()

    def of(
        self, texts: Sequence[str], make: "Callable[[list[str]], Sequence[Vectors]] | None" = None
    ) -> "Vectors":
        """One row (float32) for each text; a blank text is all zeros: (texts, dimensions).

        `make` makes the lacking ones in place of what usually does.
        """
        import numpy as np  # noqa: PLC0415 - functions that embed nothing must not pay for it

        told = [text.strip() for text in texts]
        names = [hashlib.sha256(text.encode(errors="replace")).digest() for text in told]
        known = self._known(names)
        lacking = {name: text for name, text in zip(names, told, strict=True) if text and name not in known}
        if lacking:
            made = dict(zip(lacking, (make or self._make)(list(lacking.values())), strict=True))
            self._keep(made)
            known |= made
        nothing = np.zeros(self._dimensions, dtype=np.float32)
        rows = [known.get(name, nothing) for name in names]
        return np.stack(rows) if rows else np.zeros((0, self._dimensions), dtype=np.float32)

    def _known(self, names: Sequence[bytes]) -> "dict[bytes, Vectors]":
        with self._lock:
            found = {name: self._kept[name] for name in names if name in self._kept}
            for name in found:
                self._kept.move_to_end(name)
        return found

    def _keep(self, made: "dict[bytes, Vectors]") -> None:
        with self._lock:
            self._kept |= made
            while len(self._kept) > self._capacity:
                self._kept.popitem(last=False)
