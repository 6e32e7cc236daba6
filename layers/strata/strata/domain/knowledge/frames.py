"""The ways to state a value of oneself in English and Spanish, and to say that it changed.

A frame names no attribute: it takes the noun of "my N is V", or the verb of "I V", as the attribute. Patterns are
matched on folded text at the beginning of a clause; the value begins at the group `v`.
"""

import re
from dataclasses import dataclass

VERB = "*"


@dataclass(frozen=True, slots=True)
class Frame:
    """One way to state a value.

    Attributes:
        pattern: matches up to the value.
        subject: the attribute; "" where the group `n` names it; VERB where `n` is a verb or a preposition, of which
            there may be several values.
        needs: what must also hold. "" for nothing; "name": the value is a name; "mark": the clause says that it
            holds from now on; "change": the message tells of a change. Several are alternatives.
        changes: whether it tells of a change itself.
    """

    pattern: re.Pattern[str]
    subject: str = ""
    needs: str = ""
    changes: bool = False


_MONTHS = (
    r"january|february|march|april|may|june|july|august|september|october|november|december|enero|febrero|marzo|abril|mayo|junio|julio|agosto"
    r"|septiembre|octubre|noviembre|diciembre"
)
_FROM_NOW = (
    rf"nowadays|these days|from (?:now|here|today|this \w+|monday|{_MONTHS})(?: on)?|as of \w+|starting (?:today|this|next|monday|{_MONTHS})|since (?:last|this|yesterday|the|monday|tuesday|wednesday|thursday|friday|saturday|sunday|{_MONTHS}|\d{{4}})|any ?more"
    rf"|for good|de ahora en adelante|hoy en dia|desde (?:hoy|ayer|ahora|este|esta|el|la|{_MONTHS})|a partir de|en adelante|ultimamente"
)
MARK = re.compile(
    rf"\b(?:(?<!right )(?<!for )(?<!until )(?<!till )now(?! and then)|ahora(?! mismo)|{_FROM_NOW})\b"
)
"""Words that say that something holds from here on."""

NEWLY = re.compile(
    r"\b(?:(?<!right )(?<!for )(?<!until )(?<!till )now(?! and then)|ahora|these days|nowadays|from (?!\w+ to\b)\w+|as of|starting (?:today|this|next)|any ?more|for good"
    r"|since (?:last|yesterday|this|the|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|desde (?:hoy|ayer|ahora|el|la|este|esta)|a partir de"
    r"|en adelante)\b"
)
"""Those that tell of a change: not "since 2019"."""

FOR_GOOD = re.compile(rf"\b(?:{_FROM_NOW})\b")
"""Those that do not say just "now"."""

LEAD = re.compile(
    r"(?:(?:from|since|as of|starting) (?:this |last |the )?\w+(?: on)?|these days|now|(?:desde|a partir de)(?: el| la| este| esta)? \w+"
    r"(?: pasad[oa])?|(?:de )?ahora(?: en adelante)?|ya|por fin|al fin|finally)[, ]+"
)
"""Words of a change before the clause that tells it."""

CHANGE = re.compile(
    r"\b(?:switch\w*|chang(?:ed?|ing)|mov(?:ed|ing)|shifted|swapp\w+|traded|trading|joined|quit|left|retired|promot\w+|transfer\w*|flitted"
    r"|replaced|resigned|sold|closed|returned|gone|died|cancel+ed|opened|merger|reshuffled|notice|got rid|g[ai]ven? up|upgraded|new|old|arrived"
    r"|passed|thoughts|ended up|put me|finally|settled|cambi\w+|mud\w+|pas(?:e|amos|ado|aron)|deje|dejado|dejamos|vend\w+|renunci\w+|giro"
    r"|ascend\w+|traslad\w+|jubil\w+|se fue|me fui|me sali|firm[eo]\w*|nuev[oa]|estren\w+|compr[eo]|ya no|reubic\w+|migr\w+|murio|cerro"
    r"|otr[oa]|acab\w+|novedad|arranque)\b"
)
"""Words that tell of a change, anywhere in a message."""

