"""Names as they are compared: two spellings of one name have one key."""

import re

from strata.domain.text.folding import fold

LONGEST_NAME = 200
_WORD = re.compile(r"\w+")
_MOST_ENDINGS = 4


def name_key(name: str) -> str:
    """The words of a name without case, accents and punctuation, with a space between them."""
    return " ".join(_WORD.findall(fold(name).replace("'", "")))


def endings(key: str) -> list[str]:
    """The key, and what is left of it from further words on, for searches that begin with one of these."""
    words = key.split()
    starts = [start for start, word in enumerate(words) if not start or len(word) > 2]
    return [" ".join(words[start:]) for start in starts[:_MOST_ENDINGS]]
