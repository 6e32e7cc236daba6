"""Types of names: what a name is by its own words, and by the words around it."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from strata.domain.entities import cue_words as said
from strata.domain.entities import name_lists
from strata.domain.entities import vocabulary as known
from strata.domain.entities.cues import cues, is_pet
from strata.domain.entities.name import Name, is_camel, is_ordinary, is_somebody
from strata.domain.entities.people_cues import role
from strata.domain.entities.reading import Word
from strata.domain.entities.shapes import EntityType
from strata.domain.entities.surroundings import Evidence, Surroundings
from strata.domain.facts.patterns.tables.words import word_set
from strata.domain.knowledge.common import everyday_words, is_spanish
from strata.domain.text.stop_words import ENGLISH, SPANISH

ENOUGH = 2.0
"""The least that has to speak for a type."""
_SURE = 8.0

_BOTH = word_set("and y e & or o ni")
_SAINTS = word_set("st saint san santa santo")
_OF = word_set("of for de del")
_OF_FIRMS = word_set("de at from")
_BEFORE_ACRONYM = word_set("de of at en")


def judge(words: Sequence[Word], names: Iterable[Name]) -> Iterator[Name]:
    """The names that may be entities; those with a type are."""
    found = [name for name in names if not _is_none(words, name)]
    cued = dict[str, EntityType]()
    folded = [word.fold for word in words]
    english = sum(word in ENGLISH for word in folded) > sum(word in SPANISH for word in folded)
    for name in found:
        around = Surroundings.of(words, name, english=english)
        _weigh(name, _by_itself(around))
        one = len(name.folded) == 1 and not (name.titled or name.whole.endswith("s"))
        if english and around.one == "the" and one:
            name.scores.pop("person", None)  # "the Bishop"
        if _weigh(name, cues(around)) and (best := _best(name)):
            cued.setdefault(name.whole, best)
    for before, name in pairwise(found):
        _together(words, before, name)
    for name in found:
        name.type = _best(name)
        if not name.scores.get("person") and name.whole in cued:
            name.type = cued[name.whole]
        around = Surroundings.of(words, name)
        if name.type is not None:
            name.confidence = round(min(0.95, 0.6 + 0.35 * name.scores.get(name.type, ENOUGH) / _SURE), 2)
        if (
            words[name.last].possessive
            and (around.ends or around.following in known.FUNCTION or is_spanish(folded))
            and name.type == "organization"
        ):
            name.end += 2  # "back from Addenbrooke's."
        if name.type == "person":
            name.role = role(around)
        yield name


def _weigh(name: Name, evidence: Iterable[Evidence]) -> bool:
    """Add the evidence up; False if there is none."""
    any_evidence = False
    for kind, much in evidence:
        name.scores[kind] = name.scores.get(kind, 0.0) + much
        any_evidence = True
    return any_evidence


def _best(name: Name) -> EntityType | None:
    most = max(name.scores.items(), key=lambda score: (score[1], score[0]), default=None)
    return most[0] if most and most[1] >= ENOUGH else None


def _is_none(words: Sequence[Word], name: Name) -> bool:
    """Whether capitals name nothing: months, languages, acronyms, what is named after somebody."""
    first, whole = words[name.first], name.whole
    single = name.first == name.last
    listed = whole in name_lists.known_names() or whole in name_lists.famous_people()
    titled = name.titled and not all(part in known.ROLES for part in name.folded)  # not "Señora Directora"
    if listed or titled or name.quoted or (single and is_somebody(words, name.first)):
        return False
    around = Surroundings.of(words, name)
    if is_pet(around):
        return False
    after = words[name.last + 1] if around.following else first
    if (around.following in known.FOOD and not after.capital) or around.one in known.NAMED_AFTER:
        return True
    none = all(part in known.NEVER or part in known.ROLES or part.isdigit() for part in name.folded)
    numbered = around.following.isdigit() and whole not in name_lists.first_names()
    return len(whole) == 1 or none or numbered or (single and _is_no_word(around))


def _is_no_word(around: Surroundings) -> bool:
    """Whether a single word is an acronym, or an everyday word with a capital."""
    name, first = around.name, around.words[around.name.first]
    if first.shouted and not name.lower:
        told = len(name.whole) > 4 and around.one in _BEFORE_ACRONYM and not is_ordinary(name.whole)
        return name.whole not in name_lists.places() and not told
    plain = (
        is_ordinary(name.whole)
        and name.whole not in name_lists.places()
        and name.whole not in name_lists.first_names()
    )
    bought = around.one in {"at", "from"} and not first.begins
    return plain and (first.begins or not (around.of_animals or bought))


def _by_itself(around: Surroundings) -> Iterator[Evidence]:
    name, words = around.name, around.words
    whole, first_name = name.whole, name.folded[0] in name_lists.first_names()
    if name.quoted:
        return
    if _is_saint(name):
        yield "place" if name.folded[0] in {"san", "santa", "santo"} else "organization", 1.5
    if name.titled or is_somebody(words, name.first):
        yield "person", 5
    if (kind := name_lists.known_names().get(whole)) is not None:
        yield kind, 3 if first_name and len(name.folded) == 1 else 5
        if not first_name or len(name.folded) > 1:
            return
    if whole in name_lists.famous_people():
        yield "person", 4
    if whole in name_lists.places():
        yield "place", _known_place(whole, alone=_is_noun(around) and first_name)
    if len(name.folded) > 1:
        yield from _by_parts(around, first_name=first_name)
    elif first_name and words[name.first].text.isalpha():
        yield "person", _known_name(around)
    elif is_camel(words[name.first].text):
        firm = around.one in _OF_FIRMS and not around.of_software
        yield "organization" if firm else "thing", 1.5 if around.one not in said.OF_PROGRAMS | {"at"} else 2.5
    elif whole.startswith(("mc", "o'")) and len(whole) > 4 and words[name.first].text[2:3].isupper():
        yield "person", 2.5


def _known_name(around: Surroundings) -> float:
    """The weight of the list of first names; a capital in a sentence makes names of most words."""
    whole = around.name.whole
    if _is_noun(around):
        return 1.5
    inside = not around.words[around.name.first].begins and not around.name.lower
    if whole not in name_lists.common_names():
        return 2.0 if inside and not is_ordinary(whole) and whole not in name_lists.places() else 1.5
    if not is_ordinary(whole):
        return 2.5
    return 2.0 if inside and whole not in name_lists.NO_NAMES_INSIDE else 1.5


def _is_noun(around: Surroundings) -> bool:
    """Whether a first name begins a sentence as another word: "Bill the client", "Victoria por la minima"."""
    whole, after = around.name.whole, around.following
    plain = whole in name_lists.WORDS_FIRST and after and after not in said.TELLING
    noun = whole in name_lists.places() or whole in name_lists.NAMES_TOO or whole in name_lists.WORDS_FIRST
    return around.words[around.name.first].begins and (plain or (noun and after in name_lists.AFTER_NOUNS))


def _known_place(whole: str, *, alone: bool) -> float:
    """The weight of the lists of places; `alone` where a first name stands as a noun."""
    if is_ordinary(whole) or (alone and " " not in whole):
        return 1
    return 3 if " " in whole or whole in name_lists.large_places() else 1.5


def _is_saint(name: Name) -> bool:
    """Whether a saint's name is that of a place, a school or a hospital."""
    return len(name.folded) > 1 and name.folded[0] in _SAINTS


