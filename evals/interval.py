"""Confidence of a measured share."""

from math import sqrt

_Z = 1.96


def interval(found: int, of: int) -> tuple[float, float]:
    """Wilson's interval of 95 % of a share."""
    if not of:
        return 0.0, 1.0
    part, square = found / of, _Z * _Z
    middle = part + square / (2 * of)
    spread = _Z * sqrt(part * (1 - part) / of + square / (4 * of * of))
    return max(0.0, (middle - spread) / (1 + square / of)), min(1.0, (middle + spread) / (1 + square / of))


def share(found: int, of: int) -> str:
    """A share with its interval, for a table."""
    return "{:.3f} ({:.3f}-{:.3f})".format(found / of, *interval(found, of)) if of else "-"
