"""The least relevance of what is given, where nobody says another."""

SEARCH_FLOOR = 0.04
"""Of a hit: below it, a search has found nothing close."""

CONTEXT_FLOOR = 0.14
"""Of a memory that goes into a prompt without being asked for."""

ANSWER_FLOOR = 0.15
"""Of the best statement about a person: below it, a question has no answer."""

SOURCE_FLOOR = 0.08
SOURCE_SHARE = 0.15
"""The least relevance of a statement beside the best one, alone and as a share of the best one's."""
