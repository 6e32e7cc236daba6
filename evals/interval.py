"""Confidence of a measured share."""

from math import sqrt

_Z = 1.96


def interval(found: int, of: int) -> tuple[float, float]:
    """Wilson's interval of 95 % of a share."""
    if not of:
        return 0.0, 1.0
    share, square = found / of, _Z * _Z
    middle = share + square / (2 * of)
    spread = _Z * sqrt(share * (1 - share) / of + square / (4 * of * of))
    return max(0.0, (middle - spread) / (1 + square / of)), min(1.0, (middle + spread) / (1 + square / of))
