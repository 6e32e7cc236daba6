"""Values that people state of themselves: which words of a message, and whether they hold from now on."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from strata.domain.entities.reading import Word
from strata.domain.entities.reading import words as read_words
from strata.domain.entities.vocabulary import ROLES
from strata.domain.facts.patterns.guards import ORDERS_MEMORY, is_said, own_part
from strata.domain.facts.patterns.reading import HIDDEN, own, spoken
from strata.domain.knowledge.statements import ENDED, STATED, Said, Sighting
from strata.domain.knowledge.tags import Chances, Value, likeliest, values_of
from strata.domain.knowledge.wording import quoted
from strata.domain.text.common import common_stem
from strata.domain.text.folding import fold
from strata.domain.text.sentences import Sentence
from strata.domain.text.stop_words import ENGLISH, SPANISH

Tagger = Callable[[str, Sequence[Word]], Sequence[Chances]]
"""From a message and its words to the probabilities of each word's tags.

It raises `ModelFailed` where its weights cannot be loaded.
"""

LONGEST = 1_000
"""The most characters of a message that are read: who says much tells of more than one moment."""
LIKELY = 0.4
"""The probability from which every value of a message is kept."""
LEAST = 0.005
"""The least probability of a message's likeliest value, which is kept where it has no likely one: it may take an older
one's place."""

_HIDDEN = re.compile(f"{HIDDEN}+")
_NEARLY = 0.6
_AROUND_QUOTES = " \t\n\"'\u201c\u201d\u2018\u2019\u00ab\u00bb`:"
"""Marks around a quotation, which are cut off the end of the words before it."""
_LONGEST_QUOTE = 300
_ASKS = re.compile(
    r"[\s\u00bf]*(?:is|are|was|were|should|shall|would|es|son|era|fue|sera|deberia|conviene|me (?:cambio|paso|mudo|conviene))\b"
)
_ENDED = re.compile(
    r"\b(?:no longer|stopped|quit|left|gave up|given up|not .{0,20}any ?more|ya no|deje|dejado|dejamos|de baja|me fui|me sali)\b(?:(?!\b(?:and|so|y|since|que)\b)[^,;:]){0,40}\Z"
)
"""Words before a value that say that it holds no more."""
_PASSES = re.compile(
    r"\b(?:this (?:week|weekend|morning|evening)|until|till|for (?:now|the (?:day|week|weekend)|a (?:day|few|week|while))"
    r"|on (?:holiday|vacation|loan)|rental|hasta|esta semana|este finde|de (?:vacaciones|viaje|visita|paso)|por ahora|de momento)\b"
)
"""Words of what holds for a while."""
_NOT = re.compile(
    r"\b(?:not|never|nobody|\w+n't|cannot|nunca|jamas|tampoco|ni|no)\b(?:(?!\b(?:and|so|y|since|que)\b)[^,;:]){0,25}\Z"
)


def stated(said: Said, tagger: Tagger, least: float = LEAST) -> Iterator[Sighting]:
    """The values that a person states of themselves in a message, in order, and those that they say ended.

    Text that is quoted, pasted or handed over is none of theirs, and what is asked, supposed or denied is not stated.

    Args:
        said: the message.
        tagger: tags its words.
        least: the least probability of the likeliest value of a message without a likely one.
    """
    if len(said.text) > LONGEST:
        return
    written = own(said.text)
    words = read_words(own_part_of(written))
    folded = fold(written, keep_length=True)
    if not words or ORDERS_MEMORY.search(folded):
        return
    chances = tagger(written, words)
    message = _Message(said, written, folded, words)
    found = list(message.sightings(values_of(chances, LIKELY)))
    best = likeliest(chances)
    if best > least and not any(each.single for each in found):
        doubtful = message.sightings(values_of(chances, min(LIKELY, best * _NEARLY)))
        found += sorted((each for each in doubtful if each.single), key=lambda each: -each.sure)[:1]
    yield from found


