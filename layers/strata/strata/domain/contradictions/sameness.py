"""Whether two notes say the same thing in the same words."""

import re

from strata.domain.knowledge.common import common_stem
from strata.domain.text.folding import fold

_WORD = re.compile(r"(?:(?<!\w)-)?\d+(?:[.,:/]\d+)*|[^\W\d_]+|[^\w\s.,;:!'\"()-]")
_NOTHING = frozenset(
    """
    the a an is are s el la los las un una es son user usuario she he they i my her his their su sus mi mis
    and y that que
    """.split()  # noqa: SIM905
)
"""Words without which a note says the same: articles, and those by which the person is meant."""


def differs_in_value(one: str, other: str) -> bool:
    """Whether two notes may differ in a number, a name, a date, a negation or another value.

    Notes of the same words in the same order do not; endings, articles and words by which the person is meant
    are ignored.
    """
    return _said(one) != _said(other)


def _said(note: str) -> list[str]:
    words = _WORD.findall(fold(note, keep_length=True))
    return [
        word if any(char.isdigit() for char in word) else common_stem(word)
        for word in words
        if word not in _NOTHING
    ]
