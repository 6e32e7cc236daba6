"""Candidates that follow each other, as the turns of a conversation do."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Indices = NDArray[np.intp]
else:
    from strata.domain import arrays as np


def neighbours(values: "Floats", places: "Indices") -> "Floats":
    """The row of each row's neighbour, zeros if there is none. `values` is (n,) or (n, terms)."""
    there = (places >= 0) if values.ndim == 1 else (places >= 0)[:, None]
    return np.where(there, values[places], 0.0)