TURN = re.compile(
    rf"{CHANGE.pattern}|\b(?:went|goes|gone|back to|no longer|not any ?more|instead|swapped|ported|delivered|landed with|took me on|matched me|saw the last"
    r"|earlier|previous|former|last day|took over|away to|moved in|the other|retir\w+|fue|hered\w+|qued[eo]\w* con|no vuelvo|no piso|termin\w+|cort[eo]"
    r"|anterior|dio de baja|adios|larg[uo]e|colgue|cai con|entre a|me recibio|en vez de|se apago|hizo sus|mando al diablo|jubilad[oa]|devolv\w+|entregue)\b"
)
"""Words by which a sentence may tell that one thing took the place of another."""

PERSONS = re.compile(
    r"(?:roomie|roommate|flatmate|housemate|boss|manager|tutora?|doctora?|dentist\w*|teacher|profe\w*|coach|therapist|supervisor\w*|jef[ea]|companer[oa])\b"
)
"""Nouns for somebody whom a person has one of: only their name is a value."""

SELF = re.compile(r"\b(?:i|i'm|i've|me|my|mine|we|we're|us|our|yo|mi|mis|conmigo|nos|nuestr[oa]s?)\b")
"""Words for oneself."""

SWITCHED = re.compile(
    r"(?:(?:i|we)(?:'ve| have)? )?(?:changed|switched|swapped)(?: my| our| the)? (?P<n>[a-z]+)\b(?! (?:to|from|for|over))"
    r"|(?:(?:me|nos) )?(?:he |hemos |han )?cambi(?:e|o|amos|ado|aron) de (?P<m>[a-z]+)"
)
"""Somebody has another one now, whose name follows."""

SOON = re.compile(
    r"\b(?:(?<!of )(?<!from )(?<!starting )this (?:week|weekend|morning|afternoon|evening|time)|tonight|again|right now"
    r"|esta (?:semana|noche|tarde|manana)|este finde|un rato)\b"
)
"""Words that say that something is so now, but for a change that was made then."""

PASSING = re.compile(
    r"\b(?:until|till|today only|only (?:for )?today|only for|just for|for now|for the (?:day|week|weekend|moment)|temporar\w+|trial"
    r"|for a (?:day|few|week|while|wedding|conference)|on (?:holiday|vacation|a trip|loan)|visiting|borrow\w*|rental|lent|hasta|unos dias"
    r"|de (?:vacaciones|viaje|visita|paso)|prestad[oa]|por hoy|solo hoy|por ahora|de momento|ahora mismo|a prueba)\b"
)
"""Words that say that something passes."""

OTHERS = re.compile(
    r"\b(?:he(?! \w+[aei]d?[oe]\b)|she|his|her|him|sisters?|brothers?|mother|mum|mom|ma|dad|father|papa|parents|sons?|daughters?|wife|husband|partner|girlfriend|boyfriend|friends?"
    r"|mates?|cousins?|niece|nephew|aunt|uncle|gran\w*|neighbou?rs?|customers?|clients?|colleagues?|coworkers?|roommate's|kids?|ex|in-laws?|you|your"
    r"|herman[oa]s?|madre|padre|mama|viej[oa]s|hij[oa]s?|espos[oa]|marido|mujer|novi[oa]|pareja|amig[oa]s?|prim[oa]s?|sobrin[oa]s?|ti[oa]s?|abuel[oa]s?"
    r"|vecin[oa]s?|cliente\w?|compa\w*s|cunad[oa]|suegr[oa]|nuera|yerno|comadre|compadre|niet[oa]s?|ell[oa]s?|tu|usted)\b"
)
"""Words for somebody else."""

_I = r"(?:i|we)(?:'ve| have)?(?: (?:just|finally|now|also|recently|only|always|actually|ended up|mostly))*"
_AM = r"(?:i'm|i am|we're|we are|im)(?: (?:now|officially|finally|currently|back))*"
_NOUN = r"(?P<n>[a-z][a-z'-]*(?: [a-z][a-z'-]*){0,3}?)"
_TO = r"(?: (?:to|for|at|in|on|with|from|through|into|onto|over|up|back|as))*"
_GO = r"(?:switch(?:ed|ing)|moved|moving|changed|shifted|gone|converted|migrated|transferred|relocated|flitted|swapped|upgraded|settled)"
_NOT_BEING = r"(?!(?:not|been|gone|out|off|broken|already|still|too|so|very|all|under|over|behind|near|done|back|\w+ing|no|muy|ya|tan)\b)"
_SE = r"(?:me|nos)"
_DET = r"(?:el|la|los|las|un|una)"


def _frames(*lines: tuple[str, str, str, bool]) -> tuple[Frame, ...]:
    return tuple(
        Frame(re.compile(pattern), subject, needs, changes) for pattern, subject, needs, changes in lines
    )


