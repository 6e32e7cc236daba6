"""Readers of a profession or a field of study."""

from itertools import takewhile

from strata.domain.facts.languages import LANGUAGES
from strata.domain.facts.patterns.names import is_full_name
from strata.domain.facts.patterns.places import name_end, place
from strata.domain.facts.patterns.tables.stops import LINKS, NO_PLACES, PREPOSITIONS, ROLE_STOP, VERBS_STOP
from strata.domain.facts.patterns.tables.words import NO_TRADES, TOWNS, TRADE_ENDINGS, TRADES, word_set
from strata.domain.facts.patterns.turns import Span, Turn, Word, following, is_capital

_BEFORE_PLACE = frozenset(("in", "en", "from", "de"))


def is_trade(word: str) -> bool:
    """Whether a word is a profession, in the singular or the plural."""
    parts = word.replace("/", "-").split("-")
    return word not in NO_TRADES and any(
        part in TRADES
        or part.removesuffix("s") in TRADES
        or part.removesuffix("es") in TRADES
        or part.endswith(TRADE_ENDINGS)
        for part in (word, *parts)
    )


def trade(turn: Turn, start: int, end: int) -> list[Span]:
    """A profession, with the place and the employer."""
    found: list[Span] = []
    for _ in range(2):
        words, stop = _role_words(turn, start, end)
        while words and words[0].text in {"a", "an", "the", "un", "una", "el", "la", "also", "currently"}:
            words = words[1:]
        if not _has_trade(words) or any(_is_owner(turn, word) for word in words) or _is_name(turn, words):
            break
        words = _without_place(turn, words)
        found.append(Span(words[0].start, words[-1].end))
        if stop is None or stop.text not in LINKS:
            break
        start = stop.end
    return found


_PLAIN_LINKS = frozenset(("de", "del", "en", "para", "con"))
_PLAIN_ARTICLES = frozenset(("el", "la", "los", "las", "un", "una"))


def bare_trade(turn: Turn, start: int, end: int) -> list[Span]:
    """A profession with its object only, because the sentence goes on without a mark ("como maestra veo")."""
    found = trade(turn, start, end)[:1]
    if not found:
        return []
    words = list(following(turn, found[0].start, found[0].end, 10))
    last = next(index for index, word in enumerate(words) if is_trade(word.text))
    while last + 2 < len(words) and words[last + 1].text in _PLAIN_LINKS:
        last += 3 if words[last + 2].text in _PLAIN_ARTICLES and last + 3 < len(words) else 2
    return [Span(words[0].start, words[last].end)]


def _is_name(turn: Turn, words: list[Word]) -> bool:
    """Whether words begin with a name that has a profession in it, and have none besides ("Kate Butler from Ohio")."""
    name = list(takewhile(lambda word: turn.casual or is_capital(turn, word), words))
    if turn.casual:
        name = name[:2]
    return bool(name) and is_full_name(name) and not any(is_trade(word.text) for word in words[len(name) :])


def _is_owner(turn: Turn, word: Word) -> bool:
    """Whether a word names the owner of the following ("John's accountant")."""
    return word.text.endswith("'s") and is_capital(turn, word)


def _has_trade(words: list[Word]) -> bool:
    for word in words[:6]:
        if word.text in {"of", "at", "in", "for", "with", "de", "en", "para", "con", "to", "by", "on"}:
            return False
        if is_trade(word.text):
            return True
    return False


def work(turn: Turn, start: int, end: int) -> list[Span]:
    """Any statement of work: a profession, an employer, a field."""
    words, stop = _role_words(turn, start, end)
    if not words or words[0].text in _NO_WORK or words[0].text[0].isdigit():
        return []
    if (
        stop is not None
        and stop.text in VERBS_STOP
        and stop.text not in {"i", "i'm", "im", "we", "y", "soy", "vivo", "tengo"}
    ):
        return []
    while len(words) > 1 and words[0].text in {"a", "an", "the", "un", "una", "el", "la"}:
        words = words[1:]
    words = _without_place(turn, words)
    return [Span(words[0].start, words[-1].end)]


_NO_WORK = word_set(
    """
    home night nights weekends weekend this that these those it them him her us you me peanuts living
    hours free fun money days day long hard the_moment joke if it's what how whom myself itself esto eso
    ello casa noche noches dia sol mi tu su ti nada lo este esta ese esa ellos domingo sabado remoto
    negro gratis loco loca burro burra mula esclavo esclava bestia animal lunes martes chino china enano
    gusto maravilla vivir comer
    """
)


_TRAILING = PREPOSITIONS | word_set(
    "at in for of the de en a by with para con to here aqui aca an my mi on currently full-time from"
)


def _role_words(turn: Turn, start: int, end: int) -> tuple[list[Word], Word | None]:
    words, stop = _phrase_of(turn, start, end, 10)
    while words and words[-1].text in _TRAILING:
        words = words[:-1]
    texts = [word.text for word in words]
    for tail in (
        ("by", "trade"),
        ("by", "profession"),
        ("by", "training"),
        ("de", "profesion"),
        ("at", "the", "moment"),
        ("for", "a", "living"),
    ):
        if tuple(texts[-len(tail) :]) == tail:
            words = words[: -len(tail)]
    return words, stop


def _phrase_of(turn: Turn, start: int, end: int, most: int) -> tuple[list[Word], Word | None]:
    words: list[Word] = []
    for word in following(turn, start, end, most):
        if word.text in LINKS or word.text in ROLE_STOP:
            return words, word
        words.append(word)
    return words, None


def _without_place(turn: Turn, words: list[Word]) -> list[Word]:
    """The words without a town at the end, which is a fact of its own."""
    for at in range(1, len(words) - 1):
        if words[at].text in _BEFORE_PLACE and _is_town(turn, words[at].text, words[at + 1]):
            return words[:at]
    return words


def _is_town(turn: Turn, before: str, word: Word) -> bool:
    if word.text in LANGUAGES or word.text in NO_PLACES:
        return False
    return word.text in TOWNS or (before in {"in", "from"} and is_capital(turn, word))


def town_of_work(turn: Turn, span: Span, end: int) -> list[Span]:
    """The town right after a role, as in "a nurse in Leeds"."""
    words = list(following(turn, span.end, end, 3))
    if words and words[0].text in {"living", "based", "working", "viviendo", "afincado", "afincada"}:
        words = words[1:]
    words = words[:2]
    if len(words) == 2 and words[0].text in _BEFORE_PLACE and _is_town(turn, words[0].text, words[1]):
        return [Span(words[1].start, name_end(turn, words[1], end))]
    return []


def field_of_work(turn: Turn, start: int, end: int) -> list[Span]:
    """The field or the kind of workplace, unless it is a town."""
    first = next(following(turn, start, end, 1), None)
    if first is None or (is_capital(turn, first) and not turn.written[first.start : first.end].isupper()):
        return []
    return (
        []
        if first.text in TOWNS | LANGUAGES
        or (turn.casual and place(turn, start, end) and first.text in TOWNS)
        else work(turn, start, end)
    )