class _Message:
    """The part of a message that is read for values, which its person wrote."""

    def __init__(self, said: Said, written: str, folded: str, words: Sequence[Word]) -> None:
        self._said = said
        self._written = written
        self._folded = folded
        self._words = words
        self._sentences = list(spoken(folded))
        self._own = own_words(said.text)

    def sightings(self, values: Iterable[Value]) -> Iterator[Sighting]:
        """The sightings of those values that the person states."""
        for value in values:
            start, end = self._words[value.first].start, self._words[value.last - 1].end
            sentence = next((each for each in self._sentences if each.start <= start < each.end), None)
            if sentence is None or not _is_plain(self._written, self._folded, sentence, end, value):
                continue
            if not is_said(self._written, self._folded, sentence.start, start):
                continue
            if _is_of_others(self._words, sentence, start):
                continue
            before = self._folded[sentence.start : start]
            ended = value.tense == "old" or _ENDED.search(before) is not None
            if ended or not _NOT.search(before):
                yield _sighting(
                    self._said, self._words, value, self._own, ended=ended, until=self._until(value)
                )

    def _until(self, value: Value) -> int:
        """Where the text after a value begins that its person did not write."""
        hidden = self._written.find(HIDDEN, self._words[value.last - 1].end)
        return len(self._written) if hidden < 0 else hidden


def _is_plain(written: str, folded: str, sentence: Sentence, end: int, value: Value) -> bool:
    """Whether a sentence has nothing hidden up to a value's end, does not ask for it, and tells of no more than a while.

    "Is my dentist Dr Weller?" asks for it; "When does Dr Weller, my dentist, open?" does not.
    """
    if HIDDEN in written[sentence.start : end]:
        return False
    if sentence.asks and _ASKS.match(folded, sentence.start):
        return False
    return value.tense != "now" or not _PASSES.search(folded, sentence.start, sentence.end)


def _is_of_others(words: Sequence[Word], sentence: Sentence, start: int) -> bool:
    """Whether something before a value belongs to somebody in a role: "my neighbour's dentist is Dr Weller"."""
    return any(
        each.possessive and each.fold in ROLES for each in words if sentence.start <= each.start < start
    )


def own_part_of(written: str) -> str:
    """The text up to where material for a task or a role play begins."""
    return written[: len(own_part(fold(written, keep_length=True)))]


def own_words(text: str) -> str:
    """What its person wrote in a message themselves: nothing quoted, pasted or handed over."""
    return _HIDDEN.sub(" ", own_part_of(own(text))).strip()


def stems_of(text: str) -> tuple[str, ...]:
    """The stems of a text's words, each once, by which a statement and a later one are matched."""
    return tuple(sorted(set(stems(read_words(text)))))


def stems(words: Sequence[Word]) -> tuple[str, ...]:
    """The stems of the words that are no function words, in order."""
    told = (word.fold for word in words)
    return tuple(common_stem(word) for word in told if len(word) > 1 and word not in ENGLISH | SPANISH)


def _sighting(
    said: Said, words: Sequence[Word], value: Value, message: str, *, ended: bool, until: int
) -> Sighting:
    start, end = _sentence(words, value)
    quote = said.text[start:end].strip() if end <= until else said.text[start:until].strip(_AROUND_QUOTES)
    named = stems(words[value.first : value.last]) or tuple(
        word.fold for word in words[value.first : value.last]
    )
    return Sighting(
        ENDED if ended else f"{STATED}:{' '.join(sorted(named))}",
        said.text[words[value.first].start : words[value.last - 1].end],
        single=not ended,
        against=False,
        stated=True,
        quote=quote,
        at=said.at,
        source=said.source,
        says=quoted(" ".join(quote.split()), said.text),
        changes=ended or value.tense == "new",
        message=message,
        sure=round(value.sure, 2),
    )


def _sentence(words: Sequence[Word], value: Value) -> tuple[int, int]:
    """The span of a value's sentence without its closing mark; of a long one, of the part around the value."""
    first, last = value.first, value.last - 1
    while first and not words[first].begins:
        if words[last].end - words[first - 1].start > _LONGEST_QUOTE:
            break
        first -= 1
    while last + 1 < len(words) and not words[last + 1].begins:
        after = words[last + 1]
        if after.end - words[first].start > _LONGEST_QUOTE:
            break
        last += 1
    return words[first].start, words[last].end
