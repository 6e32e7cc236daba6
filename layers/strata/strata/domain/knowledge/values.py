"""The values and the attributes that a clause names."""

import re

from strata.domain.facts.patterns.reading import HIDDEN
from strata.domain.knowledge.common import common_stem
from strata.domain.knowledge.frames import KINDS, NAMES, WORDS_TOO
from strata.domain.supersession.vocabulary import TIMES
from strata.domain.text.folding import fold

VAGUE = frozenset(("change", "has", "with", "in", "at", "on", "en", "con", "de", "a"))
"""Attributes of which a person may have several values."""

WORD = re.compile(r"[^\W_](?:[\w+#]|['&.-](?=\w))*")
STOPS = frozenset(
    """
    now nowadays these from as since anymore so and but because on at in for with to by after before until when who where which
    that instead again though if than or any this all everything of me us my our is are was it
    ahora desde y pero porque que q en con para por a al de del como cuando si o ya mas hasta donde segun pa es esta
    """.split()  # noqa: SIM905
)
_ARTICLES = frozenset("a an the my our el la los las un una unos mi nuestro nuestra".split())  # noqa: SIM905
_INSIDE = frozenset("de del la las los el of the and y &".split())  # noqa: SIM905
_NO_DEED = frozenset(
    """
    think want need know feel see hope have can could would should will must guess mean get got wonder like love
    hate understand remember forget believe find look wish try say said see's tell ask do did am was are just don't can't
    necesito quiero creo pienso espero tengo puedo debo quisiera digo veo hago hemos vamos llevo siento se sabemos tenemos
    queremos podemos algo luego pero medio hermano como cuando mucho poco todo nuevo otro mismo solo
    """.split()  # noqa: SIM905
)
"""Verbs of a moment or of a mind, which tell of no attribute."""


_PRONOUNS = frozenset("i we you he she it they that this these those what which who there".split())  # noqa: SIM905
_NOBODY = frozenset(
    "him her them it me us you that this one so there here nothing everything something lo la eso esto nada todo".split()  # noqa: SIM905
)


def noun_of(written: str) -> str:
    """The attribute that a noun or a verb names: its head comes first in Spanish, and last in English."""
    nouns = written.split()
    noun = nouns[0 if {"de", "del"}.intersection(nouns) else -1].removesuffix("'s")
    if noun in _NO_DEED or noun in STOPS - VAGUE:
        return ""
    return KINDS.get(noun) or common_stem(noun)


def kind_of(value: str) -> str:
    """The noun that the value is a name of; "" where it is unknown."""
    for word in value.split():
        if (kind := NAMES.get(fold(word))) and (word[0].isupper() or fold(word) not in WORDS_TOO):
            return kind
    return ""


def is_name(value: str) -> bool:
    """Whether a value is a name or a number, and not a day or a month."""
    return (
        any(char.isupper() or char.isdigit() for char in value)
        and fold(value) not in TIMES
        and len(value) > 1
    )


def value_at(written: str, folded: str, start: int, end: int) -> tuple[int, int] | None:
    """The words of a value: a whole name, or at most four words up to a preposition."""
    first = last = None
    words = list(WORD.finditer(folded, start, min(end, start + 80)))
    while words and words[0].group() in _ARTICLES and len(words) > 1:
        words = words[1:]
    for count, word in enumerate(words):
        text = word.group()
        if HIDDEN in text or count == 4:
            break
        capital = written[word.start()].isupper() or text[0].isdigit()
        if (
            first is not None
            and not capital
            and text in _INSIDE
            and count + 1 < len(words)
            and written[words[count + 1].start()].isupper()
        ):
            continue
        if text in STOPS or (first is not None and written[first].isupper() and not capital):
            break
        first = word.start() if first is None else first
        last = word.end()
    if first is None or last is None:
        return None
    last -= 2 if folded.endswith("'s", first, last) else 0
    named = folded[first:last]
    return None if named in _NOBODY or named.split()[0] in _PRONOUNS else (first, last)
