"""Cues: what the words before and after a name say about its type."""

from collections.abc import Iterator

from strata.domain.entities import cue_words as said
from strata.domain.entities import name_lists
from strata.domain.entities import vocabulary as known
from strata.domain.entities.people_cues import of_people
from strata.domain.entities.reading import Word
from strata.domain.entities.shapes import EntityType
from strata.domain.entities.surroundings import REACH, Evidence, Surroundings
from strata.domain.facts.patterns.tables.words import TRADES, word_set

_WORKS = known.OF_THING | said.USING | word_set("watch watched watching saw seen ver vi viendo loved")
_FROM = word_set("from of de del desde")
_AT = word_set("at for en para with con in")
_WATERS = word_set(
    "rio river lago lake isla island playa barrio banks shore shores bank orilla orillas ribera"
)
_FIRMS = word_set(
    "company firm startup charity shop store pub club team empresa tienda taller hotel equipo aerolinea marca"
)
_SETTLEMENTS = word_set("town city location spot place country region area ciudad lugar sitio zona pais")


def cues(around: Surroundings) -> Iterator[Evidence]:
    """The signs of a type in the words around a name."""
    if around.name.quoted:
        work = around.following == "by" or len(around.name.folded) > 1
        yield "thing", (3.0 if work else 1.0) + (2.0 if around.near(_WORKS, 1, REACH) else 0.0)
        return
    if around.one in said.NAMING and (called := _called(around)):
        yield called, 5
    elif around.one in said.NAMING:
        yield "person", 3
    yield from _of_kind(around)
    if is_pet(around):
        yield "thing", 5
        return
    if not around.comma and around.one in known.OF_THING | known.THINGS:
        yield "thing", 5
    yield from of_people(around)
    if not around.comma:
        yield from _of_place(around)
        yield from _of_organization(around)
        yield from _of_thing(around)
    elif "place" in around.name.scores and around.near(_SETTLEMENTS | known.KIN, 1, 1):
        yield "place", 2
    yield from _in_region(around)


def _of_kind(around: Surroundings) -> Iterator[Evidence]:
    """A kind in lower case before a name: "el bar Manolo", "our band, Velvet Drainpipe", "la ciudad de Murcia"."""
    led = around.one in said.THE and around.two in {"of", "de"}
    of = around.one in {"of", "de", "del"} or led
    kind = (around.three if led else around.two) if of else around.one
    start = around.name.first
    owned = any(_is_owner(word) for word in around.words[max(0, start - 3) : start])
    if around.one in said.COPULAS and around.near(known.ORGANIZATIONS | _FIRMS, 2, 3):
        if not around.name.scores and around.near(known.POSSESSIVES, 3, 4):
            yield "organization", 3  # "our team is Shelbourne"
    elif around.comma:
        if "person" in around.name.scores or not (
            owned or around.near(known.POSSESSIVES | said.ARTICLES, 2, 6)
        ):
            return
        kind = next((word for word in around.before[:4] if word in known.ORGANIZATIONS | _FIRMS), kind)
    if kind in known.PLACES | _SETTLEMENTS | _WATERS:
        yield "place", 5
    elif not of and kind in known.ORGANIZATIONS | _FIRMS and kind != "casa":
        yield "organization", 5


def _is_owner(word: Word) -> bool:
    """Whether a word with "'s" names an owner: "Ana's", but not "it's"."""
    return word.possessive and word.fold not in known.FUNCTION


def _called(around: Surroundings) -> EntityType | None:
    """The type of what is called so: "a bar called", "the game was called"."""
    for word in around.before[1:5]:
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


def is_pet(around: Surroundings) -> bool:
    """Whether the words before or after a name say that it is an animal's: "my dog Max", "Max the dog"."""
    after = around.after(3)
    the = bool(after) and after[0].fold in {"the", "el", "la"} and not after[0].comma
    named = the and not known.PETS.isdisjoint(word.fold for word in after[1:])
    ill = around.one in said.BRINGING and not said.VETS.isdisjoint(word.fold for word in around.after(4))
    return around.one in known.PETS or named or ill or _is_animal(around)


