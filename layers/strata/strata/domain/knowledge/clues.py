"""Clues by which statements are found: what is known of each word of a message, of its sentence, and of those around it.

Fitted weights say what each clue is worth. They know the clues by their names, so whoever changes a name or what it
stands for fits them anew: `python -m evals.conclusions fit`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from strata.domain.entities.clues import listed, lists_with, shape
from strata.domain.entities.reading import Word
from strata.domain.entities.vocabulary import ROLES
from strata.domain.knowledge.topics import topics_of_word
from strata.domain.text.common import common_stem
from strata.domain.text.stop_words import ENGLISH, SPANISH

_NEAR, _FAR = 2, 4
"""The distances up to which everything is told of a word, and up to which only the word is."""
_TOPICS = 3
"""The distance up to which a word's topics are told."""
_BEFORE, _AFTER = 9, 6
"""So many words before and after are told without their places."""
_SELF = frozenset(
    """
    i i'm im i've ive i'd i'll me my mine we we're we've us our ours myself
    yo mi mis me conmigo nos nuestro nuestra nuestros nuestras soy estoy tengo vivo trabajo
    """.split()  # noqa: SIM905
)
_SELF_WITHIN = 11
_FARTHEST_SELF = 6
_MARKS = ("ord", "fn", "pl")


@dataclass(frozen=True, slots=True)
class _Read:
    """A message's words with what is told of each of them by others.

    Attributes:
        words: in order.
        sentences: the number of the sentence of each word.
        stems: of each word.
        own: the clues of each word alone.
        topics: of each word.
    """

    words: Sequence[Word]
    sentences: Sequence[int]
    stems: Sequence[str]
    own: Sequence[Sequence[str]]
    topics: Sequence[Sequence[str]]

    def at(self, place: int, like: int) -> str:
        """The word at a place if it is in the sentence of another one; else "_"."""
        if 0 <= place < len(self.words) and self.sentences[place] == self.sentences[like]:
            return self.words[place].fold
        return "_"


def clues(text: str, words: Sequence[Word]) -> Iterator[list[str]]:
    """The clues of each word of a message, in order.

    Args:
        text: the message.
        words: its words, one at least.
    """
    number = -1
    sentences = [number := number + (word.begins or not at) for at, word in enumerate(words)]
    stems = [common_stem(word.fold) for word in words]
    topics = [[f"t{topic}" for topic in topics_of_word(stem)[:4]] for stem in stems]
    read = _Read(words, sentences, stems, [_own(word) for word in words], topics)
    whole = [*_of_message(text, read), *(["topical"] if any(topics) else [])]
    of_sentences = [_of_sentence(text, read, each) for each in range(number + 1)]
    in_lists = listed(words)
    for at in range(len(words)):
        yield [
            *whole,
            *of_sentences[sentences[at]],
            *read.own[at],
            *in_lists[at],
            *_of_word(read, at),
            *_around(read, at),
            *_joined(read, at),
            *_self(read, at),
            *_role(read, at),
        ]


def _of_message(text: str, read: _Read) -> Iterator[str]:
    yield "b"
    if sum(word.fold in SPANISH for word in read.words) > sum(word.fold in ENGLISH for word in read.words):
        yield "es"
    if read.sentences[-1] == 0:
        yield "M1"
    if text.rstrip().endswith("?"):
        yield "M?"


def _of_sentence(text: str, read: _Read, number: int) -> list[str]:
    inside = [at for at, each in enumerate(read.sentences) if each == number]
    first, last = inside[0], inside[-1]
    after = read.words[last + 1].start if last + 1 < len(read.words) else len(text)
    before = read.words[first - 1].end if first else 0
    found = [f"S0={read.words[first].fold}", f"Slen={min(len(inside) // 4, 5)}"]
    if "?" in text[read.words[last].end : after] or "\u00bf" in text[before : read.words[first].start]:
        found.append("S?")
    told = {read.words[at].fold for at in inside}
    if not _SELF.isdisjoint(told):
        found.append("S self")
    if not ROLES.isdisjoint(told):
        found.append("S role")
    if len(inside) > 1:
        found.append(f"S01={read.words[first].fold}_{read.words[first + 1].fold}")
    return found


