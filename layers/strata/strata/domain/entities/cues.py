"""Cues: what the words before and after a name say about its type."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from strata.domain.entities import cue_words as said
from strata.domain.entities import vocabulary as known
from strata.domain.entities.name import Name, is_doing
from strata.domain.entities.reading import Word
from strata.domain.entities.shapes import EntityType
from strata.domain.facts.patterns.tables.words import TRADES, word_set
from strata.domain.relevance.small_talk import GREETINGS

Evidence = tuple[EntityType, float]
"""A type, and how much speaks for it."""

_REACH = 9
_WORKS = known.OF_THING | said.USING | word_set("watch watched watching saw seen ver vi viendo loved")
_VETS = word_set("vet vets veterinario veterinaria")
_VET = known.PETS | _VETS
_TO_THEM = frozenset(("le", "les"))
_CLITICS = word_set("me te se lo la le nos os les los las")
_MINE = word_set("my our mi mis nuestro nuestra")
_ARTICLES = word_set("the a an el la los las un una")
_THE = word_set("the la el los las")
_FROM = word_set("from of de del desde")
_AT = word_set("at for en para with con in")
_PREPOSITIONS = word_set(
    "in on at from en de desde to above below near beside behind by outside into opposite"
)
_DEALING = word_set("at for by with from against to joined contra con para")
_PROGRAMS = word_set("in on en del al el the via with con for de from to")
_WATERS = word_set(
    "rio river lago lake isla island playa barrio banks shore shores bank orilla orillas ribera"
)
_FIRMS = word_set(
    "company firm startup charity shop store pub club team empresa tienda taller hotel equipo aerolinea marca"
)
_SETTLEMENTS = word_set("town city location spot place country region area ciudad lugar sitio zona pais")


@dataclass(frozen=True, slots=True)
class Place:
    """A name where it stands.

    Attributes:
        words: the words of the text.
        name: the name.
        before: up to nine words before it in its sentence, the nearest first.
        one, two, three: the nearest of them, or "".
        following: the word that only a space parts from its end, or "".
        comma: whether a comma stands before it.
        ends: whether a mark or the end of the text follows.
        english: whether the text is mostly English, where "a" is an article.
    """

    words: Sequence[Word]
    name: Name
    before: tuple[str, ...]
    one: str
    two: str
    three: str
    following: str
    comma: bool
    ends: bool
    english: bool

    @classmethod
    def of(cls, words: Sequence[Word], name: Name, *, english: bool = False) -> "Place":
        """The name with what is around it."""
        before: list[str] = []
        at = name.first
        while at > 0 and len(before) < _REACH and not words[at].begins:
            at -= 1
            before.append(words[at].fold)
        after = words[name.last + 1] if name.last + 1 < len(words) else None
        following = after.fold if after is not None and after.joined else ""
        one, two, three = (*before, "", "", "")[:3]
        return cls(
            words,
            name,
            tuple(before),
            one,
            two,
            three,
            following,
            words[name.first].comma,
            after is None or not following,
            english,
        )

    @property
    def of_software(self) -> bool:
        """Whether words of programs stand around."""
        around = (*self.before, *(word.fold for word in self.after(6)))
        return not said.SOFTWARE.isdisjoint(around)

    @property
    def of_animals(self) -> bool:
        """Whether an animal or its doctor is mentioned before."""
        return not _VET.isdisjoint(self.before)

    @property
    def is_unknown(self) -> bool:
        """Whether it is one word with a capital inside a sentence, and in no list."""
        word = self.words[self.name.first]
        inside = word.capital and not (word.begins or word.shouted) and self.name.first == self.name.last
        return inside and not self.name.scores and self.is_made

    @property
    def is_dealt_with(self) -> bool:
        """Whether it is several words with capitals, and in no list, after a word by which one deals with firms."""
        words = self.words[self.name.first : self.name.last + 1]
        inside = all(word.capital and word.text.isalpha() and not word.begins for word in words)
        return inside and not self.name.scores and (self.two if self.one in _THE else self.one) in _DEALING

    @property
    def is_made(self) -> bool:
        """Whether the name stands for what a company makes: nothing that it describes follows."""
        return not self.following or self.following in known.FUNCTION

    def after(self, many: int) -> tuple[Word, ...]:
        """Up to so many words after the name, in its sentence."""
        found: list[Word] = []
        for word in self.words[self.name.last + 1 : self.name.last + 1 + many]:
            if word.begins:
                break
            found.append(word)
        return tuple(found)

    def near(self, cues: frozenset[str], first: int, last: int) -> bool:
        """Whether one of these words is among those before, from the `first`th to the `last`th."""
        return not cues.isdisjoint(self.before[first - 1 : last])


def cues(place: Place) -> Iterator[Evidence]:
    """The signs of a type in the words around a name."""
    if place.name.quoted:
        work = place.following == "by" or len(place.name.folded) > 1
        yield "thing", (3.0 if work else 1.0) + (2.0 if place.near(_WORKS, 1, _REACH) else 0.0)
        return
    if place.one in said.NAMING and (called := _called(place)):
        yield called, 5
    elif place.one in said.NAMING:
        yield "person", 3
    yield from _of_kind(place)
    if is_pet(place):
        yield "thing", 5
        return
    if not place.comma and place.one in known.OF_THING | known.THINGS:
        yield "thing", 5
    yield from _of_somebody(place)
    yield from _to_somebody(place)
    yield from _by_somebody(place)
    if not place.comma:
        yield from _of_place(place)
        yield from _of_organization(place)
        yield from _of_thing(place)
    elif "place" in place.name.scores and place.near(_SETTLEMENTS | known.KIN, 1, 1):
        yield "place", 2
    yield from _in_region(place)


def _of_kind(place: Place) -> Iterator[Evidence]:
    """A kind in lower case before a name: "el bar Manolo", "our band, Velvet Drainpipe", "la ciudad de Murcia"."""
    led = place.one in _THE and place.two in {"of", "de"}
    of = place.one in {"of", "de", "del"} or led
    kind = (place.three if led else place.two) if of else place.one
    start = place.name.first
    owned = any(_is_owner(word) for word in place.words[max(0, start - 3) : start])
    if place.one in said.COPULAS and place.near(known.ORGANIZATIONS | _FIRMS, 2, 3):
        if not place.name.scores and place.near(known.POSSESSIVES, 3, 4):
            yield "organization", 3  # "our team is Shelbourne"
    elif place.comma:
        if "person" in place.name.scores or not (owned or place.near(known.POSSESSIVES | _ARTICLES, 2, 6)):
            return
        kind = next((word for word in place.before[:4] if word in known.ORGANIZATIONS | _FIRMS), kind)
    if kind in known.PLACES | _SETTLEMENTS | _WATERS:
        yield "place", 5
    elif not of and kind in known.ORGANIZATIONS | _FIRMS and kind != "casa":
        yield "organization", 5


def _is_owner(word: Word) -> bool:
    """Whether a word with "'s" names an owner: "Ana's", but not "it's"."""
    return word.possessive and word.fold not in known.FUNCTION


def role(place: Place) -> str:
    """The word for who somebody is: "my sister Ana", "Ana, my sister"; "" without one."""
    if place.one in known.ROLES and (not place.two or {place.two, place.three} & (_MINE | _ARTICLES)):
        return place.one
    after = place.after(4)
    for whose, what in pairwise(after):
        if whose.fold in _MINE and what.fold in known.ROLES and not what.possessive:
            return what.fold if after[0].comma or after[0].fold in said.COPULAS else ""
    return ""


def _called(place: Place) -> EntityType | None:
    """The type of what is called so: "a bar called", "the game was called"."""
    for word in place.before[1:5]:
        if word in known.PETS | known.OF_THING:
            return "thing"
        if word in known.ROLES:
            return "person"
        if word in _SETTLEMENTS:
            return "place"
        for kind, kinds in known.KINDS.items():
            if word in kinds:
                return kind
    return None


def is_pet(place: Place) -> bool:
    """Whether the words before or after a name say that it is an animal's: "my dog Max", "Max the dog"."""
    after = place.after(3)
    the = bool(after) and after[0].fold in {"the", "el", "la"} and not after[0].comma
    named = the and not known.PETS.isdisjoint(word.fold for word in after[1:])
    ill = place.one in said.BRINGING and not _VETS.isdisjoint(word.fold for word in place.after(4))
    return place.one in known.PETS or named or ill or _is_animal(place)


