"""The table of relationships: how English and Spanish state each kind. To add a kind or a phrase, add a line.

A phrase is a regular expression for the folded text between a subject and an object, of the types that its line names, or,
for the speaker, for the text before the object.
"""

from dataclasses import dataclass

from strata.domain.entities.shapes import EntityType
from strata.domain.entities.vocabulary import KIN, PETS, ROLES


@dataclass(frozen=True, slots=True)
class Line:
    """One way to state a kind of relationship.

    Attributes:
        kind: the kind.
        subjects: the types of the subject; none if the speaker is the subject.
        phrase: a pattern of the folded words between subject and object, or before the object of the speaker.
        objects: the types of the object.
        confidence: above 0 and at most 1.
        turned: whether the object of the phrase is the subject of the relationship ("Tom's dog Rex").
        asked: whether a question states it as well ("is my sister Ana here?").
    """

    kind: str
    subjects: tuple[EntityType, ...]
    phrase: str
    objects: tuple[EntityType, ...]
    confidence: float = 0.85
    turned: bool = False
    asked: bool = False


def _any(words: frozenset[str]) -> str:
    return "(?:" + "|".join(sorted(words, key=lambda word: (-len(word), word))) + ")"


_KIN, _PET, _KNOWN = _any(KIN), _any(PETS | {"guinea pig"}), _any(ROLES - KIN)
_SO = r"(?:(?:now|still|also|currently|just|already|actually|has|have|ya|ahora|tambien|todavia|aun|actualmente|ha|han|hemos) )*"
_THE = r"(?: the| el| la| los| las| al| del)?"
_A = r"(?:a|an|the|un|una|el|la) (?:[\w-]+ ){0,4}?"
_I = r"(?:i|we) "
_IM = r"(?:i'm|im|i am|we're|we are) "
_MY = r"(?:my|our|mi|mis|nuestro|nuestra) (?:[\w-]+ ){0,1}?"
_CALLED = r"(?:,|'s name is|'s called| is| is called| called| named| se llama| es| que se llama)?"
_PERSON: tuple[EntityType, ...] = ("person",)
_PLACE: tuple[EntityType, ...] = ("place",)
_ORG: tuple[EntityType, ...] = ("organization",)
_THING: tuple[EntityType, ...] = ("thing",)
_SPEAKER: tuple[EntityType, ...] = ()

