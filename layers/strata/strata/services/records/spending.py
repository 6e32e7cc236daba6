"""Rows of what models cost."""

from strata.ports import Key

SPENDING_PK = "SPENDING"


def spending_key(day: str) -> Key:
    """What a tenant's models used on a day of UTC: `{tokens, micro_dollars, calls}`."""
    return Key(SPENDING_PK, f"DAY#{day}")
