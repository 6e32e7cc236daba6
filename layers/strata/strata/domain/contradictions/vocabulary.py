"""The words and phrases that the rules on contradictions know, in English and Spanish, folded."""

import re

from strata.domain.entities.vocabulary import KIN
from strata.domain.text.common import common_stem

WORD = re.compile(r"[^\W_](?:[\w+#]|['&.-](?=\w))*")

PHRASES = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"\b(?:no|nadie|nunca|jamas)((?: [^\s.;!?,]+){1,6}) que no\b", r"\1 que"),
        (r"\b(?:never|not|no|nunca|jamas)((?: [^\s.;!?,]+){1,6}) (?:without|sin)\b", r"\1 with"),
        (r"\b(?:no|not|never|nunca) (?:\w+ ){0,2}(?:less|more|fewer|later|earlier|menos|mas) (?:\w+ )?(?:than|de|que)\b", " "),
        (
            r"\b(?:no ?one|nobody|nothing|none|never|not|no|nadie|nada|nunca|jamas|ningun[oa]?)\b(?=(?: [^\s.;!?]+){0,7} "
            r"(?:but|except|other than|besides|apart from|outside|salvo|excepto|menos|sino|mas que|fuera de|aparte de)\b)",
            " only ",
        ),
        (
            r"\b(?:(?:and|y) )?(?:no other|nobody else|no ?one else|nothing else|nowhere else|not any other|ningun[oa]? otr[oa]|nadie mas|nada mas)\b",
            " only ",
        ),
        (r"\b(?:no|without|sin) (?:any )?(?:trouble|problems?|difficult(?:y|ies)|issues?|problemas?|dificultad(?:es)?)\b", " "),
        (r"\bwon't\b|\bcan't\b|\bcannot\b|n't\b", " not "),
        (r"'(?:ve|d|ll|re|m)\b", " "),
        (r"\b(?:ni|nor)\b", ", no "),
        (
            r"\b(?:gave|given|gives?|giving) up\b|\b(?:quits?|stopped|no longer|any ?more|lacks?|(?:ran )?out of|avoids?|refuses?(?: to)?|allergic to|afraid of"
            r"|instead of|away from|fuera de|rather than|rid of|unable to|far from|used to|(?:dis|mis)trusts?)\b|\bdej(?:o|e|aron|ado) (?:de|el|la|los|las)\b|\bdejan? de\b"
            r"|\b(?:ya no|carecen? de|evita|en vez de|en lugar de|alergic[oa]s? al?|incapaz de|desconfian?)\b",
            " not ",
        ),
    )
)  # fmt: skip
"""Phrases, each with what is read in its place: a denial, or "only" for a denial with an exception."""
CLAUSE = re.compile(
    r"[.;:!?,()]+(?=\s|\Z)|\s(?:and|but|so|y|e|pero|while|mientras|because|porque|where|donde)\s"
)
NEGATIONS = frozenset(
    """
    not no never nobody nothing none without neither nor nowhere
    nunca jamas nadie nada ningun ninguna ninguno sin ni tampoco
    cannot hardly barely zero apenas unable
    """.split()  # noqa: SIM905
)
CONCORD = NEGATIONS - {"sin", "cannot", "hardly", "barely", "zero", "apenas", "unable"}
"""Words that Spanish says beside another negation without denying it."""
OTHERS = KIN | frozenset(
    """
    brothers sisters parents sons daughters children cousins friend friends neighbour neighbor neighbours neighbors boss manager colleague colleagues flatmate roommate mate
    landlord team company office dog cat
    hermanos hermanas padres hijos hijas primos amigo amiga amigos vecino vecina vecinos jefe jefa companero companera empresa equipo perro gato
    """.split()  # noqa: SIM905
)
"""Others near a person, of whom a note may tell."""
ONLY = re.compile(
    r"\b(?:only|sol[eo]|solely|unic[oa]|(?:sola|unica)mente|exclusively|nowhere else|nobody else|nadie mas|whole|always|siempre)\b"
)
"""Words by which a claim leaves nothing beside it."""
PAST = re.compile(
    r"\b(?:used to|formerly|previously|former|ex|originally|at first|once (?:an?|was|were|had|lived|worked)|back (?:then|in)|in the past|had been"
    r"|before (?:the|that|this|his|her|my|their|he|she|i)|as an? (?:child|kid|boy|girl|student|teenager)|in (?:his|her|my|their) (?:teens|youth|childhood|\w+ties)"
    r"|de (?:joven|nin[oa]|pequen[oa]|soltero)|antes(?! de \w+r\b| de l[ao]s)|anterior|antano|solia|era|eran|tenia|vivia|habia|antigu[oa])\b"
)
"""Words by which a claim tells of what was."""
UNSURE = re.compile(
    r"\b(?:would like|(?<!not )(?<!n't )wants?|wish(?:es)?|hopes?|thinking of|thinks? (?:about|of)|considering|plans? to|might|maybe|perhaps|dreams? of|if|unless|could|often|usually|sometimes|mostly"
    r"|gustaria|(?<!no )quiere|quisiera|(?<!ni )(?<!no )piensa|suena con|duda|planea|quiza|tal vez|puede que|espera|querria|ojala|si|suelen?|a menudo|a veces)\b"
)
"""Words by which a claim tells of a wish or a plan, or leaves room for another case."""
IDLE = frozenset(
    """
    user want wants wanted appear appears would will shall say says said tell told ask asks asked like get gets got go goes went gone going come comes came make makes made
    take takes took taken has have had keep keeps kept put puts set sets does do did done be been being one ones thing things way every each per always still already ever
    single whole whatsoever line anybody anyone anything any everybody everyone everything else somebody someone something know knows knew really very quite much many lot own
    date dates fully since call called name named names direct directly
    usuario usuaria quiere quieren quiso hara habra hay sera va van ir ido iba hacer hace hacen hizo hecho tener tiene tienen tuvo ha han haber lleva llevan lleve poner pone puso
    quedar queda quedo fecha sigue siguen siempre todavia aun ya cada desde todo toda todos todas mucho mucha muchos muchas mas menos alguien algo cosa caso casos otro otra otros saber sabe
    vez veces dar da dan dio dieron estar estan estuvo elige eligio pide pidio le les se lo llama llaman nombre directo directa
    """.split()  # noqa: SIM905
)
"""Words that tell nothing of what a note is about."""
IDLE_STEMS = frozenset(stem for word in IDLE if len(stem := common_stem(word)) > 3)
_VALUED = """
    is was are use see built write host base locate found begin end depart cost pay run last take weigh measure turn fall home need happen hold time number value level amount size
    release deadline birthday celebrate spend budget hour day month year week night morning evening afternoon minimum maximum annual monthly weekly version port early late about around
    caer cae nacer pesar medir tardar durar noche manana tarde dia mes ano hora semana mensual anual
    """.split()  # noqa: SIM905
BESIDE_VALUES = frozenset(map(common_stem, _VALUED))
"""Words beside a value that tell nothing of what it is a value of."""
OCCASIONS = frozenset(
    """
    morning mornings afternoon afternoons evening evenings night nights spring summer autumn winter weekday weekdays weekend weekends other another
    mondays tuesdays wednesdays thursdays fridays saturdays sundays annual annually yearly monthly weekly daily year month week
    manana mananas tarde tardes noche noches primavera verano otono invierno semana finde otro otra sabados domingos anual mensual semanal diario diaria ano mes dia
    """.split()  # noqa: SIM905
)
"""Words that tell one occasion, or one thing of its kind, from another."""