def _is_animal(around: Surroundings) -> bool:
    """Whether what follows says that the name is an animal's: "Oscar, my guinea pig"."""
    after = around.after(6)
    if not after or not (after[0].comma or after[0].fold in said.COPULAS):
        return False
    if after[0].fold in said.COPULAS and (
        len(after) < 2 or after[1].fold not in known.POSSESSIVES | said.ARTICLES
    ):
        return False
    described = after[0].fold in known.POSSESSIVES | said.COPULAS | said.ARTICLES | {"que", "who"}
    return described and not known.PETS.isdisjoint(word.fold for word in after)


def _of_place(around: Surroundings) -> Iterator[Evidence]:
    one, two, scores = around.one, around.two, around.name.scores
    if one in {"in", "en"} and two not in said.USING:
        weak = (
            "thing" in scores
            or around.of_software
            or (one == "en" and around.near(said.WORKING | TRADES, 2, 4))
        )
        yield "place", 1 if weak else 2.5
    elif one in said.INTO_PLACE or (one == "de" and two in said.NEAR):
        yield "place", 2.5
    elif (one == "to" and around.near(said.MOVING, 2, 6)) or (
        one == "a" and not around.english and around.near(said.MOVING_ES, 2, 6)
    ):
        yield "place", 3
    elif (one == "por" and around.near(said.PASSING, 2, 3)) or (
        one == "de" and two in said.ORIGIN and not scores.get("person")
    ):
        yield "place", 2.5
    elif one in {"from", "desde", "de", "hasta"} and around.near(
        said.MOVING | said.MOVING_ES | said.LIVING, 2, 7
    ):
        yield "place", 2
    elif one in {"from", "desde", "of", "through", "around", "hasta", "por", "at"} and "place" in scores:
        yield "place", 0.5


def _in_region(around: Surroundings) -> Iterator[Evidence]:
    """A place and the larger one that it is in: "Portland, Oregon"."""
    after = around.after(2)
    if "place" in around.name.scores and after and after[0].comma and after[0].capital:
        whole = " ".join(word.fold for word in after)
        if after[0].fold in name_lists.places() or whole in name_lists.places():
            yield "place", 3


def _of_organization(around: Surroundings) -> Iterator[Evidence]:
    led = around.one in said.THE
    lead, reach = (around.two, 3) if led else (around.one, 2)
    caring = lead in {"en", "in", "at"} and around.near(said.CARING, 2, 7)
    working = lead in _AT - {"in"} and around.near(said.WORKING, reach, reach + 2)
    role_there = (
        lead in {"en", "at"} and "place" not in around.name.scores and around.near(TRADES, reach, reach + 2)
    )
    if caring or working:
        yield "organization", 4
    elif (
        role_there
        or around.one in {"joined", "joining"}
        or (around.one == "into" and around.near(said.ENTERING, 2, 3))
        or (lead == "in" and around.near(said.WORKING, reach, reach))
    ):
        yield "organization", 2.5
    elif (lead == "at" and around.near(said.DEALT, 2, 6)) or (
        lead in _FROM | {"with", "con", "to", "a", "al"}
        and around.near(said.DEALT, 1, 8)
        and not (lead in {"with", "con"} and around.near(said.TOGETHER, 2, 6))
    ):
        yield "organization", 3
    elif lead == "at" and "place" not in around.name.scores:
        yield "organization", 1
    if around.following in said.DEALING:
        yield "organization", 2.5


def _of_thing(around: Surroundings) -> Iterator[Evidence]:
    owned = around.name.first > 0 and _is_owner(around.words[around.name.first - 1])
    taken = owned or (around.one in said.TAKING and (around.one != "a" or around.english))
    if taken and not around.name.scores and not around.near(said.NAMING, 2, 3):
        yield "thing", 0.5 if around.following and around.following not in known.FUNCTION else 2
    elif taken and len(around.name.folded) == 1 and "organization" in around.name.scores and around.is_made:
        yield "thing", 6
    if (
        around.of_software
        and around.one in said.OF_PROGRAMS
        and "place" not in around.name.scores
        and "person" not in around.name.scores
    ):
        yield "thing", 2.5
    first = around.words[around.name.first]
    if first.fold == "the" and not first.begins and around.one in {"at", "by"}:
        yield "organization", 6
    unsure = max(around.name.scores.values(), default=0) < 2
    if around.of_animals and unsure and around.one not in said.COPULAS | said.PREPOSITIONS:
        yield "thing", 2.5
    if around.one in said.USING or (around.one in said.THE | {"my", "mi"} and around.two in said.USING):
        yield "thing", 2.5