FRAMES = _frames(
    # --- English: the noun is named ---
    (rf"(?:my|our) (?:new |current )?{_NOUN}(?:'s| is| are)(?: (?:now|currently|called|on|at|in|with|a|an))* {_NOT_BEING}(?P<v>)", "", "name mark", False),
    (r"(?P<v>)[\w.'-]+(?: [\w.'-]+){0,3} (?:is|are)(?: now)? (?:my|our) (?P<n>[a-z-]+(?: [a-z-]+){0,2}?)(?= (?:now|from|for|these|at|on|since|as)\b|[,.;:]|\Z| and\b)", "", "name mark", False),
    (r"(?P<n>[a-z]+) (?P<v>)\w+(?:'s| is) mine\b", "", "", False),
    (r"new (?P<n>[a-z]+)(?: [a-z ]{0,30})?: (?P<v>)", "", "name", True),
    (r"(?P<v>)[\w.-]+(?: [\w.-]+){0,3}'s(?: now)? (?:my|our) (?P<n>[a-z-]+(?: [a-z-]+){0,2}?)(?= (?:now|from|for|these|at|on|since|as)\b|[,.;:]|\Z| and\b)", "", "name mark", False),
    (rf"{_I} (?:found|got|have)(?: found| got)? (?:a|an|my) new (?P<n>[a-z]+)[^,:.]{{0,30}}[,:] (?P<v>)", "", "name", True),
    # --- English: change ---
    (r"(?:(?:i|we)(?:'ve| have)? )?(?:(?:just|finally|recently|ended up|have) )*(?:moved|relocated|flitted|shifted)(?: [a-z]+){0,2}?(?: over| back| up| down| out)? to (?P<v>)", "home", "name", True),
    (rf"(?:(?:i|we)(?:'ve| have)? )?(?:(?:just|finally|recently|ended up|have|and) )*{_GO}(?: my| our)?(?: [a-z]+){{0,2}}?(?: over| back| up)? (?:to|on|for|over to) (?P<v>)", "change", "", True),
    (rf"(?:{_I} )?(?:joined|started (?:working )?(?:at|with)|signed (?:up )?(?:with|for|at)|got (?:a job|hired|taken on) (?:at|by|with)) (?P<v>)", "work", "name", True),
    (rf"(?:(?:they|{_I}|[a-z]+)(?:'ve| have)? )?(?:got|put|moved|promoted|made|gave|issued|assigned)(?: me| us)(?: (?:up|in|on|to|with|over|into|as))*(?: a| an| the)? (?P<v>)", "change", "mark change", True),
    (rf"{_I} (?:got|bought|picked up|ordered)(?: myself| ourselves)? (?:a|an|the|my) (?:new |used |second-?hand )?(?P<v>)", "has", "name", True),
    (r"(?:i )?got promoted to (?P<v>)", "role", "", True),
    (rf"(?:{_I} )?(?:jumped ship[, ]+)?(?:got|picked up|bought|said(?= yes)|(?:got )?talked into)(?: myself)? (?:a |an |the |yes to )(?P<v>)", "has", "name", True),
    (r"(?:(?:my|our|the) )?first (?:day|week|night|month|shift|class|lesson|session) (?:at|in|with|on) (?:the )?(?P<v>)", "change", "name", True),
    (r"(?:two|three|four|five|six|a few|couple of|\d+) (?:days|weeks|months) (?:with|on|at|in) (?:the |my )?(?P<v>)", "change", "name", True),
    (rf"(?:they|{_I})?(?:'ve| have)? ?(?:swapped|traded|exchanged|replaced|changed)(?: [\w-]+){{1,4}}? (?:for|with) (?:a |an |the )?(?P<v>)", "change", "", True),
    (rf"{_I} (?:started|began|begun) (?:seeing|going to|using|taking|with|at|on) (?P<v>)", "change", "", True),
    (rf"(?:they|{_I})?(?:'ve| have)? ?(?:landed|matched(?: me)?|ended up|gone|went|stuck|staying) with (?P<v>)", "change", "name", True),
    (r"(?P<v>)[\w.'-]+(?: [\w.'-]+){0,2} (?:took|has taken|'s taken) (?:me|us) (?:on|over)\b", "change", "name", True),
    # --- English: I am, I do ---
    (rf"{_AM} an? (?P<v>)", "role", "mark", False),
    (rf"{_AM} {_NOT_BEING}(?P<v>)", "role", "mark change", False),
    (rf"{_AM} (?P<n>with|at|in|on) (?P<v>)", VERB, "mark change", False),
    (rf"(?:i|we)(?: (?:now|also|only|always|mostly))* (?P<n>[a-z]+){_TO} (?:my \w+ (?:at|with|from|in) )?(?P<v>)", VERB, "mark", False),
    (rf"(?:{_I} (?:live|reside)|{_AM} (?:staying|living|based|renting)) (?:in|at) (?P<v>)", "home", "name", False),
    (rf"{_I} (?:work|drive) (?:at|for) (?P<v>)", "work", "name", False),
    (r"(?P<v>)[\w.'-]+(?: [\w.'-]+){0,2} (?:now )?(?P<n>[a-z]+s) (?:me|us|my|our)\b", VERB, "mark", False),
    (r"(?:it's|it is) (?P<v>)", "change", "both", True),
    (rf"{_I} have (?:a|an|the )?(?P<v>)", "has", "mark change", True),
    (r"(?:it's|it is|just|only) (?:the )?(?P<v>)", "change", "name both", True),
    (r"call me (?P<v>)", "name", "name", True),
    (r"(?:answer|reply|talk|speak|write|respond)(?: to)?(?: me)?(?: only)? in (?P<v>)", "language", "mark", True),
    (r"(?:respond|contest|habl|escrib)[a-z]{1,4}me(?: siempre| solo)? en (?P<v>)", "language", "mark", True),
    # --- Spanish: the noun is named ---
    (rf"(?:mi|nuestr[oa]) (?:nuev[oa] )?{_NOUN}(?: ahora)? (?:es|son|se llama)(?: ahora)?(?: de| en| con)?(?: {_DET})? (?P<v>)", "", "name mark", False),
    (r"(?:ahora )?(?P<v>)[\w.'-]+(?: [\w.'-]+){0,3} es(?: ahora)? (?:mi|nuestr[oa]) (?P<n>[a-z]+)", "", "name mark", False),
    (rf"(?:(?:ahora|ya) )?(?:{_DET} )?(?P<n>[a-z]+)(?: que [a-z ]+?)?(?: ahora)? es(?: ahora)? (?P<v>)", "", "mark", False),
    (r"nuev[oa] (?P<n>[a-z]+)(?: [a-z ]{0,30})?: (?P<v>)", "", "name", True),
    # --- Spanish: change ---
    (rf"(?:ya |al fin |por fin )*(?:nos (?:cambiamos|pasamos) a|{_SE} mud\w+ a) (?P<v>)", "home", "name", True),
    (rf"(?:ya |al fin |por fin )*{_SE} (?:he |hemos )?(?:mude|mudamos|mudado|muda|cambiamos de casa|fui a vivir)(?: [\w]+){{0,4}}? a (?P<v>)", "home", "", True),
    (rf"(?:ya |al fin |por fin )*(?:{_SE} )?(?:he |hemos |han )?(?:pas|cambi|traslad|reubic|mov)(?:e|amos|ado|aron)(?: [\w]+){{0,4}}? (?:a|al|pal|para|por|con) (?:{_DET} )?(?P<v>)", "change", "", True),
    (rf"(?:ya |al fin |por fin )*{_SE} (?:hicieron|nombraron|ascendieron(?: a)?|pusieron de) (?P<v>)", "role", "", True),
    (rf"(?:\w+ )?{_SE} (?:anote|apunte|inscribi|uni|incorpore|matricule)(?: en| a| al)? (?:{_DET} )?(?P<v>)", "change", "", True),
    (rf"(?:ya )?(?:arranque|empece|entre|fiche|empiezo)(?: a trabajar)? (?:en|por|con|para) (?:{_DET} )?(?P<v>)", "work", "name", True),
    (rf"(?:ahora |ya )?(?:tengo|tenemos) (?:{_DET} )?(?P<v>)", "has", "mark change", False),
    (rf"(?:ya |al fin |por fin )*(?:{_SE} )?(?:compre|compramos|agencie|agenciado|dieron|entregaron|estrene) (?:{_DET} )(?P<v>)", "has", "name", True),
    (rf"(?:[a-z]+ ){{0,2}}{_SE} (?:dieron|entregaron) (?:{_DET} )?(?P<v>)", "has", "name", True),
    (rf"(?:(?:mi|la) )?primer[ao]? (?:semana|dia|noche|mes|clase|turno|sesion) (?:en|con|de) (?:{_DET} )?(?P<v>)", "change", "name", True),
    (rf"(?:dos|tres|cuatro|cinco|unas|unos|\d+) (?:semanas|dias|meses) (?:con|en) (?:{_DET} )?(?P<v>)", "change", "name", True),
    (rf"(?:ya |y )*(?:me |nos )?(?:cai|arranque|empece|quede|quedo|sigo|termine|entre|arrancamos)(?: [a-z]+)? (?:con|en|a) (?:{_DET} )?(?P<v>)", "change", "name", True),
    (rf"(?:me|nos) (?:recibio|heredo al?|atiende|sigue|lleva|toca|toco|ve) (?:{_DET} )?(?P<v>)", "change", "name", True),
    # --- Spanish: I am, I do ---
    (rf"(?:ahora |ya )?(?:vivo|vivimos) (?:en|por) (?:{_DET} )?(?P<v>)", "home", "", False),
    (rf"(?:ahora |ya )?(?:trabajo|curro|laburo) (?:en|para|pa) (?:{_DET} )?(?P<v>)", "work", "", False),
    (rf"(?:ahora |ya )?(?:soy|somos) (?:{_DET} )?(?P<v>)", "role", "mark", False),
    (rf"(?:ahora |ya )?(?:estoy|estamos|ando|voy|vamos) (?P<n>en|con|de) (?:{_DET} )?(?P<v>)", VERB, "mark", False),
    (rf"(?:ahora |ya )?(?:{_DET} [a-z]+ )?(?:{_SE} )(?:l[oa]s? )?(?P<n>[a-z]+)(?: con| en| a| de)? (?:{_DET} )?(?P<v>)", VERB, "lead", False),
    (rf"(?:ahora |ya )?(?:le |lo |la )?(?P<n>[a-z]+(?:o|mos))(?: (?:en|con|a|de|para|por|pa))? (?:{_DET} )?(?P<v>)", VERB, "lead", False),
    (rf"(?:ahora|ya) es (?:{_DET} )?(?P<v>)", "change", "both", True),
    (r"(?:digame|dime|llameme|llamame|decime) (?P<v>)", "name", "name", True),
    (r"(?:mejor )?(?:tratame|hablame|trateme|hableme) de (?P<v>)", "form of address", "", True),
)  # fmt: skip


