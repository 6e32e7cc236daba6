"""The halves of a labelled part: rules are written from odd numbers, and tried on even ones."""

HALVES = ("odd", "even")


def of_half(name: str, which: str | None) -> bool:
    """Whether a pair is in the half `which`, by the number at the end of its id; without a half all are."""
    return which is None or (int(name[-1]) % 2 == 1) == (which == "odd")