# fmt: off
TABLE = (
    # works-at
    Line("works-at", _PERSON, rf"{_SO}(?:works?|is working|are working) (?:at|for|with){_THE}", _ORG, 0.9),
    Line("works-at", _PERSON, rf"(?:is|are) {_A}[\w-]+ (?:at|for){_THE}", _ORG),
    Line("works-at", _PERSON, rf"{_SO}(?:joined|started at|runs|manages|founded|heads|got a job at){_THE}", _ORG, 0.8),
    Line("works-at", _PERSON, rf"{_SO}(?:trabajan?|esta trabajando|curra|labora) (?:de [\w-]+ )?(?:en|para|con){_THE}", _ORG, 0.9),
    Line("works-at", _PERSON, rf"es (?:[\w-]+ ){{1,4}}en{_THE}", _ORG),
    Line("works-at", _PERSON, rf"{_SO}(?:dirige|fundo|entro a trabajar en){_THE}", _ORG, 0.8),
    Line("works-at", _PERSON, rf", (?:de|from){_THE}|from{_THE}", _ORG, 0.6),
    Line("works-at", _SPEAKER, rf"{_I}{_SO}(?:work|volunteer) (?:at|for|with){_THE}|{_IM}working (?:at|for){_THE}", _ORG, 0.9),
    Line("works-at", _SPEAKER, rf"{_IM}{_A}[\w-]+ (?:at|for){_THE}", _ORG),
    Line("works-at", _SPEAKER, rf"{_I}{_SO}(?:joined|teach at|drive for|manage){_THE}", _ORG, 0.8),
    Line("works-at", _SPEAKER, rf"(?:trabajo|curro|laboro|trabajamos) (?:de [\w-]+ )?(?:en|para|con){_THE}", _ORG, 0.9),
    Line("works-at", _SPEAKER, rf"soy (?:[\w-]+ ){{1,4}}en{_THE}", _ORG),
    # studies-at
    Line("studies-at", _PERSON, rf"{_SO}(?:stud(?:y|ies)|is studying) (?:[\w-]+ ){{0,2}}?at{_THE}", _ORG),
    Line("studies-at", _PERSON, rf"{_SO}(?:estudian?|esta estudiando) (?:[\w-]+ ){{0,2}}?en{_THE}", _ORG),
    Line("studies-at", _SPEAKER, rf"{_I}{_SO}study (?:[\w-]+ ){{0,2}}?at{_THE}|{_IM}studying (?:[\w-]+ ){{0,2}}?at{_THE}", _ORG),
    Line("studies-at", _SPEAKER, rf"(?:estudio|estoy estudiando) (?:[\w-]+ ){{0,2}}?en{_THE}", _ORG),
    # lives-in
    Line("lives-in", _PERSON, rf"{_SO}(?:lives?|is living|are living|is based|resides) (?:just )?(?:in|near|outside){_THE}", _PLACE, 0.9),
    Line("lives-in", _PERSON, rf"{_SO}(?:moved|relocated) to{_THE}", _PLACE, 0.8),
    Line("lives-in", _PERSON, rf"{_SO}(?:viven?|esta viviendo|reside) (?:en|cerca de){_THE}", _PLACE, 0.9),
    Line("lives-in", _PERSON, rf"se {_SO}(?:mudo|mudado|fue a vivir|traslado) a{_THE}", _PLACE, 0.8),
    Line("lives-in", _SPEAKER, rf"{_I}{_SO}live (?:[\w-]+ )?(?:in|near|outside){_THE}|{_IM}(?:living|based) in{_THE}", _PLACE, 0.9),
    Line("lives-in", _SPEAKER, rf"{_I}{_SO}(?:moved|relocated) to{_THE}", _PLACE, 0.8),
    Line("lives-in", _SPEAKER, rf"(?:vivo|vivimos|estoy viviendo|resido) (?:en|cerca de){_THE}", _PLACE, 0.9),
    Line("lives-in", _SPEAKER, rf"(?:me|nos) {_SO}(?:he |hemos )?(?:mude|mudamos|mudado|traslade|cambiamos) a{_THE}", _PLACE, 0.8),
    # comes-from
    Line("comes-from", _PERSON, r"(?:is|are|comes) (?:originally )?from|was born in|grew up in", _PLACE),
    Line("comes-from", _PERSON, r"(?:es|son) (?:originari[oa] )?de|nacio en|se crio en", _PLACE),
    Line("comes-from", _SPEAKER, rf"{_IM}(?:originally )?from|i was born in|i grew up in", _PLACE),
    Line("comes-from", _SPEAKER, r"(?:soy|somos) (?:originari[oa] )?de|naci en|me crie en", _PLACE),
    # located-in
    Line("located-in", ("organization", "place", "event"), rf"(?:is|are) (?:located |based |held )?in{_THE}|in|,", _PLACE, 0.7),
    Line("located-in", ("organization", "place", "event"), r"(?:esta|queda|se celebra|es) en|en", _PLACE, 0.7 ),
    # part-of
    Line("part-of", ("organization", "thing", "place"), rf"is (?:a |an )?(?:part|division|subsidiary|branch) of{_THE}|belongs to{_THE}", ("organization", "place")),
    Line("part-of", ("organization", "thing", "place"), rf"(?:es|forma) parte de{_THE}|es una filial de|pertenece a{_THE}", ("organization", "place")),
    # belongs-to
    Line("belongs-to", _PERSON, rf"(?:is a member of|belongs to|{_SO}plays (?:[\w-]+ )?(?:for|in)|sings in){_THE}", _ORG),
    Line("belongs-to", _PERSON, rf"(?:es (?:miembro|socio|socia) de|toca (?:[\w-]+ )?en|juega en|canta en){_THE}", _ORG),
    Line("belongs-to", _SPEAKER, rf"(?:i'm a member of|i play (?:[\w-]+ )?(?:for|in)|toco (?:[\w-]+ )?en|juego en|soy soci[oa] de){_THE}", _ORG),
    Line("belongs-to", _PERSON, rf"'s (?:[\w-]+ )?{_PET}{_CALLED}", _THING, turned=True, asked=True),
    Line("belongs-to", _SPEAKER, rf"{_MY}{_PET}{_CALLED}", _THING, turned=True, asked=True),
    # knows
    Line("knows", _PERSON, rf"{_SO}(?:knows|met|is friends with|is a friend of)", _PERSON, 0.8),
    Line("knows", _PERSON, r"(?:conoce|conocio) a|es (?:muy )?(?:amig[oa]|vecin[oa]|companer[oa]|coleg[oa]) de", _PERSON, 0.8),
    Line("knows", _PERSON, rf"'s {_KNOWN},?|(?:and|y) (?:her|his|their|su) {_KNOWN},?", _PERSON, 0.8),
    Line("knows", _SPEAKER, rf"{_MY}{_KNOWN}{_CALLED}", _PERSON, asked=True),
    # family
    Line("family", _PERSON, r"(?:is|are|was) (?:married|engaged) to|married", _PERSON, 0.9),
    Line("family", _PERSON, r"esta casad[oa] con|se (?:caso|ha casado) con", _PERSON, 0.9),
    Line("family", _PERSON, rf"'s (?:[\w-]+ )?{_KIN}(?:,| is)?|(?:and|y) (?:her|his|their|su) {_KIN},?", _PERSON),
    Line("family", _PERSON, rf"(?:is|es|) (?:the |la |el )?{_KIN} (?:of|de)", _PERSON),
    Line("family", _SPEAKER, rf"{_MY}{_KIN}{_CALLED}", _PERSON, 0.9, asked=True),
    # uses
    Line("uses", ("person", "organization"), rf"{_SO}(?:uses?|is using|switched to|usan?|utiliza|se paso a)", _THING),
    Line("uses", _SPEAKER, rf"{_I}{_SO}(?:use|switched to)|{_IM}using|uso|usamos|utilizo|me pase a", _THING),
    # made-by
    Line("made-by", _THING, r",? ?by|de", _PERSON, 0.7),
)
# fmt: on

KINDS = tuple(dict.fromkeys(line.kind for line in TABLE))
"""The names of the kinds."""

OF_SPEAKER = (("family", KIN), ("knows", ROLES - KIN))
"""Kinds by the word that follows a name: "Ana, my cousin"."""
