"""Rows of totals."""

from strata.ports.rows import Key
from strata.services.records.parts import part

STATS_PK = "STATS"


def stats_key(project: str) -> Key:
    """The totals of one project: `{project, observations, sessions}`, folded from the stream."""
    return Key(STATS_PK, f"PROJECT#{part(project)}")