def _kinds(**words: str) -> dict[str, str]:
    return {word: kind for kind, some in words.items() for word in some.split()}


NAMES = _kinds(
    car="""audi bmw chevrolet chevy silverado citroen corolla corsa cascadia clio dacia duster etios f-150 fabia fiat ford freightliner
    honda hyundai ibiza jeep kangoo kenworth kia kona lexus mazda mercedes micra nissan octavia opel peugeot picanto prius punto qashqai
    renault sandero skoda subaru suzuki tesla toyota vauxhall volkswagen volvo vw yaris tacoma camry berlingo transporter cronos vespa
    civic fiesta focus golf jazz mini polo seat swift transit""",
    phone="blackberry fairphone galaxy huawei iphone motorola nokia oneplus oppo pixel realme redmi samsung xiaomi",
    computer="asus chromebook dell imac lenovo macbook thinkpad",
    diet="""vegan vegana vegano vegetarian vegetariana vegetariano pescatarian pescetarian pescetariana keto paleo celiac coeliac celiaca
    celiaco omnivore flexitarian flexitariana""",
)
"""The noun that a name belongs to, where the person leaves the noun out."""

WORDS_TOO = frozenset("civic fiesta focus galaxy golf jazz mini pixel polo seat swift transit".split())  # noqa: SIM905
"""Those that are also words: they are names with a capital."""

KINDS = NAMES | _kinds(
    car="truck van motorbike motorcycle coche auto carro camion moto camioneta furgoneta furgo vehiculo vehicle",
    phone="mobile cell cellphone movil celular telefono smartphone android",
    computer="laptop portatil ordenador computadora compu pc",
    diet="dieta",
    doctor="gp medico medica physician doctora",
    work="job employer company workplace trabajo curro laburo empresa empleo",
    home="address town city flat apartment house casa piso departamento barrio ciudad domicilio",
    role="position title occupation puesto cargo",
)
"""The attribute that a noun or a name is of."""
