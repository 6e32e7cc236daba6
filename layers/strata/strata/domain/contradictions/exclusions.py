"""Classes of which a person or a thing is in one at a time, and the words in English and Spanish that tell which.

The table `exclusions.txt` was written for this project. An attribute ("diet") stands at the beginning of a line, and its classes
("plants", "meat") follow with their cues. A cue with a question mark only suggests its class. Classes named yes and no
are each other's denial, as are the two of an attribute that has no more.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from strata.domain.contradictions.vocabulary import WORD
from strata.domain.text.common import common_stem
from strata.domain.text.folding import fold

TABLE = files(__package__) / "exclusions.txt"
SCOPE = 5
"""So many words after a negation in its clause are denied by it."""
_AFTER = 3
_WEAK, _TURNED, _NEAR_DENIAL = 0.5, 0.6, 0.5
_LINKS = frozenset(
    common_stem(word)
    for word in """
    a an the el la los las lo un una unos unas de del of in on en to for al my his her their your our mi su sus tu is are was were be been es son era esta estan
    has have had ha he and y e with con at por para
    """.split()  # noqa: SIM905
)
"""Words within cues that may be left out."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign that a note is in a class.

    Attributes:
        kind: the class.
        strength: how sure it is, up to 1.
        cue: the stems that tell it.
        denial: the number of words from the negation that turned it into the other class; 0 without.
    """

    kind: str
    strength: float
    cue: tuple[str, ...]
    denial: int = 0


Signs = Mapping[str, Mapping[str, Sign]]
"""The classes of a note, by attribute and class."""
Clause = Sequence[tuple[str, bool]]
"""The stems of a clause, each with whether it is a negation."""


@dataclass(frozen=True, slots=True)
class Opposition:
    """Two notes in different classes of an attribute, each with its surest sign."""

    attribute: str
    one: Sign
    other: Sign

    @property
    def strength(self) -> float:
        """The strength of the weaker sign."""
        return min(self.one.strength, self.other.strength)


def signs_of(clauses: Iterable[Clause], languages: Sequence[str]) -> Signs:
    """The classes that a note is in."""
    found: dict[str, dict[str, Sign]] = {}
    for clause in clauses:
        telling = [each for each in clause if each[0] not in _LINKS]
        for attribute, sign in _in_clause(telling, languages):
            before = found.setdefault(attribute, {}).get(sign.kind)
            if before is None or (sign.strength, len(sign.cue)) > (before.strength, len(before.cue)):
                found[attribute][sign.kind] = sign
    return found


def oppositions(one: Signs, other: Signs) -> list[Opposition]:
    """The attributes in which two notes have no class in common."""
    return [
        Opposition(name, _surest(one[name]), _surest(other[name]))
        for name in one.keys() & other.keys()
        if one[name].keys().isdisjoint(other[name])
    ]


def _surest(signs: Mapping[str, Sign]) -> Sign:
    return max(signs.values(), key=lambda sign: sign.strength)


def _in_clause(telling: Clause, languages: Sequence[str]) -> Iterator[tuple[str, Sign]]:
    cues, classes = _table()
    stems = tuple(stem for stem, _ in telling)
    for at, stem in enumerate(stems):
        longest: dict[str, int] = {}
        matching = [
            (cue, cues[language][stem][cue])
            for language in languages
            for cue in cues[language].get(stem, ())
            if stems[at : at + len(cue)] == cue
        ]
        for cue, meanings in sorted(matching, key=lambda each: -len(each[0])):
            for attribute, kind, weak in meanings:
                if longest.setdefault(attribute, len(cue)) == len(cue):
                    said = Sign(kind, _WEAK if weak else 1.0, cue)
                    if sign := _in_place(said, telling, at, classes[attribute]):
                        yield attribute, sign


def _in_place(sign: Sign, telling: Clause, at: int, classes: Sequence[str]) -> Sign | None:
    """The sign that a cue gives where it stands; None where it is denied and no class is its denial."""
    end = at + len(sign.cue)
    denials = [far for far in range(1, SCOPE + 1) if at >= far and telling[at - far][1]]
    if len(denials) % 2 == 0:
        denied_after = any(denies for _, denies in telling[end : end + _AFTER])
        within = any(denies for _, denies in telling[at:end])
        doubt = _NEAR_DENIAL if denied_after and not within else 1
        return replace(sign, strength=sign.strength * doubt)
    if len(classes) != 2:
        return None
    other = classes[1 - classes.index(sign.kind)]
    doubt = 1 if {*classes} == {"yes", "no"} else _TURNED
    return Sign(other, sign.strength * doubt, sign.cue, denials[0])


Cues = Mapping[str, Mapping[str, Mapping[tuple[str, ...], Sequence[tuple[str, str, bool]]]]]
"""By language, first stem and stems: attribute, class, and whether it is only suggested."""


@cache
def _table() -> tuple[Cues, Mapping[str, Sequence[str]]]:
    """The cues, and the classes of each attribute."""
    cues: dict[str, dict[str, dict[tuple[str, ...], list[tuple[str, str, bool]]]]] = {"en": {}, "es": {}}
    classes: dict[str, list[str]] = {}
    attribute = ""
    for line in TABLE.read_text("utf-8").splitlines():
        if not line.startswith(" "):
            attribute = line
            classes[attribute] = []
            continue
        head, _, told = line.partition(": ")
        kind, _, language = head.strip().rpartition(" ")
        if kind not in classes[attribute]:
            classes[attribute].append(kind)
        for term in told.split(", "):
            stems = tuple(
                stem
                for match in WORD.finditer(fold(term.rstrip("?")))
                if (stem := common_stem(match.group())) not in _LINKS
            )
            if stems:
                of_first = cues[language].setdefault(stems[0], {})
                of_first.setdefault(stems, []).append((attribute, kind, term.endswith("?")))
    return cues, classes