def _is_animal(place: Place) -> bool:
    """Whether what follows says that the name is an animal's: "Oscar, my guinea pig"."""
    after = place.after(6)
    if not after or not (after[0].comma or after[0].fold in said.COPULAS):
        return False
    if after[0].fold in said.COPULAS and (
        len(after) < 2 or after[1].fold not in known.POSSESSIVES | _ARTICLES
    ):
        return False
    described = after[0].fold in known.POSSESSIVES | said.COPULAS | _ARTICLES | {"que", "who"}
    return described and not known.PETS.isdisjoint(word.fold for word in after)


def _of_somebody(place: Place) -> Iterator[Evidence]:
    """Words before somebody's name: who it is."""
    one, two = place.one, place.two
    if one in known.ROLES:
        whose = (
            {two, place.three} & (known.POSSESSIVES | _ARTICLES)
            if not place.comma
            else {two} & known.POSSESSIVES
        )
        if whose or not two:
            yield "person", 5
        elif not place.comma and one in known.KIN:
            yield "person", 3
    if place.comma and place.near(known.ROLES, 1, 4) and place.near(known.POSSESSIVES, 2, 6):
        yield "person", 3
    if one in said.COPULAS and place.near(known.ROLES, 2, 4) and place.near(known.POSSESSIVES, 3, 6):
        yield "person", 5
    if (one == "me" and two == "call") or one in said.CALL_ME:
        yield "person", 2
    if one in said.SELF or (one in said.COPULAS and two in {"name", "nombre", "it's", "this"}):
        yield "person", 3