def _by_parts(around: Surroundings, *, first_name: bool) -> Iterator[Evidence]:
    folded, words = around.name.folded, around.words
    last = words[around.name.last].text
    kind = _kind(folded)
    surname = first_name and folded[-1] in known.SURNAMES and (len(folded) == 2 or folded[1] in {"de", "del"})
    if kind and not surname:
        yield kind, 6
    elif folded[-1].rstrip(".") in known.SUFFIXES or "&" in folded:
        yield "organization", 5
    elif words[around.name.first].shouted and folded[0].isalpha():
        yield "organization", 1.5
    elif any(map(str.isdigit, last)):
        yield "thing", 4
    elif len(folded) == 2 and name_lists.known_names().get(folded[0]) == "organization":
        yield "thing", 2.5  # "Google Keep"
    elif _is_described(around):
        return
    elif around.is_dealt_with and not first_name:
        yield "organization", 2
    elif (max(map(len, folded[0].split("."))) == 1 and words[around.name.first].capital) or (
        first_name and around.name.whole not in name_lists.places()
    ):
        yield "person", 4


def _is_described(around: Surroundings) -> bool:
    """Whether a name of several words is nobody's: it ends with an everyday word, or has an owner ("Arthur's Seat")."""
    last = around.name.folded[-1]
    parts = around.words[around.name.first : around.name.last]
    if _is_saint(around.name):
        return True
    everyday = last in known.NEVER or last in everyday_words() or last.removesuffix("s") in everyday_words()
    return everyday or any(word.possessive for word in parts)


def _kind(folded: tuple[str, ...]) -> EntityType | None:
    """The type by a kind: at the end in English, at the beginning in Spanish, or before "of"."""
    for at in (len(folded) - 1, 0, *range(1, len(folded) - 1)):
        word = folded[at]
        leads = at == 0 and (word in known.LEADING or (word[-1:] in "aeodlnr" and word not in known.TRAILING))
        if at == len(folded) - 1 or leads or folded[at + 1] in _OF:
            for kind, kinds in known.KINDS.items():
                if word in kinds:
                    return kind
    return None


def _together(words: Sequence[Word], one: Name, other: Name) -> None:
    """Names that "and" or a comma joins are mostly of one type."""
    between = words[one.last + 1 : other.first]
    joined = (
        len(between) == 1 and between[0].fold in _BOTH and between[0].joined and words[other.first].joined
    )
    ranges = len(between) == 1 and between[0].fold in {"to", "a", "hasta", "from"}
    range_ = ranges and all("place" in name.scores or not name.scores for name in (one, other))
    if range_ and (
        "place" in {*one.scores, *other.scores} or words[one.first - 1].fold in {"from", "de", "desde"}
    ):
        _weigh(one, [("place", 2.5)])
        _weigh(other, [("place", 2.5)])
    if not joined and not (not between and words[other.first].comma):
        return
    listed = other.last + 1 < len(words) and words[other.last + 1].fold in _BOTH
    for name, by in ((one, other), (other, one)):
        best = _best(by)
        if best in {"person", "place", "thing", "organization"} and (
            _best(name) is None or best in name.scores
        ):
            _weigh(name, [(best, 2.0 if joined or listed else 1.0)])
