"""A short note as it is compared with others: its words, what it denies, and the classes that it is in."""

from collections.abc import Iterator, Set
from dataclasses import dataclass
from datetime import date
from functools import cached_property, lru_cache

from strata.domain.contradictions.exclusions import Signs, signs_of
from strata.domain.contradictions.quantities import WORDS, Quantity, quantities
from strata.domain.contradictions.vocabulary import (
    CLAUSE,
    CONCORD,
    IDLE,
    IDLE_STEMS,
    NEGATIONS,
    OCCASIONS,
    ONLY,
    OTHERS,
    PAST,
    PHRASES,
    UNSURE,
    WORD,
)
from strata.domain.entities.roles import role_class
from strata.domain.text.common import common_stem, is_spanish
from strata.domain.text.folding import fold
from strata.domain.text.stop_words import ENGLISH, SPANISH

_POSSESSIVES = frozenset("my his her their our your mi mis su sus tu nuestro nuestra".split())  # noqa: SIM905
_FIRST = 4
"""So many words of a note may name whom it is about."""
_NO_NAMES = frozenset(("i", "user", "usuario", "usuaria", "i'm", "i've", "dr", "gp"))


@dataclass(frozen=True, slots=True)
class Word:
    """A word of weight, folded, its stem, and whether it is written as a name."""

    text: str
    stem: str
    name: bool


@dataclass(frozen=True)
class Claim:
    """A note.

    Attributes:
        folded: its text.
        words: those of weight, in order.
        quantities: its numbers, amounts, dates and times.
        signs: the classes that it is in.
        denials: the number of its clauses that deny what they say.
        subjects: whom it is about, if not the person: their brother, the manager of their manager.
        people: those near the person who are named by what they are to them.
        occasions: the stems that tell one occasion from another.
        only: whether it leaves nothing beside what it says.
    """

    folded: str
    words: tuple[Word, ...]
    quantities: tuple[Quantity, ...]
    signs: Signs
    denials: int
    subjects: tuple[str, ...]
    people: frozenset[str]
    occasions: frozenset[str]
    only: bool

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the words of weight."""
        return frozenset(word.stem for word in self.words)

    @cached_property
    def names(self) -> frozenset[str]:
        """The stems of the names among the words of weight."""
        return frozenset(word.stem for word in self.words if word.name)

    @cached_property
    def frame(self) -> tuple[str, ...]:
        """All its words, but for the names."""
        return tuple(word for word in WORD.findall(self.folded) if common_stem(word) not in self.names)

    @cached_property
    def past(self) -> bool:
        """Whether it tells of what was."""
        return PAST.search(self.folded) is not None

    @cached_property
    def unsure(self) -> bool:
        """Whether it tells of a wish or a plan, or leaves room for another case."""
        return UNSURE.search(self.folded) is not None


@lru_cache(2_048)
def read(note: str, said: date | None = None) -> Claim:
    """Read a note that was said on a day."""
    written = note.strip().replace("\u2019", "'")
    folded = fold(written, keep_length=True)
    every = WORD.findall(folded)
    spanish, languages = is_spanish(every), _languages(every)
    found = quantities(folded, said, spanish=spanish)
    bare = list(folded)
    for each in found:
        bare[each.start : each.end] = " " * (each.end - each.start)
    names = _names(written)
    plain = _plain(folded)
    clauses = [_denying(clause, spanish="es" in languages) for clause in _clauses(plain)]
    return Claim(
        folded,
        tuple(
            word
            for clause in _clauses(_plain("".join(bare)))
            for word in _words(clause, names, spanish=spanish)
        ),
        tuple(found),
        signs_of(clauses, languages),
        sum(sum(denies for _, denies in clause) % 2 for clause in clauses),
        _subjects(every),
        frozenset(role_class(bare) for word in every if (bare := word.removesuffix("'s")) in OTHERS),
        frozenset(common_stem(word) for word in every if word in OCCASIONS),
        ONLY.search(plain) is not None,
    )


def _languages(every: list[str]) -> list[str]:
    """The languages of whose function words a note has the most; both where it has none."""
    counts = {"en": sum(word in ENGLISH for word in every), "es": sum(word in SPANISH for word in every)}
    return [language for language, count in counts.items() if count == max(counts.values())]


def _names(written: str) -> set[str]:
    """The words that are written with a capital without need."""
    return {
        fold(match.group().removesuffix("'s"))
        for match in WORD.finditer(written)
        if match.group()[0].isupper()
        and written[: match.start()].rstrip(" ¿¡")[-1:] not in {"", ".", "?", "!"}
    } - _NO_NAMES


def _plain(text: str) -> str:
    for pattern, put in PHRASES:
        text = pattern.sub(put, text)
    return text


def _clauses(plain: str) -> Iterator[list[str]]:
    for part in CLAUSE.split(plain):
        if found := [word.removesuffix("'s") for word in WORD.findall(part)]:
            yield found


def _denying(clause: list[str], *, spanish: bool) -> list[tuple[str, bool]]:
    """The stems of a clause, each with whether it denies: Spanish only repeats a negation by most others."""
    found: list[tuple[str, bool]] = []
    denied = False
    for word in clause:
        denies = word in NEGATIONS and not (spanish and denied and word in CONCORD)
        denied = denied or denies
        found.append((common_stem(word), denies))
    return found


def _words(clause: list[str], names: Set[str], *, spanish: bool) -> Iterator[Word]:
    for word in clause:
        if word in names or not _is_idle(word, spanish=spanish):
            yield Word(word, common_stem(word), word in names)


def _is_idle(word: str, *, spanish: bool) -> bool:
    return (
        word in NEGATIONS
        or word in IDLE
        or word in WORDS
        or word in (SPANISH if spanish else ENGLISH)
        or common_stem(word) in IDLE_STEMS
        or ONLY.fullmatch(word) is not None
    )


def _subjects(every: list[str]) -> tuple[str, ...]:
    """The people near the person whom the first words name, and theirs: the manager of a manager are two."""
    bare = [word.removesuffix("'s") for word in every]
    for at, word in enumerate(bare[:_FIRST]):
        if word in OTHERS and (at < 2 or _POSSESSIVES & {bare[at - 1], bare[at - 2]}):
            owned = every[at].endswith("'s") or {"of", "de", "del"} & {*bare[at + 1 : at + 2]}
            return tuple(role_class(each) for each in bare[: at + (4 if owned else 1)] if each in OTHERS)
    return ()
