"""Clues by which names are found: what is known of each word of a text, of those around it, and how it is written.

Fitted weights say what each clue is worth. They know the clues by their names, so whoever changes a name or what it
stands for fits them anew: `python -m evals.entities fit`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from strata.domain.entities import name_lists
from strata.domain.entities import vocabulary as known
from strata.domain.entities.reading import Word
from strata.domain.entities.usage import NEVER, Usage, Used
from strata.domain.facts.patterns.tables.words import word_set
from strata.domain.relevance.everyday import COMMON_SUBJECTS, EVERYDAY, OF_THE_MOMENT
from strata.domain.text.common import everyday_words, is_common
from strata.domain.text.stop_words import ENGLISH, SPANISH

_ORDINARY = (
    EVERYDAY
    | COMMON_SUBJECTS
    | OF_THE_MOMENT
    | word_set("nature parenting unity gratitude kindness strength naturaleza crianza unidad gratitud")
)
_MOST = 5
"""The most words of a name that is looked up in the lists."""
_LONGEST_TITLE = 8
_NEAR, _FAR = 2, 3
"""The distances up to which everything is told of a word, and up to which only its kinds are."""
_LETTERS = ((re.compile("[A-ZÀ-Ý]"), "X"), (re.compile("[a-zà-ÿ]"), "x"), (re.compile(r"\d"), "d"))
_SAME = re.compile(r"(.)\1+")


def clues(words: Sequence[Word], usage: Usage) -> Iterator[list[str]]:
    """The clues of each word of a text, in order.

    Args:
        words: of the text.
        usage: how words are used by others than the text's author.
    """
    whole = ["b"]
    if sum(word.fold in SPANISH for word in words) > sum(word.fold in ENGLISH for word in words):
        whole.append("es")
    if not any(word.capital and not word.begins for word in words):
        whole.append("lower")
    quoted = _quoted(words)
    own = [(*_own(word), "quoted") if at in quoted else _own(word) for at, word in enumerate(words)]
    sentence = 0
    sentences = [sentence := sentence + word.begins for word in words]
    in_lists = listed(words)
    used = [_used(word.fold, usage) for word in words]
    for at, word in enumerate(words):
        found = [*whole, *own[at], *in_lists[at], *_written(word)]
        for distance in (*range(-_FAR, 0), *range(1, _FAR + 1)):
            place = at + distance
            if not 0 <= place < len(words):
                found.append(f"{distance}:none")
                continue
            prefix = f"{distance}{'|' * (sentences[place] != sentences[at])}:"
            found += _around(words[place], own[place], prefix, near=abs(distance) <= _NEAR)
        found += _joined(words, at)
        found += _in_use(words, used, at)
        yield found


def _own(word: Word) -> tuple[str, ...]:
    """The clues of a word that hold wherever it stands: its shape, its capital, the lists that have it."""
    capital = ("cap",) if word.begins else ("cap", "capin")
    return (f"sh={shape(word.text)}", *(capital if word.capital else ()), *lists_with(word.fold))


def _quoted(words: Sequence[Word]) -> set[int]:
    """The positions of words in short quotations that begin with a capital, as titles of works do."""
    found: set[int] = set()
    for first, word in enumerate(words):
        if not word.opens or not word.capital:
            continue
        for last in range(first, min(first + _LONGEST_TITLE, len(words))):
            if words[last].closes:
                found.update(range(first, last + 1))
                break
    return found


@lru_cache(4096)
def lists_with(word: str) -> tuple[str, ...]:
    """The lists and kinds that have a folded word."""
    kind = name_lists.known_names().get(word)
    return (
        *(name for name, has in _lists() if word in has),
        *([f"kn={kind}"] if kind else []),
        *(["ord"] if _is_ordinary(word) else []),
        *(f"k={name}" for name, has in known.KINDS.items() if word in has),
    )


@cache
def _lists() -> tuple[tuple[str, frozenset[str]], ...]:
    return (
        ("fn", name_lists.first_names()),
        ("cn", name_lists.common_names()),
        ("pl", name_lists.places()),
        ("lp", name_lists.large_places()),
        ("fp", name_lists.famous_people()),
        ("every", everyday_words()),
    )


def listed(words: Sequence[Word]) -> list[list[str]]:
    """For each word, whether it begins or goes on a name of several words that is in a list."""
    found: list[list[str]] = [[] for _ in words]
    for first in range(len(words)):
        whole = words[first].fold
        for last in range(first + 1, min(first + _MOST, len(words))):
            whole += f" {words[last].fold}"
            kind = name_lists.known_names().get(whole)
            name = "mwpl" if whole in name_lists.places() else f"mwkn={kind}" if kind else None
            if name is not None:
                for at in range(first, last + 1):
                    clue = name + ("B" if at == first else "I")
                    found[at] += [clue] if clue not in found[at] else []
    return found


def _written(word: Word) -> Iterator[str]:
    """How a word is spelt, and what stands right before and after it."""
    folded = word.fold
    yield f"w={folded}"
    yield from (f"p{length}={folded[:length]}" for length in (1, 2, 3))
    yield from (f"s{length}={folded[-length:]}" for length in (1, 2, 3, 4))
    for name in ("begins", "joined", "comma", "possessive", "opens", "closes"):
        if getattr(word, name):
            yield name
    if word.capital:
        marks = [mark for mark in ("ord", "fn", "pl") if mark in lists_with(folded)]
        yield "&".join(("cap", "beg" if word.begins else "in", *marks))


def _around(word: Word, own: Sequence[str], prefix: str, *, near: bool) -> Iterator[str]:
    """The clues that a word gives for another one at the distance that the prefix tells."""
    yield f"{prefix}w={word.fold}"
    if not near:
        yield from (prefix + each for each in own if each.startswith("k="))
        return
    yield from (prefix + each for each in own)
    yield f"{prefix}s3={word.fold[-3:]}"
    if word.possessive:
        yield f"{prefix}possessive"
    if word.comma:
        yield f"{prefix}comma"
    if not word.joined:
        yield f"{prefix}gap"


def _joined(words: Sequence[Word], at: int) -> Iterator[str]:
    """A word's writing with the words before it, and with those after it."""
    written, capital = shape(words[at].text), words[at].capital
    if at > 0:
        yield f"bi-={words[at - 1].fold}_{written}"
    if at > 1:
        yield f"tri-={words[at - 2].fold}_{words[at - 1].fold}_{capital}"
    if at + 1 < len(words):
        yield f"bi+={written}_{words[at + 1].fold}"
    if at + 2 < len(words):
        yield f"tri+={capital}_{words[at + 1].fold}_{words[at + 2].fold}"