def _to_somebody(place: Place) -> Iterator[Evidence]:
    """Words before somebody's name: what is done to them."""
    one = place.one
    if one in said.TELLING and place.two in _CLITICS:
        yield "person", 2.5
    if one in said.SAYING_ES and "place" not in place.name.scores:
        yield "person", 2
    if _is_family(place):
        yield "person", 3
    if one in said.ADDRESSING:
        yield "person", 2
    if one in {"with", "con"}:
        yield "person", 2 if place.is_unknown and place.near(said.TOGETHER, 1, 6) else 1
    if (one == "into" and place.two in said.RUNNING) or (one == "by" and place.two in said.GOING):
        yield "person", 2.5
    if (one == "to" and place.near(said.TO_SOMEBODY, 2, 4)) or (
        one == "a" and (place.near(said.TO_SOMEBODY_ES, 2, 4) or _is_object(place))
    ):
        yield "person", 2.5
    if "person" in place.name.scores:
        greeted = one in GREETINGS and (not place.comma or place.ends)
        if greeted or (place.comma and place.ends):
            yield "person", 2


def _is_object(place: Place) -> bool:
    """Whether a name follows the "a" by which Spanish marks people: "le gano a Kike"."""
    return not place.english and place.is_unknown and place.near(_TO_THEM, 2, 4)


def _is_subject(place: Place) -> bool:
    """Whether a name before a verb may be somebody's: listed as such, or one unknown word without an article."""
    scores = place.name.scores
    if "person" in scores:
        return place.one not in _PREPOSITIONS
    bare = place.one not in _ARTICLES | known.POSSESSIVES | _PREPOSITIONS
    return not scores and bare and len(place.name.folded) == 1


def _is_family(place: Place) -> bool:
    """Whether a name in the plural is a family's: "the Patels", "los García"."""
    whole = place.name.whole
    if place.one == "los":
        return not whole.endswith("s") and len(place.name.folded) == 1
    surname = whole.removesuffix("s")
    several = (
        place.near(said.HOUSEHOLDS, 2, 3) or place.following in said.SEVERAL or surname in known.first_names()
    )
    return place.one == "the" and surname != whole and several and len(place.name.folded) == 1


def _by_somebody(place: Place) -> Iterator[Evidence]:
    """Words after somebody's name."""
    after = place.after(3)
    if place.following in said.STRONG_TELLING:
        yield "person", 3
    elif place.following in said.TELLING - said.AUXILIARY and _is_subject(place):
        yield "person", 2
    elif place.following in said.TELLING and "place" not in place.name.scores:
        clitic = place.following in _CLITICS and len(after) > 1 and after[1].fold in said.TELLING
        yield "person", 2.5 if clitic else 1
    led = place.one in _PREPOSITIONS
    if place.following in {"and", "y"} and not led and len(after) > 1 and after[1].fold in {"i", "yo", "me"}:
        yield "person", 3
    if place.following == "from" and len(after) > 1 and after[1].fold in said.ROOMS:
        yield "person", 3
    if place.words[place.name.last].possessive:
        told = is_doing(place.following) or place.following in said.OWNED
        yield "person", 2 if told else 0.5
    if place.one in {"de", "of"} and place.two in said.OWNED and place.is_unknown:
        yield "person", 2
    if not after or not (after[0].comma or after[0].fold in said.COPULAS):
        return
    folded = [word.fold for word in after]
    if place.one not in _PREPOSITIONS and any(
        whose in known.POSSESSIVES and what in known.ROLES for whose, what in pairwise(folded)
    ):
        yield "person", 4
    elif after[0].comma and folded[0] in {"who", "quien", "que"}:
        yield "person", 2


