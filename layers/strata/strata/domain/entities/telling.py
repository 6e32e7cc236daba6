"""Finds the type of a name that the words around it state plainly: an animal, a town, a brand."""

from collections.abc import Sequence
from itertools import takewhile

from strata.domain.entities import name_lists
from strata.domain.entities.animals import ARTICLES, COPULAS, MINE, animal, words_after, words_before
from strata.domain.entities.reading import Word
from strata.domain.entities.shapes import BRAND, TOWN, EntityType
from strata.domain.entities.vocabulary import TITLES
from strata.domain.facts.patterns.tables.words import word_set

_TOWNS = word_set(
    "town city village suburb hamlet township hometown pueblo pueblecito ciudad aldea localidad municipio"
)
_OF = word_set("of called named de llamado llamada")
_ONE = word_set("a an the this una un el la este esta")
_WHERE = word_set(
    "in near of on by with where that which outside just and from about en de cerca donde que con del"
)
"""Words that may follow "a town", since "a town boy" is not a town."""
_FROM = word_set("of from in de del")
_IN = word_set("in near around outside en")
_TO = word_set("to from a hacia desde de")
_GOING = word_set(
    "go goes going went gone move moved moving drive drove driving fly flew flying travel travelled traveled back trip "
    "ir voy vamos fui fuimos viaje viajar viajamos mudo mude mudarme mudamos vuelvo volvemos"
)
_SHAPED = (
    "haven",
    "ville",
    "burg",
    "burgh",
    "ton",
    "ford",
    "shire",
    "wood",
    "field",
    "mouth",
    "bury",
    "port",
    "borough",
)
_BRANDS = word_set(
    "brand brands company companies maker makers marca marcas empresa empresas fabricante fabricantes"
)
_LIKE = word_set("called named like as such such-as como llamada llamado")
_PLENTY = word_set(
    """
    flooring floors laminate tiles carpet shoes sneakers trainers boots sandals jeans leggings socks gloves sunglasses
    cookware bakeware knives furniture headphones earbuds speakers shampoo conditioner perfume lipstick mascara makeup
    toothpaste deodorant sunscreen tyres tires skis crayons strings gear sportswear clothing
    """
)
"""Goods that need no article."""
_OBJECTS = MINE | ARTICLES | word_set("his her its their your this that these those it him them me us you")
"""With one of these after it, such a word is a verb: "Corvel boots his laptop"."""
_ONE_OF_MANY = word_set(
    """
    guitar bass piano keyboard violin amplifier jacket hoodie sweater sweatshirt t-shirt shirt handbag backpack suitcase
    mattress sofa couch fridge freezer oven dishwasher vacuum blender mixer toaster kettle skillet laptop tablet camera
    printer console tv bicycle motorbike motorcycle scooter truck tractor tent tumbler mower chainsaw racket racquet
    snowboard surfboard wetsuit helmet pram stroller
    """
)
"""Goods that have an article in the singular."""
_GOODS = word_set(
    """
    zapatillas zapatos botas sandalias vaqueros gafas aspiradora lavadora nevera batidora guitarra bicicleta camara
    televisor mochila colchon perfume neumaticos auriculares altavoces
    """
)
_GIVING = word_set(
    "buy buys bought buying give gives gave given giving get gets got getting send sent sending bring brought bringing "
    "make made making lend lent offer offered show showed hand handed sell sold order ordered find found owe owes"
)
"""Verbs with two objects: "bought Ruth shoes"."""


def may_be_somebody(key: str) -> bool:
    """Whether a name of one word is a common first name: a town or brand of that name says nothing about people."""
    return key in name_lists.common_names()


