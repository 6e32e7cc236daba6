"""Names that are known: first names, places, and the well-known people, organizations and things.

All are folded: lower case, without accents. The longer lists are in `lists/`; NOTICE says where they come from.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from strata.domain.entities.shapes import EntityType
from strata.domain.entities.vocabulary import FUNCTION, TITLES
from strata.domain.facts.patterns.tables.words import TOWNS, word_set

_NICKNAMES = word_set(
    """
    jo ed mo bo ty gaz olu kofi kiko fede pepe paco nacho lola pili charo quique kike javi rafa dani santi tere mari maite manolo nando nico guille gabi
    edu isa chus chelo conchi merche mercedes pedrito juanjo juanma josema luismi chuy beto lupe memo tono lalo
    quico xavi jordi ferran oriol pau aitor iker ane nerea unai gorka ainhoa begona josu maialen ximena nahuel lautaro
    chidi ngozi priya arjun raj anika amir omar fatima aisha yusuf mehmet ali wei mei jin yuki hiro kenji sakura
    kev jez trev nige bex becs jojo lou abs seba tano maru cami maxi agus nati lucho pancho gabo tato yoli meche nena
    siobhan niamh aoife saoirse oisin cian sian ffion dafydd bilal zaid tariq noor leila layla
    """
)


NAMES_TOO = word_set(
    """
    abril alma amor angel april art august autumn baby banks bienvenida bonita boss brook campo cara caro case cena chance
    chase che cherish cielo clay comfort cool creed dale del destiny diamond doctor dolores don early else ella era esperanza
    esta ever faith fancy fe fern fiel flor floor forest french friend general german glory gracia grace grant green grit guy
    hall happy harmony haven heaven holly honey honor hope hoy hunter hymn ivory jade jewel job journey joy judge june kick
    king lady les less liberty liz little long lot love lucky luna luz major male mar margarita marina mark marley marry
    marvel mason may mayo media melody mercy merry mil mira misty monte nada nieves page paisley par patience paz peace
    pearl pero phoenix piedad pilar pink precious press price prince princess queen rain ray reason red reed remedios rice
    rich river robin rock rocio roll rosa rosario rose royal ruby rush said sage sal salud salvador santo scarlet
    segundo serenity shadow sincere sister skip sky sol soledad son spring star sterling stone storm sugar summer sunday
    sunny tea till tiny trinity true una uno val van vera victor vida violet viva wash will willow winter wise wolf worth
    young virtudes amparo angustias candelaria concepcion consuelo dulce encarnacion gloria milagros rayo socorro bruno
    metro curro nacio norma ace boxer perla almond ginger basil olive pepper rosemary daisy iris jasmine lily heather hazel ivy poppy
    """
) - word_set("liz fe bruno victor rosa margarita marina salvador")
"""First names that are mostly words."""


_WORDS = word_set("art cherish comfort")


@cache
def first_names() -> frozenset[str]:
    """First names, without words that mean something else mostly."""
    return (_list("first_names") | _list("rare_first_names") | _NICKNAMES) - FUNCTION - TITLES - _WORDS


@cache
def common_names() -> frozenset[str]:
    """First names that are not so rare that the word may well mean something else."""
    return first_names() - _list("rare_first_names")


_SHORT = word_set("uk usa nyc cdmx eeuu uae")


@cache
def places() -> frozenset[str]:
    """Countries, states and cities, in English and Spanish."""
    return (_list("places") | _list("small_places") | _list("landmarks") | TOWNS | _SHORT) - (
        FUNCTION - word_set("nice")
    )


@cache
def large_places() -> frozenset[str]:
    """Places that are known so well that their name is enough."""
    return (_list("places") | _list("landmarks") | TOWNS | _SHORT) & places()


@cache
def famous_people() -> frozenset[str]:
    """Famous people by the name that is enough for them."""
    return _list("people")


@cache
def known_names() -> Mapping[str, EntityType]:
    """Well-known names that are neither people nor places, with the type that they have mostly."""
    return {name: kind for kind in _KINDS_OF_LISTS for name in _list(f"{kind}s")}


@cache
def brands() -> frozenset[str]:
    """Brands and makers whose name is hardly anybody's, nor a place's or a common word; no clue of the weights."""
    return _list("brands")


_KINDS_OF_LISTS: tuple[EntityType, ...] = ("organization", "thing", "event")


def _list(name: str) -> frozenset[str]:
    return frozenset((files(__package__) / "lists" / f"{name}.txt").read_text("ascii").splitlines())