def _own(word: Word) -> tuple[str, ...]:
    """The clues of a word that hold wherever it stands: its shape, its capital, the lists that have it."""
    capital = ("cap",) if word.begins else ("cap", "capin")
    return (f"sh={shape(word.text)}", *(capital if word.capital else ()), *lists_with(word.fold))


def _of_word(read: _Read, at: int) -> Iterator[str]:
    word = read.words[at]
    yield f"si={min(read.sentences[at], 2)}"
    yield f"sl={min(read.sentences[-1] - read.sentences[at], 2)}"
    yield f"w={word.fold}"
    yield f"st={read.stems[at]}"
    yield f"p3={word.fold[:3]}"
    yield from (f"s{length}={word.fold[-length:]}" for length in (2, 3))
    if word.capital:
        marks = [mark for mark in _MARKS if mark in read.own[at]]
        yield "&".join(("cap", "beg" if word.begins else "in", *marks))
    yield from read.topics[at]
    yield "of topic" if read.topics[at] else "of no topic"


def _around(read: _Read, at: int) -> Iterator[str]:
    for distance in (*range(-_FAR, 0), *range(1, _FAR + 1)):
        place = at + distance
        if not 0 <= place < len(read.words):
            yield f"{distance}none"
            continue
        prefix = f"{distance}{'|' * (read.sentences[place] != read.sentences[at])}"
        yield f"{prefix}w={read.words[place].fold}"
        yield f"{prefix}st={read.stems[place]}"
        if abs(distance) <= _NEAR:
            yield from (prefix + each for each in read.own[place])
        if abs(distance) == 1 and read.words[max(place, at)].comma:
            yield f"{distance}comma"
        if abs(distance) <= _TOPICS:
            yield from (f"{'<' if distance < 0 else '>'}{each}" for each in read.topics[place])
    yield from (f"L={read.stems[each]}" for each in _beside(read, at, range(max(0, at - _BEFORE), at)))
    yield from (f"R={read.stems[each]}" for each in _beside(read, at, range(at + 1, at + _AFTER + 1)))


def _beside(read: _Read, at: int, places: range) -> Iterator[int]:
    for each in places:
        if each < len(read.words) and read.sentences[each] == read.sentences[at]:
            yield each


def _joined(read: _Read, at: int) -> Iterator[str]:
    """Words before and after together, and with the word's own writing."""
    third, second, first = (read.at(at - back, at) for back in (3, 2, 1))
    after, then = read.at(at + 1, at), read.at(at + 2, at)
    written = shape(read.words[at].text)
    yield f"b-={second}_{first}"
    yield f"b0={first}_{read.words[at].fold}"
    yield f"b+={after}_{then}"
    yield f"t-={third}_{second}_{first}"
    yield f"c-={first}_{written}"
    yield f"c+={written}_{after}"
    yield f"v-={second}_{first}_{read.words[at].capital}"


def _self(read: _Read, at: int) -> Iterator[str]:
    """The nearest word for oneself before a word in its sentence, how far it is, and the word after it."""
    places = [at, *reversed(range(max(0, at - _SELF_WITHIN), at))]
    for after, place in pairwise(places):
        if read.sentences[place] != read.sentences[at]:
            return
        word = read.words[place].fold
        if word in _SELF:
            yield f"self={word}:{min(at - place, _FARTHEST_SELF)}"
            yield f"selfv={word}_{read.words[after].fold if after < at else '_'}"
            return


def _role(read: _Read, at: int) -> Iterator[str]:
    """The nearest word for a relative or another role before a word in its sentence, and what follows it.

    Besides, whether something before belongs to somebody in a role: "my neighbour's dentist".
    """
    before = _beside(read, at, range(max(0, at - _SELF_WITHIN), at))
    if any(read.words[each].possessive and read.words[each].fold in ROLES for each in before):
        yield "role's"
    for place in reversed(range(max(0, at - _SELF_WITHIN), at)):
        if read.sentences[place] != read.sentences[at]:
            return
        word = read.words[place]
        if word.fold in ROLES:
            yield f"role={word.fold}{'+' * word.possessive}"
            yield f"rolev={read.words[place + 1].fold if place + 1 < at else '_'}"
            return
