"""Readers of other values at the position that a pattern found: their beginning, end and validity."""

import re

from strata.domain.facts.languages import LANGUAGES
from strata.domain.facts.patterns.tables.stops import (
    ARTICLES,
    LINKS,
    MODIFIERS_STOP,
    NO_THINGS,
    PREPOSITIONS,
    TAILS,
    VAGUE,
    VERBS_STOP,
)
from strata.domain.facts.patterns.tables.verbs import BEGINS, TASTES
from strata.domain.facts.patterns.tables.words import word_set
from strata.domain.facts.patterns.turns import Reader, Span, Turn, Word, following, is_capital, phrase
from strata.domain.text.sentences import ABBREVIATIONS

_GAP = re.compile(r"[ ]*")


def things(most: int = 5, stops: frozenset[str] = frozenset(), *, listed: bool = True) -> Reader:
    """A reader of one value, or of several in a list, each of at most `most` words."""

    def read(turn: Turn, start: int, end: int) -> list[Span]:
        found: list[Span] = []
        waiting: list[Span] = []
        linked = True
        # After "to" further verbs are things: "I like to read and write poems".
        clause = TASTES if _TO_DO.search(turn.folded, max(0, start - 12), start) else BEGINS
        while len(found) + len(waiting) < 6:
            if found and _begins(clause, turn, start, end):
                found += waiting
                return sorted(found, key=lambda span: span.start)
            words, stop = phrase(turn, start, end, most + 1, stops)
            words = _trimmed(words)
            if stop is not None and words and words[-1].text in ABBREVIATIONS:
                break  # a name that the word after it belongs to: "Dr. Who"
            if not _is_thing(words, most) or _is_joined(turn, words[0]):
                break
            if (found or waiting) and stop is not None and stop.text not in MODIFIERS_STOP | LINKS | stops:
                break
            (found if linked else waiting).append(Span(words[0].start, words[-1].end))
            if linked:
                found += waiting
                waiting = []
            after = stop.start if stop else _after(turn, words[-1].end, end)
            if stop is not None and stop.text in LINKS:
                start, linked = stop.end, True
            elif stop is None and turn.folded[after : after + 1] == ",":
                rest = next(following(turn, after + 1, end, 1), None)
                linked = rest is not None and rest.text in LINKS
                start = rest.end if rest is not None and linked else after + 1
            else:
                break
            if not listed:
                break
        if len(waiting) > 1:
            found += waiting
        return sorted(found, key=lambda span: span.start)

    return read


_TO_DO = re.compile(r"(?:love|like|enjoy|prefer) to $")


def _begins(clause: re.Pattern[str], turn: Turn, start: int, end: int) -> bool:
    """Whether a clause of its own begins where a list could go on."""
    return clause.match(turn.folded, _after(turn, start, end), end) is not None


def _after(turn: Turn, start: int, end: int) -> int:
    gap = _GAP.match(turn.folded, start, end)
    return gap.end() if gap else start


_FOR_EXAMPLE = frozenset(("e.g", "i.e", "approx", "aprox", "ca", "cf"))
_DEFINITE = frozenset(("the", "el", "la", "los", "las"))


def _trimmed(words: list[Word]) -> list[Word]:
    """The words without a leading article and without intensifiers at the end; none for "the blue one"."""
    if words and words[0].text in _DEFINITE and words[-1].text in VAGUE:
        return []
    while words and words[0].text in _FOR_EXAMPLE:
        words = words[1:]
    while words and words[0].text in ARTICLES and len(words) > 1 and words[1].text not in VAGUE:
        words = words[1:]
    cut = True
    while cut and words:
        cut = False
        for tail in TAILS:
            if len(words) >= len(tail) and tuple(word.text for word in words[-len(tail) :]) == tail:
                words, cut = words[: -len(tail)], True
                break
    return words


def _is_thing(words: list[Word], most: int) -> bool:
    if not words or len(words) > most or words[0].text in NO_THINGS or words[0].text in VAGUE:
        return False
    if words[0].text in ARTICLES:
        return False
    return any(character.isalpha() for character in words[0].text) and len(words[0].text) > 1


def _is_joined(turn: Turn, word: Word) -> bool:
    return word.text in PREPOSITIONS and not is_capital(turn, word)


_NO_TOOLS = frozenset(
    [
        "gafas",
        "lentes",
        "glasses",
        "crutches",
        "contacts",
        "lentillas",
        "muletas",
        "audifonos",
        "drugs",
        "insulina",
        "insulin",
    ]
)


def tool(turn: Turn, start: int, end: int) -> list[Span]:
    """A tool that somebody uses: a name or a single noun without an article or a possessive."""
    first = next(following(turn, start, end, 1), None)
    if first is None or first.text in ARTICLES | _NO_TOOLS or first.text[0].isdigit():
        return []
    stops = word_set(
        """
    for on in at to with from as para en con a por de all every asi so here mainly exclusively daily
    everyday todos todo desde
    """
    )
    found = things(3, stops)(turn, start, end)
    return [
        span
        for span in found
        if turn.written[span.start].isupper() or " " not in turn.written[span.start : span.end]
    ]


_NOT_ALONE = word_set(
    """
    no not never nunca ya que it this that lo y and i do don't does is me te le se
    """
)


def stands_alone(folded: str) -> bool:
    """Whether the words that a pattern marked can be a value."""
    words = folded.split()
    return (
        bool(words) and words[0] not in NO_THINGS | VAGUE | VERBS_STOP and not _NOT_ALONE.intersection(words)
    )


_ORDER_STOP = word_set(
    """
    from always ever please pls por porfa nunca jamas siempre going by y pero because so when whenever
    but until unless instead rather not if porque que cuando si a_partir desde and i i'm we thanks
    gracias en_adelante por_favor the_moment whatever regardless no everywhere even aunque
    """
)


_TRAILING = PREPOSITIONS | word_set("in to a the en de for and me with on of")
_OF_THE_TASK = VAGUE - {"answers", "answer", "results", "code", "respuesta", "help", "point"}


def order(turn: Turn, start: int, end: int) -> list[Span]:
    """An instruction for every answer: something to do or to avoid."""
    words: list[Word] = []
    for word in following(turn, start, end, 10):
        if word.text in _ORDER_STOP:
            break
        words.append(word)
    while words and words[0].text in ARTICLES | {
        "your",
        "my",
        "tus",
        "mis",
        "with",
        "con",
        "any",
        "so",
        "many",
        "of",
    }:
        words = words[1:]
    while words and words[-1].text in _TRAILING:
        words = words[:-1]
    if not 1 <= len(words) <= 7 or words[0].text in NO_THINGS - {
        "less",
        "more",
        "menos",
        "mas",
        "no",
        "in",
        "en",
        "con",
        "one",
    }:
        return []
    if any(word.text in LANGUAGES for word in words) or words[0].text in _OF_THE_TASK:
        return []
    return [Span(words[0].start, words[-1].end)]