def _in_use(words: Sequence[Word], used: Sequence[Used], at: int) -> Iterator[str]:
    """How a word and those around it are used by others."""
    own, case = used[at], _case(words[at])
    common = f"{own.plain}{own.stem}"
    yield from (f"ul={own.plain}", f"us={own.stem}", f"uls={common}{case}", f"ut={own.kind}")
    yield from (f"uts={own.kind}{own.share}", f"utsc={own.kind}{own.share}{case}")
    yield f"ulst={common}{own.kind}{own.share[:1]}{case}"
    for distance in (*range(-_NEAR, 0), *range(1, _NEAR + 1)):
        place = at + distance
        if not 0 <= place < len(words):
            continue
        other = used[place]
        yield f"{distance}:us={other.stem}"
        if other.kind != NEVER:
            yield f"{distance}:uts={other.kind}{other.share[:1]}"
        if abs(distance) == 1:
            pair = f"{own.stem}{own.kind}{case}{other.stem}{other.kind}{_case(words[place])}"
            yield f"u{distance}={pair}"


def _used(word: str, usage: Usage) -> Used:
    """How others use a folded word; of a first name that is nothing else well known, only how many say it as a word.

    Any one of these stands in so few turns that the names that it is in there say little, and neither does a word with its
    stem: "Tom" is no form of "tomar".
    """
    used = usage.of(word)
    if word in name_lists.common_names() and word not in name_lists.known_names():
        return Used(used.plain, used.plain, NEVER, "")
    return used


def _case(word: Word) -> str:
    return ("C" if word.capital else "c") + "b" * word.begins


@lru_cache(4096)
def shape(written: str) -> str:
    """Its capitals, small letters and digits, each run as one: "McKay" is XxXx, "B-52" is X-d."""
    for letters, stands in _LETTERS:
        written = letters.sub(stands, written)
    return _SAME.sub(r"\1", written)


def _is_ordinary(word: str) -> bool:
    """Whether a folded word is one of everyday language in English or Spanish."""
    if word in name_lists.common_names():
        return word in name_lists.NAMES_TOO
    return (
        word in known.FUNCTION
        or word in _ORDINARY
        or is_common(word, spanish=False)
        or is_common(word, spanish=True)
    )
