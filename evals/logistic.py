"""A logistic regression with a ridge, by Newton's method. The result depends on the examples alone."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

STEPS, _TOLERANCE = 100, 1e-9


def logistic(
    matrix: Floats, truth: Floats, weighed: Floats, *, ridge: float, signs: Sequence[int] | None = None
) -> Floats:
    """Bias and weights: (1 + numbers,). A weight with the wrong sign is held at zero.

    Args:
        matrix: the numbers: (examples, numbers).
        truth: 0 or 1: (examples,).
        weighed: what an example counts: (examples,).
        ridge: what holds the weights of numbers of one spread down; the bias is free.
        signs: 1 or -1 for the only sign that a weight may have, 0 for any; any for all by default.

    Raises:
        ArithmeticError: the steps do not converge, as with numbers that say nearly the same.
    """
    mean, spread = matrix.mean(axis=0), matrix.std(axis=0)
    useful = spread > 0
    scaled = np.where(useful, (matrix - mean) / np.where(useful, spread, 1.0), 0.0)
    design = np.column_stack([np.ones(len(scaled)), scaled])
    held = np.eye(design.shape[1]) * ridge
    held[0, 0] = _TOLERANCE
    sign = np.array([0, *(signs or [0] * matrix.shape[1])])
    free = np.array([True, *useful])
    solved = np.zeros(design.shape[1])
    while True:
        solved = _newton(design, truth, weighed, held, free, np.where(free, solved, 0.0))
        wrong = free & (sign * solved < 0)
        if not wrong.any():
            break
        free &= ~wrong
    weights = np.where(useful, solved[1:] / np.where(useful, spread, 1.0), 0.0)
    return np.concatenate([[solved[0] - weights @ mean], weights])


def _newton(
    design: Floats, truth: Floats, weighed: Floats, ridge: Floats, free: NDArray[np.bool_], solved: Floats
) -> Floats:
    places = np.flatnonzero(free)
    for _ in range(STEPS):
        likely = 1 / (1 + np.exp(-design @ solved))
        slope = design.T @ (weighed * (truth - likely)) - ridge @ solved
        curve = (design * (weighed * likely * (1 - likely))[:, None]).T @ design + ridge
        step = np.zeros_like(solved)
        step[places] = np.linalg.solve(curve[np.ix_(places, places)], slope[places])
        solved = solved + step
        if np.abs(step).max() < _TOLERANCE:
            return solved
    raise ArithmeticError(f"the weights do not settle in {STEPS} steps")
