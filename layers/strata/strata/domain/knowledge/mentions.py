"""The subjects that a message touches: words that recur over days show what occupies a person."""

import re
from collections.abc import Iterator

from Stemmer import Stemmer

from strata.domain.facts.patterns.guards import own_part
from strata.domain.facts.patterns.reading import HIDDEN, own, spoken
from strata.domain.knowledge.statements import Said, Sighting
from strata.domain.relevance.everyday import CHINESE, COMMON_SUBJECTS, EVERYDAY
from strata.domain.relevance.small_talk import FILLERS as TALK
from strata.domain.relevance.small_talk import GREETINGS, REACTIONS
from strata.domain.text.folding import fold
from strata.domain.text.stop_words import ENGLISH, FILLERS, GERMAN, SPANISH

LONGEST = 2_000
"""The most characters of a message that are read: what is longer was pasted."""
MOST = 24
"""The most subjects of one message."""

_WORD = re.compile(r"[^\W\d_](?:[\w+#]|['&.-](?=\w))*")
_SILENT = (
    ENGLISH | SPANISH | GERMAN | FILLERS | TALK | GREETINGS | REACTIONS | EVERYDAY | COMMON_SUBJECTS | CHINESE
)
_SHORTEST = 3
_NOT = re.compile(
    r"\b(?:not|never|no longer|no more|without|instead of|rather than|gone off|gave up|given up|stopped|quit"
    r"|hate|skip|\w+n't|cannot|nunca|jamas|ya no|sin|en vez de|en lugar de|deje|dejado|odio|tampoco)\b"
    r"[^,;:]{0,40}\Z"
)
_STEMMERS = (Stemmer("english", 0), Stemmer("spanish", 0))


def mentions(said: Said) -> Iterator[Sighting]:
    """The subjects that the person's own words touch, each once a message."""
    if len(said.text) > LONGEST:
        return
    written = own(said.text)
    folded = own_part(fold(written, keep_length=True))
    seen: set[str] = set()
    for sentence in spoken(folded):
        quote = said.text[sentence.start : sentence.end].strip()
        for found in _WORD.finditer(folded, sentence.start, sentence.end):
            word = found.group().removesuffix("'s")
            if is_silent(word) or HIDDEN in word:
                continue
            key = common_stem(word)
            if key in seen or len(seen) == MOST:
                continue
            seen.add(key)
            against = _NOT.search(folded, sentence.start, found.start()) is not None
            value = said.text[found.start() : found.start() + len(word)]
            yield Sighting(f"mentions:{key}", value, False, against, False, quote, said.at, said.source)


def is_silent(word: str) -> bool:
    """Whether a folded word names no subject."""
    return len(word) < _SHORTEST or word in _SILENT


def common_stem(word: str) -> str:
    """The stem of a folded English or Spanish word, whichever is shorter."""
    return min((str(each.stemWord(word)) for each in _STEMMERS), key=len)
