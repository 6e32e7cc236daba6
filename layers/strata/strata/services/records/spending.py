"""Rows of the use of models."""

from strata.ports.rows import Key

SPENDING_PK = "SPENDING"


def spending_key(day: str) -> Key:
    """A tenant's use of models on a day of UTC: `{tokens, micro_dollars, calls}`."""
    return Key(SPENDING_PK, f"DAY#{day}")
