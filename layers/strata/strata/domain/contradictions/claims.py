"""A short note as the rules on contradictions read it: its words, and what they affirm or deny."""

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from strata.domain.contradictions.quantities import WORDS, Quantity, quantities
from strata.domain.contradictions.vocabulary import (
    CLASSES,
    CLAUSE,
    CONCORD,
    IDLE,
    IDLE_STEMS,
    NEGATIONS,
    ONLY,
    PAST,
    PHRASES,
    SENSES,
    STEMS,
    UNSURE,
)
from strata.domain.entities.roles import role_class
from strata.domain.entities.vocabulary import KIN
from strata.domain.text.common import common_stem, is_spanish
from strata.domain.text.folding import fold
from strata.domain.text.stop_words import ENGLISH, SPANISH

_WORD = re.compile(r"[^\W_](?:[\w+#]|['&.-](?=\w))*")
_KIN = {
    word: role_class(word) for word in KIN | {"friend", "amigo", "amiga", "neighbour", "vecino", "vecina"}
}
"""The people near a person."""
_NO_NAMES = frozenset(("i", "user", "usuario", "usuaria", "i'm", "i've", "dr", "gp"))


@dataclass(frozen=True, slots=True)
class Word:
    """A word of weight.

    Attributes:
        key: its meaning, the same for synonyms and opposites.
        sign: -1 where it is the opposite of what the key means.
        name: whether it is a name.
        text: the folded word.
        among: the set of values of which a thing has one; empty for other words.
    """

    key: str
    sign: int
    name: bool
    text: str
    among: str = ""


@dataclass(frozen=True)
class Clause:
    """A part of a note, and whether it is negated."""

    words: tuple[Word, ...]
    denied: bool

    @cached_property
    def signs(self) -> dict[str, int]:
        """The meanings of its words, each with its sign."""
        return {word.key: word.sign for word in self.words}


@dataclass(frozen=True)
class Claim:
    """A note."""

    folded: str
    clauses: tuple[Clause, ...]
    quantities: tuple[Quantity, ...]

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """All words of weight, in order."""
        return tuple(word for clause in self.clauses for word in clause.words)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Their meanings."""
        return frozenset(word.key for word in self.words)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names among them."""
        return frozenset(word.text for word in self.words if word.name)

    @cached_property
    def only(self) -> bool:
        """Whether it leaves nothing beside what it says."""
        return ONLY.search(self.folded) is not None

    @cached_property
    def past(self) -> bool:
        """Whether it tells of what was."""
        return PAST.search(self.folded) is not None

    @cached_property
    def unsure(self) -> bool:
        """Whether it tells of a wish or a plan, or leaves room for another case."""
        return UNSURE.search(self.folded) is not None

    @cached_property
    def kin(self) -> frozenset[str]:
        """The people near the person of whom its first words tell, or whose things it tells of."""
        tokens = _WORD.findall(self.folded)
        return frozenset(
            kin
            for place, token in enumerate(tokens)
            if (kin := _KIN.get(token.removesuffix("'s")))
            and (place < 3 or token.endswith("'s") or {"of", "de", "del"} & {*tokens[place - 2 : place]})
        )

    def beside(self, other: "Claim") -> "Claim":
        """The claim as it is read beside another one, which tells names and opposites.

        The first word of a note is a name if it is one in the other note, and "unlocked" denies "locked".
        """
        names = self.names | other.names

        def read_again(word: Word) -> Word:
            if word.text in names:
                return replace(word, name=True, key=word.text, sign=1, among="")
            if word.key not in other.keys and (found := _UNDONE.fullmatch(word.text)):
                key, sign = _sense(found[1])
                return replace(word, key=key, sign=-sign) if key in other.keys else word
            return word

        return replace(
            self,
            clauses=tuple(
                replace(clause, words=tuple(map(read_again, clause.words))) for clause in self.clauses
            ),
        )


def read(note: str, said: date | None = None) -> Claim:
    """Read a note that was said on a day."""
    written = note.strip().replace("\u2019", "'")
    folded = fold(written, keep_length=True)
    spanish = is_spanish(_WORD.findall(folded))
    found = quantities(folded, said, spanish=spanish)
    names = (
        {
            fold(match.group().removesuffix("'s"))
            for match in _WORD.finditer(written)
            if match.group()[0].isupper()
            and written[: match.start()].rstrip(" ¿¡")[-1:] not in {"", ".", "?", "!"}
        }
        - _NO_NAMES
        - CLASSES.keys()
    )
    bare = list(folded)
    for each in found:
        bare[each.start : each.end] = " " * (each.end - each.start)
    text = "".join(bare)
    for pattern, put in PHRASES:
        text = pattern.sub(put, text)
    clauses = (_clause(_WORD.findall(part), names, spanish=spanish) for part in CLAUSE.split(text))
    return Claim(folded, tuple(clause for clause in clauses if clause.words), tuple(found))


def _clause(tokens: list[str], names: Set[str], *, spanish: bool) -> Clause:
    """A clause; of two negations the second one affirms again, save where Spanish only repeats it."""
    negations = [token for token in tokens if token in NEGATIONS]
    repeated = sum(token in CONCORD for token in negations) if spanish else 0
    return Clause(
        tuple(_words(tokens, names, spanish=spanish)), (len(negations) - max(0, repeated - 1)) % 2 == 1
    )


def _words(tokens: list[str], names: Set[str], *, spanish: bool) -> Iterator[Word]:
    for token in tokens:
        word = token.removesuffix("'s")
        if (name := word in names) or word in SENSES or not _is_idle(word, spanish=spanish):
            key, sign = (word, 1) if name else _sense(word)
            yield Word(key, sign, name, word, CLASSES.get(word, ""))


def _is_idle(word: str, *, spanish: bool) -> bool:
    return (
        word in NEGATIONS
        or word in IDLE
        or word in WORDS
        or word in (SPANISH if spanish else ENGLISH)
        or common_stem(word) in IDLE_STEMS
        or ONLY.fullmatch(word) is not None
    )


_UNDONE = re.compile(r"(?:un|dis|in|im|il|ir|des)(\w{5,})")


def _sense(word: str) -> tuple[str, int]:
    """The meaning of a word, and whether it affirms or denies it."""
    if word in SENSES:
        return SENSES[word]
    stem = common_stem(word)
    return STEMS.get(stem, (stem, 1)) if len(stem) > 3 else (stem, 1)
