"""The least relevance of what is given, where nobody says another."""

from dataclasses import dataclass

from strata.domain.embedders import E5

SEARCH_FLOOR = 0.04
"""Of a hit: below it, a search has found nothing close."""

CONTEXT_FLOOR = 0.14
"""Of a memory that goes into a prompt without being asked for."""

ANSWER_FLOOR = 0.15
"""Of the best statement about a person: below it, a question has no answer."""

SOURCE_FLOOR = 0.08
SOURCE_SHARE = 0.15
"""The least relevance of a statement beside the best one, alone and as a share of the best one's."""


@dataclass(frozen=True, slots=True)
class Floors:
    """The least relevance of what a search and a context give."""

    search: float = SEARCH_FLOOR
    context: float = CONTEXT_FLOOR


_MEASURED = {E5: Floors(search=0.02, context=0.07)}


def floors(embedder: str, *, default_ranking: bool) -> Floors:
    """The floors that fit the calibration of relevance for an embedder and a ranking."""
    return _MEASURED.get(embedder, Floors()) if default_ranking else Floors()
