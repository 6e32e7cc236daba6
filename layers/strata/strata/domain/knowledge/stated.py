"""Values that people state of themselves: which words of a message, and whether they hold from now on."""

from collections.abc import Callable, Iterator, Sequence

from strata.domain.entities.reading import Word
from strata.domain.entities.reading import words as read_words
from strata.domain.facts.patterns.guards import own_part
from strata.domain.facts.patterns.reading import own
from strata.domain.knowledge.clues import clues
from strata.domain.knowledge.statements import ENDED, STATED, Said, Sighting
from strata.domain.knowledge.tags import Chances, Value, values_of
from strata.domain.knowledge.wording import quoted
from strata.domain.text.common import common_stem
from strata.domain.text.folding import fold
from strata.domain.text.stop_words import ENGLISH, SPANISH

Tagger = Callable[[Sequence[Sequence[str]]], Sequence[Chances]]
"""From the clues of each word of a message to the probabilities of its tags.

It raises `ModelFailed` where its weights cannot be loaded.
"""

LONGEST = 1_000
"""The most characters of a message that are read: who says much tells of more than one moment."""
LEAST = 0.4
"""The least probability of a value that is kept: one that is not likely enough alone may take an older one's place."""

_LONGEST_QUOTE = 300


def stated(said: Said, tagger: Tagger) -> Iterator[Sighting]:
    """The values that a person states of themselves in a message, in order, and those that they say ended.

    Text that is quoted, pasted or handed over is none of theirs.
    """
    if len(said.text) > LONGEST:
        return
    written = own(said.text)
    words = read_words(own_part_of(written))
    if not words:
        return
    about: tuple[str, ...] | None = None
    for value in values_of(tagger(list(clues(written, words))), LEAST):
        about = about or tuple(sorted(set(stems(words))))
        yield _sighting(said, words, value, about)


def own_part_of(written: str) -> str:
    """The text up to where material for a task or a role play begins."""
    return written[: len(own_part(fold(written, keep_length=True)))]


def stems(words: Sequence[Word]) -> tuple[str, ...]:
    """The stems of the words that are no function words, in order."""
    told = (word.fold for word in words)
    return tuple(common_stem(word) for word in told if len(word) > 1 and word not in ENGLISH | SPANISH)


def _sighting(said: Said, words: Sequence[Word], value: Value, about: tuple[str, ...]) -> Sighting:
    start, end = _sentence(words, value)
    quote = said.text[start:end].strip()
    named = stems(words[value.first : value.last]) or tuple(
        word.fold for word in words[value.first : value.last]
    )
    return Sighting(
        ENDED if value.tense == "old" else f"{STATED}:{' '.join(sorted(named))}",
        said.text[words[value.first].start : words[value.last - 1].end],
        single=value.tense != "old",
        against=False,
        stated=True,
        quote=quote,
        at=said.at,
        source=said.source,
        says=quoted(" ".join(quote.split()), said.text),
        changes=value.tense != "now",
        about=about,
        sure=round(value.sure, 2),
    )


def _sentence(words: Sequence[Word], value: Value) -> tuple[int, int]:
    """Where the sentence of a value begins and ends, without its mark; of a long one the part around the value."""
    first, last = value.first, value.last - 1
    start, end = words[first].start, words[last].end
    while not words[first].begins and first and end - words[first - 1].start <= _LONGEST_QUOTE:
        first -= 1
        start = words[first].start
    while last + 1 < len(words) and not words[last + 1].begins:
        if words[last + 1].end - start > _LONGEST_QUOTE:
            break
        last += 1
        end = words[last].end
    return start, end
