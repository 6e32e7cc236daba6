"""Readers of a place or a language at the position that a pattern found."""

from strata.domain.facts.languages import LANGUAGES
from strata.domain.facts.patterns.names import capital_next
from strata.domain.facts.patterns.tables.stops import ARTICLES, LINKS, MODIFIERS_STOP, NO_PLACES, VERBS_STOP
from strata.domain.facts.patterns.tables.words import TOWNS, word_set
from strata.domain.facts.patterns.turns import Span, Turn, Word, following, is_capital, phrase

NEAR = frozenset(["near", "outside", "cerca", "afueras"])
"""Words that begin a place which is told by one near it."""
_INTO = word_set(
    """
    in near of outside by de en from at to del off around
    """
)
_COMPASS = word_set(
    """
    north south east west northern southern eastern western norte sur este oeste outskirts rural central
    upstate downtown greater interior
    """
)
_PLACE_STOP = (MODIFIERS_STOP | VERBS_STOP | LINKS) - frozenset(("just", "right", "hace"))


_OFFICES = frozenset(
    ("support", "sales", "team", "marketing", "hr", "inc", "corp", "ltd", "bank", "banco", "soporte")
)


def place(turn: Turn, start: int, end: int) -> list[Span]:
    """A town, region or country, by its name or relative to one ("near Galway")."""
    near: Word | None = None
    before: Word | None = None
    for count, word in enumerate(following(turn, start, end, 14)):
        if is_capital(turn, word) and word.text not in _PLACE_STOP:
            led = before is None or before.text in ARTICLES or before.text in _INTO or before.text in _COMPASS
            if not led or word.text in NO_PLACES or word.text in LANGUAGES:
                return []
            last = name_end(turn, word, end)
            inside = turn.folded[word.start : last].split()
            return [] if _OFFICES.intersection(inside) else [Span((near or word).start, last)]
        if word.text in _PLACE_STOP:
            break
        if word.text in NEAR or word.text in _COMPASS:
            near = near or word
        if word.text in TOWNS and (before is None or before.text in _INTO):
            return [Span((near or word).start, word.end)]
        if count == 0 and turn.casual and (found := _casual_place(turn, start, end)):
            return found
        before = word
    return []


def _casual_place(turn: Turn, start: int, end: int) -> list[Span]:
    words, _ = phrase(
        turn, start, end, 3, frozenset(("with", "con", "in", "en", "near", "for", "por", "and", "at"))
    )
    if not 1 <= len(words) <= 2 or any(word.text in NO_PLACES or not word.text.isalpha() for word in words):
        return []
    return [Span(words[0].start, words[-1].end)] if len(words[0].text) > 3 else []


def name_end(turn: Turn, word: Word, end: int) -> int:
    """The end of a place name that begins with this word."""
    last = word.end
    for later in following(turn, word.end, end, 5):
        if is_capital(turn, later) and later.text not in VERBS_STOP:
            last = later.end
        elif not (
            later.text in {"de", "del", "la", "los", "las", "of", "the", "upon", "el"}
            and capital_next(turn, later, end)
        ):
            break
    return last


def known_town(turn: Turn, start: int, end: int) -> list[Span]:
    """A known town, where the text could also name a company."""
    first = next(following(turn, start, end, 1), None)
    return place(turn, start, end) if first is not None and first.text in TOWNS else []


def language(turn: Turn, start: int, end: int) -> list[Span]:
    """The name of a language."""
    first = next(following(turn, start, end, 1), None)
    return [Span(first.start, first.end)] if first is not None and first.text in LANGUAGES else []
