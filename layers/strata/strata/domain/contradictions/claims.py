"""A short note as the rules on contradictions read it: its words, and what they affirm or deny."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property

from strata.domain.contradictions.quantities import WORDS, Quantity, quantities
from strata.domain.contradictions.vocabulary import (
    CHOICES,
    CLAUSE,
    CONCORD,
    IDLE,
    IDLE_STEMS,
    KIN,
    NEGATIONS,
    ONLY,
    PHRASES,
    SENSES,
    SYNONYMS,
    VERBS_OF_VALUES,
)
from strata.domain.knowledge.common import common_stem
from strata.domain.text.folding import fold
from strata.domain.text.stop_words import ENGLISH, SPANISH

_TOKEN = re.compile(r"[^\W_](?:[\w+#]|['&.-](?=\w))*")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of weight.

    Attributes:
        key: its meaning, the same for synonyms.
        sign: -1 where it denies what the key affirms.
        denied: how many negations stand before it in its clause.
        name: whether it is a name.
        text: the folded word.
        choice: the set of values of which it is one.
    """

    key: str
    sign: int
    denied: int
    name: bool
    text: str
    choice: str = ""

    @property
    def truth(self) -> int:
        """1 where the claim affirms the key, -1 where it denies it."""
        return -self.sign if self.denied % 2 else self.sign


@dataclass(frozen=True)
class Claim:
    """A note."""

    folded: str
    clauses: tuple[tuple[Word, ...], ...]
    quantities: tuple[Quantity, ...]
    spanish: bool = field(default=False)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """All words of weight, in order."""
        return tuple(word for clause in self.clauses for word in clause)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Their meanings."""
        return frozenset(word.key for word in self.words)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names among them."""
        return frozenset(word.key for word in self.words if word.name)

    @cached_property
    def kin(self) -> frozenset[str]:
        """The people near the person whose doings or things it tells of."""
        tokens = _TOKEN.findall(self.folded)
        whose = (
            token
            for place, token in enumerate(tokens)
            if token.endswith("'s") or _OF.intersection(tokens[max(0, place - 2) : place])
        )
        return self.subject_kin | _kin([*whose])

    @cached_property
    def subject_kin(self) -> frozenset[str]:
        """Those whom its first words name."""
        return _kin(_TOKEN.findall(self.folded)[:3])

    def until(self, keys: Set[str]) -> tuple[Word, ...]:
        """The words before the first of these."""
        found = next((place for place, word in enumerate(self.words) if word.key in keys), 0)
        return self.words[:found]

    def naming(self, names: Set[str]) -> "Claim":
        """The claim with these words as names, too, such as its first word."""
        return replace(
            self,
            clauses=tuple(
                tuple(
                    replace(word, name=True, key=word.text) if word.text in names else word for word in clause
                )
                for clause in self.clauses
            ),
        )


_OF = frozenset(("of", "de", "del"))
_KIN = {"mum": "mother", "mom": "mother", "mama": "madre", "dad": "father", "papa": "padre"}
_KINDS = KIN - {"mum", "mom", "mama", "dad", "papa", "baby", "landlord", "casero"}


def _kin(tokens: Sequence[str]) -> frozenset[str]:
    bare = (token.removesuffix("'s") for token in tokens)
    return frozenset(_KIN.get(word, word) for word in bare) & _KINDS


def apart(
    one: "Claim | Sequence[Word]",
    other: "Claim | Sequence[Word]",
    choice: str | None = None,
    *,
    names: bool = True,
    keys: tuple[Set[str], Set[str]] | None = None,
) -> tuple[set[str], set[str]]:
    """The meanings of each of two claims that the other lacks, without those that only go with a value.

    Args:
        one, other: the claims, or words of them.
        choice: the set of values of which words don't count.
        names: whether names count.
        keys: the meanings of the whole claims, where only words of them are given.
    """
    mine, theirs = (each.words if isinstance(each, Claim) else each for each in (one, other))
    all_mine, all_theirs = keys or ({word.key for word in mine}, {word.key for word in theirs})

    def left(words: Sequence[Word], there: Set[str]) -> set[str]:
        return {
            word.key
            for word in words
            if word.key not in there and (names or not word.name) and not (choice and word.choice == choice)
        } - VERBS_OF_VALUES

    return left(mine, all_theirs), left(theirs, all_mine)


def read(note: str, said: date | None = None) -> Claim:
    """Read a note that was said on a day."""
    written = note.strip().replace("\u2019", "'")
    folded = fold(written, keep_length=True)
    tokens = _TOKEN.findall(folded)
    spanish = sum(word in SPANISH for word in tokens) > sum(word in ENGLISH for word in tokens)
    found = quantities(folded, said, spanish=spanish)
    capitals = {
        match.group().removesuffix("'s")
        for match in _TOKEN.finditer(written)
        if match.group()[0].isupper()
        and (match.start() > 0 and written[match.start() - 2 : match.start()] not in {". ", "? ", "! "})
    } - {"I", "User", "Usuario", "I'm", "I've", "Dr", "GP"}
    names = {fold(name) for name in capitals}
    bare = list(folded)
    for each in found:
        bare[each.start : each.end] = " " * (each.end - each.start)
    text = "".join(bare)
    for pattern, put in PHRASES:
        text = pattern.sub(put, text)
    clauses = tuple(
        clause for part in CLAUSE.split(text) if (clause := tuple(_words(part, names, spanish=spanish)))
    )
    return Claim(folded, clauses, tuple(found), spanish)


def _words(part: str, names: set[str], *, spanish: bool) -> list[Word]:
    denied, found = 0, []
    tokens = _TOKEN.findall(part)
    twice = (
        any(word in NEGATIONS for word in tokens[: tokens.index("sin" if spanish else "without")])
        if ("sin" if spanish else "without") in tokens
        else False
    )
    for token in tokens:
        word = token.removesuffix("'s")
        if word in NEGATIONS:
            if twice:
                continue
            denied += 0 if spanish and denied and word in CONCORD else 1
            continue
        name = word in names
        if (
            not name
            and (
                word in IDLE
                or common_stem(word) in IDLE_STEMS
                or ONLY.fullmatch(word)
                or word in WORDS
                or word in (SPANISH if spanish else ENGLISH)
            )
            and word not in SENSES
        ):
            continue
        key, sign = (word, 1) if name else SENSES.get(word) or _sense(word)
        found.append(Word(key, sign, denied, name, word, CHOICES.get(word, "")))
    if (
        found and tokens[-1] in NEGATIONS and not any(word.denied for word in found)
    ):  # "shares it with nobody"
        found = [replace(word, denied=1) for word in found]
    return found


_STEMS_OF_SENSES = {common_stem(word): (key, 1) for word, key in SYNONYMS.items()} | {
    common_stem(word): sense for word, sense in SENSES.items()
}


def _sense(word: str) -> tuple[str, int]:
    if word in SYNONYMS:
        return SYNONYMS[word], 1
    if (stem := common_stem(word)) in _STEMS_OF_SENSES and len(stem) > 3:
        return _STEMS_OF_SENSES[stem]
    for prefix in ("un", "dis", "in", "des", "im"):
        rest = word.removeprefix(prefix)
        if len(rest) > 4 and rest in SENSES:
            key, sign = SENSES[rest]
            return key, -sign
    return common_stem(word), 1
