"""The subjects that a message touches: words that recur over days show what occupies a person."""

import re
from collections.abc import Iterator, Sequence

from strata.domain.facts.patterns.guards import is_said, own_part
from strata.domain.facts.patterns.reading import HIDDEN, own, spoken
from strata.domain.knowledge.statements import Said, Sighting
from strata.domain.relevance.everyday import CHINESE, COMMON_SUBJECTS, EVERYDAY
from strata.domain.relevance.small_talk import FILLERS as TALK
from strata.domain.relevance.small_talk import GREETINGS, REACTIONS
from strata.domain.supersession.vocabulary import TIMES
from strata.domain.text.analysis import words
from strata.domain.text.common import is_common, is_spanish, stem
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
_FUNCTION = ENGLISH | SPANISH | GREETINGS | REACTIONS | TIMES
_BEFORE_A_CAPITAL = frozenset('.!?:;"\u201c\u00ab\u00bf\u00a1*>-(\n')
_NO_NOUN = re.compile(r"\w{2,}(?:ly|ful|less|ous|ical|mente|os[oa]s?|ibles?)|\w{4,}ed")
"""The endings of adverbs and of adjectives, which name no subject."""
_ADDRESS = re.compile(r"(?:[,;:!.?\u2026]|\b(?:hey|hi|hello|thanks|wow|hola|oye|gracias|cool|bye)) *\Z")
_AFTER_ADDRESS = re.compile(r" *(?:[,;:!.?\u2026]|\Z)")
_NOT = re.compile(
    r"\b(?:not|never|no longer|no more|without|instead of|rather than|gone off|gave up|given up|stopped|quit"
    r"|hate|skip|\w+n't|cannot|nunca|jamas|ya no|sin|en vez de|en lugar de|deje|dejado|odio|tampoco)\b"
    r"[^,;:]{0,40}\Z"
)


def mentions(said: Said, stated: Sequence[Sighting] = ()) -> Iterator[Sighting]:
    """The subjects that the person's own words touch, each once a message.

    The name of somebody who is spoken to speaks against a subject: "thanks, Maria" is not about Maria.

    Sentences of `stated`, which state a value outright, count no second time.
    """
    if len(said.text) > LONGEST:
        return
    written = own(said.text)
    folded = own_part(fold(written, keep_length=True))
    spanish = is_spanish(words(folded))
    told = {each.quote for each in stated if each.single}
    seen: set[str] = set()
    for sentence in spoken(folded):
        quote = said.text[sentence.start : sentence.end].strip()
        if any(each in quote for each in told):
            continue
        whole = is_said(written, folded, sentence.start, sentence.end)
        for found in _WORD.finditer(folded, sentence.start, sentence.end):
            word = found.group().removesuffix("'s")
            name = _is_name(written, word, sentence.start, found.start())
            key = stem(word, spanish=spanish)
            if (
                key in seen
                or len(seen) == MOST
                or HIDDEN in word
                or "'" in word
                or _NO_NOUN.fullmatch(word)
                or not (name or is_telling(word, spanish=spanish))
            ):
                continue
            if not (whole or is_said(written, folded, sentence.start, found.start() + 1)):
                break
            seen.add(key)
            spoken_to = written[found.start()].isupper() and _is_address(folded, sentence.start, found)
            against = spoken_to or _NOT.search(folded, sentence.start, found.start()) is not None
            value = said.text[found.start() : found.start() + len(word)]
            yield Sighting(f"mentions:{key}", value, False, against, False, quote, said.at, said.source)


def _is_name(written: str, word: str, begin: int, start: int) -> bool:
    """Whether a word has a capital that its place does not ask for; names may be everyday words."""
    if not written[start].isupper() or word in _FUNCTION or len(word) < _SHORTEST:
        return False
    return begin < start and written[begin:start].rstrip()[-1:] not in _BEFORE_A_CAPITAL


def _is_address(folded: str, begin: int, word: re.Match[str]) -> bool:
    """Whether a name stands alone between commas: the one who is spoken to."""
    before = folded[begin : word.start()]
    alone = not before.strip() or _ADDRESS.search(before) is not None
    return alone and _AFTER_ADDRESS.match(folded, word.end()) is not None


def is_silent(word: str) -> bool:
    """Whether a folded word names no subject."""
    return len(word) < _SHORTEST or word in _SILENT


def is_telling(word: str, *, spanish: bool) -> bool:
    """Whether a folded word is one that not everybody uses."""
    return not is_silent(word) and not is_common(word, spanish=spanish)
