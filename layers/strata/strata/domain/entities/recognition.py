"""The people, places, organizations, events and things that a text names, by rules for English and Spanish."""

from strata.domain.entities.kinds import judge
from strata.domain.entities.merging import in_order
from strata.domain.entities.names import names
from strata.domain.entities.reading import words
from strata.domain.entities.shapes import Mention


def recognize(text: str) -> list[Mention]:
    """The entities that a text names, in their order; each once, in its longest form."""
    read = words(text)
    return in_order(text, list(judge(read, names(read))))