def _of_place(place: Place) -> Iterator[Evidence]:
    one, two, scores = place.one, place.two, place.name.scores
    if one in {"in", "en"} and two not in said.USING:
        weak = (
            "thing" in scores
            or place.of_software
            or (one == "en" and place.near(said.WORKING | TRADES, 2, 4))
        )
        yield "place", 1 if weak else 2.5
    elif one in said.INTO_PLACE or (one == "de" and two in said.NEAR):
        yield "place", 2.5
    elif (one == "to" and place.near(said.MOVING, 2, 6)) or (
        one == "a" and not place.english and place.near(said.MOVING_ES, 2, 6)
    ):
        yield "place", 3
    elif (one == "por" and place.near(said.PASSING, 2, 3)) or (
        one == "de" and two in said.ORIGIN and not scores.get("person")
    ):
        yield "place", 2.5
    elif one in {"from", "desde", "de", "hasta"} and place.near(
        said.MOVING | said.MOVING_ES | said.LIVING, 2, 7
    ):
        yield "place", 2
    elif one in {"from", "desde", "of", "through", "around", "hasta", "por", "at"} and "place" in scores:
        yield "place", 0.5


def _in_region(place: Place) -> Iterator[Evidence]:
    """A place and the larger one that it is in: "Portland, Oregon"."""
    after = place.after(2)
    if "place" in place.name.scores and after and after[0].comma and after[0].capital:
        whole = " ".join(word.fold for word in after)
        if after[0].fold in known.places() or whole in known.places():
            yield "place", 3


def _of_organization(place: Place) -> Iterator[Evidence]:
    led = place.one in _THE
    lead, reach = (place.two, 3) if led else (place.one, 2)
    caring = lead in {"en", "in", "at"} and place.near(said.CARING, 2, 7)
    working = lead in _AT - {"in"} and place.near(said.WORKING, reach, reach + 2)
    role_there = (
        lead in {"en", "at"} and "place" not in place.name.scores and place.near(TRADES, reach, reach + 2)
    )
    if caring or working:
        yield "organization", 4
    elif (
        role_there
        or place.one in {"joined", "joining"}
        or (place.one == "into" and place.near(said.ENTERING, 2, 3))
        or (lead == "in" and place.near(said.WORKING, reach, reach))
    ):
        yield "organization", 2.5
    elif (lead == "at" and place.near(said.DEALT, 2, 6)) or (
        lead in _FROM | {"with", "con", "to", "a", "al"}
        and place.near(said.DEALT, 1, 8)
        and not (lead in {"with", "con"} and place.near(said.TOGETHER, 2, 6))
    ):
        yield "organization", 3
    elif lead == "at" and "place" not in place.name.scores:
        yield "organization", 1
    if place.following in said.DEALING:
        yield "organization", 2.5


def _of_thing(place: Place) -> Iterator[Evidence]:
    owned = place.name.first > 0 and _is_owner(place.words[place.name.first - 1])
    taken = owned or (place.one in said.TAKING and (place.one != "a" or place.english))
    if taken and not place.name.scores and not place.near(said.NAMING, 2, 3):
        yield "thing", 0.5 if place.following and place.following not in known.FUNCTION else 2
    elif taken and len(place.name.folded) == 1 and "organization" in place.name.scores and place.is_made:
        yield "thing", 6
    if (
        place.of_software
        and place.one in _PROGRAMS
        and "place" not in place.name.scores
        and "person" not in place.name.scores
    ):
        yield "thing", 2.5
    first = place.words[place.name.first]
    if first.fold == "the" and not first.begins and place.one in {"at", "by"}:
        yield "organization", 6
    unsure = max(place.name.scores.values(), default=0) < 2
    if place.of_animals and unsure and place.one not in said.COPULAS | _PREPOSITIONS:
        yield "thing", 2.5
    if place.one in said.USING or (place.one in _THE | {"my", "mi"} and place.two in said.USING):
        yield "thing", 2.5