def told(words: Sequence[Word], first: int, last: int, kind: EntityType) -> tuple[EntityType, str]:
    """The type of a name and the role that the words around it state; its given type and "" if they state none.

    Args:
        words: of a text.
        first, last: the positions of the first and the last word of the name.
        kind: the type given to it so far.
    """
    pet = animal(words, first, last, person=kind == "person") if kind in {"person", "thing"} else ""
    if pet:
        return "thing", pet
    if kind != "event" and _is_town(words, first, last, kind):
        return "place", TOWN
    if kind in {"person", "organization"} and _is_brand(words, first, last):
        return "organization", BRAND
    if kind in {"person", "place"} and words[first].capital and _is_listed_brand(words, first, last):
        return "organization", ""
    if kind == "person" and first == last and _is_in_a_place(words, first):
        return "place", ""
    return kind, ""


def _is_listed_brand(words: Sequence[Word], first: int, last: int) -> bool:
    """Whether a name is a known brand's, and has no title: "Toyota", "at McDonald's", but not "Mr. Toyota"."""
    if not TITLES.isdisjoint(_before(words, first)[:1]):
        return False
    written = " ".join(word.fold + "'s" * word.possessive for word in words[first : last + 1])
    return not name_lists.brands().isdisjoint((written, written.removesuffix("'s")))


def _before(words: Sequence[Word], first: int) -> list[str]:
    return [word.fold for word in words_before(words, first)]


def _is_town(words: Sequence[Word], first: int, last: int, kind: EntityType) -> bool:
    """Whether a text calls a name a town: "Elmwick, a small town in", "the village of Elmwick", "my hometown, Elmwick"."""
    before = _before(words, first)
    if kind != "organization" and before:
        of = before[0] in _OF and not _TOWNS.isdisjoint(before[1:2]) and before[:2] != ["de", "pueblo"]
        if of or before[0] == "hometown":
            return True
    after = words_after(words, last)
    is_one = bool(after) and after[0].fold in COPULAS
    rest = after[int(is_one) :]
    told = bool(rest) and rest[0].fold in _ONE and (is_one or after[0].comma)
    return told and not words[last].possessive and _is_one_town(rest)


def _is_one_town(told: Sequence[Word]) -> bool:
    """Whether words begin with "a small town", and not with a person: "a small town boy", "a boy from a town"."""
    for at in range(1, min(4, len(told))):
        if told[at].fold in _FROM:
            return False
        if told[at].fold in _TOWNS and not told[at].possessive:
            following = told[at + 1 : at + 2]
            return not following or not following[0].joined or following[0].fold in _WHERE
    return False


def _is_brand(words: Sequence[Word], first: int, last: int) -> bool:
    """Whether a text calls a name a brand: "Orvane flooring", "an Orvane guitar", "brands like Orvane"."""
    before = _before(words, first)
    like = list(takewhile(_LIKE.__contains__, before))
    named = before[len(like) :][:1]
    one = first == last
    if one and may_be_somebody(words[first].fold):
        return False
    if named and named[0] in _BRANDS and words[first].joined and (like or named[0] in {"brand", "marca"}):
        return True
    goods = bool(before) and before[0] in _GOODS and words[first].joined
    if one and goods and words[first].capital and words[first].fold not in name_lists.first_names():
        return True
    if not one or not words[first].capital or words[first].possessive or not words[last + 1 : last + 2]:
        return False
    after = words[last + 1]
    verb = after.fold in _PLENTY and any(word.fold in _OBJECTS for word in words[last + 2 : last + 3])
    other = not after.joined or after.capital or after.possessive
    if verb or other or (before and before[0] in _GIVING):
        return False
    return after.fold in _PLENTY or after.fold in _ONE_OF_MANY


def _is_in_a_place(words: Sequence[Word], at: int) -> bool:
    """Whether a name is no first name, ends as places do, and follows a word for a place: "near Elmhaven"."""
    name, before = words[at], _before(words, at)
    if not name.capital or name.possessive or name.fold in name_lists.first_names() or not before:
        return False
    if not name.joined or not name.fold.endswith(_SHAPED):
        return False
    return before[0] in _IN or (before[0] in _TO and not _GOING.isdisjoint(before[1:3]))
