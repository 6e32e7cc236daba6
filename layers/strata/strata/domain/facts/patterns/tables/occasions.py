"""Patterns of dates that matter, with the date in group `date` and the occasion in group `what`."""

import re

from strata.domain.facts.patterns.tables.language import DATE, LEAD_EN, LEAD_ES

_EVENT_EN = (
    r"(?:birthday|bday|b-day|anniversary|wedding|exams?|test|tests|finals?|midterms?|viva|defen[cs]e|thesis|dissertation"
    r"|deadline|flight|trip|holidays?|vacation|surgery|operation|appointment|interview|graduation|visa|lease|contract"
    r"|passport|tax return|taxes|marathon|race|recital|concert|move|due date|oral|orals|presentation|conference|audition"
    r"|hearing|trial|assessment|coursework|essay|assignment|application|grant|proposal|insurance|licen[cs]e|permit"
    r"|probation|honeymoon|christening|baptism|retirement|certification|gig|performance|exhibition|tournament|ceremony"
    r"|name day|leaving do|bar mitzvah|bat mitzvah|scan|manuscript|phd|defense|citizenship test|driving test|housewarming"
    r"|engagement party|half marathon|triathlon|first day|last day|start date|submission|report|paper|reunion|cruise|retreat)"
)
_EVENT_ES = (
    r"(?:cumple(?:anos)?|aniversario|boda|bodas|examen|examenes|oposicion|oposiciones|parcial|parciales|final|finales|tesis"
    r"|tfg|tfm|entrega|defensa|vuelo|viaje|vacaciones|operacion|cirugia|cita|entrevista|graduacion|visa|visado|contrato"
    r"|pasaporte|declaracion|maraton|carrera|recital|concierto|mudanza|parto|presentacion|congreso|audicion|juicio|luna de miel"
    r"|bautizo|jubilacion|certificacion|santo|plazo|licencia|selectividad|ebau|mir|ponencia|exposicion|torneo|funcion|casamiento"
    r"|quinces|despedida|practico|teorico|seguro|hipoteca|alquiler|beca|solicitud|trasplante|ecografia|inauguracion|estreno)"
)
_DO_EN = (
    r"(?:getting married|get married|tie the knot|marry|marrying|flying|fly|travell?ing|travel|leaving|leave|going|moving|move"
    r"|defending|defend|sitting|sit|taking|take|submitting|submit|handing in|hand in|starting|start|running|run|graduating"
    r"|graduate|retiring|retire|turning|turn|presenting|present|hosting|host|heading|arriving|arrive|launching|launch|due"
    r"|having|sailing|depart|departing|going under|closing on|celebrate|celebrating|off to|setting off|giving)"
)
_DO_ES = (
    r"(?:nos casamos|me caso|viajo|viajamos|salgo|salimos|vuelo|volamos|me operan|me mudo|nos mudamos|defiendo|presento"
    r"|presentamos|entrego|entregamos|empiezo|empezamos|me examino|me gradu[oa]|me jubilo|corro|parto|partimos|me voy|nos vamos"
    r"|cumplo|cumplimos|me vence|se me vence|comienzo|debuto|estreno|inauguro|doy a luz|salgo de cuentas|me recibo|rindo|expongo"
    r"|celebro|celebramos|tengo que [a-z]{4,12}|tenemos que [a-z]{4,12}|vence|se me acaba|festejo|festejamos|vuelvo|volvemos|llego|me titulo|arranco|toco|canto)"
)
_WORDS = r"(?:[a-z0-9'][a-z0-9'-]{0,20} ){0,7}?"

PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        # "my birthday is on 14 March", "my thesis is due 12 February", "our lease runs out on 1 May"
        rf"(?:my|our) (?P<what>{_WORDS}{_EVENT_EN}(?: (?!is\b|are\b|has\b)[a-z]{{2,15}}){{0,4}}?)(?:'s|s)? ?(?:,|\(|:)? ?(?:(?:is|are|falls|starts|begins|ends|expires|has to be|must be|needs to be|will be|takes place|runs out|is set|is booked|is scheduled|is coming up|comes up|on|happens|s)\b ?){{0,2}}(?:(?:also|back|actually|coming up|set|booked|scheduled|submitted|filed|handed in|in|up|out|due|ready|done|planned|fixed)\b ?){{0,3}}{LEAD_EN}(?P<date>{DATE})",
        rf"(?P<date>{DATE}) (?:is|'s|marks) (?:also )?(?:my|our) (?P<what>(?:[a-z0-9-]{{1,15}} ){{0,3}}?{_EVENT_EN})\b",
        rf"it(?:'s|s| is) (?:my|our) (?P<what>(?:[a-z0-9-]{{1,15}} ){{0,2}}?{_EVENT_EN}) {LEAD_EN}(?P<date>{DATE})",
        rf"(?:i|we)(?:'ve| have|'ve got| have got| got)(?: got)? (?!to\b)(?:an? |the |my |our )?(?P<what>{_WORDS}{_EVENT_EN}(?: (?:in|for|with|at|to|of) [a-z ]{{2,25}}?)?) {LEAD_EN}(?P<date>{DATE})",
        rf"(?:i|we)(?:'m|'re|m| am| are|'ll be| will be)? (?:finally |also |both )?(?P<what>{_DO_EN}\b(?: [a-z0-9'-]{{1,20}}){{0,6}}?) {LEAD_EN}(?P<date>{DATE})",
        rf"(?:i|we) (?:have to|need to|must|'ve got to|gotta|have until) (?P<what>(?:submit|hand in|file|deliver|finish|turn in|present|defend|renew|pay|send|move|leave|be)(?: [a-z0-9'-]{{1,20}}){{0,6}}?) {LEAD_EN}(?P<date>{DATE})",
        rf"(?P<what>(?:flying|travell?ing|leaving|moving|getting married|going|heading|sailing)\b(?: [a-z0-9'-]{{1,20}}){{0,5}}?) {LEAD_EN}(?P<date>{DATE})",
        rf"(?:on )?(?P<date>{DATE}),? (?:i|we)(?:'m|'re|m| am| are| have|'ve|'ve got)? (?:an? |my )?(?P<what>(?:{_DO_EN}|{_EVENT_EN}|[a-z]{{3,12}} {_EVENT_EN})\b(?: (?:to|in|for|at|my|our|a|the) [a-z'-]{{2,20}}(?: [a-z'-]{{2,20}})?)?)",
        rf"(?:the |our |my )?(?P<what>baby)(?: is|'s) due {LEAD_EN}(?P<date>{DATE})",
        rf"(?:the |our )?(?P<what>{_EVENT_EN})(?:'s| is| are) (?:booked|scheduled|all set|set) {LEAD_EN}(?P<date>{DATE})",
        rf"(?:i was )(?P<what>born) {LEAD_EN}(?P<date>{DATE})",
        rf"(?:the |my )?(?P<what>deadline(?: for [a-z' ]{{2,30}}?)?) (?:is|falls)(?: on)? (?P<date>{DATE})",
        # "mi cumple es el 8 de noviembre", "el 21 de junio nos casamos", "tengo la oposición el 17 de mayo"
        rf"(?:mi|mis|nuestro|nuestra|nuestros|nuestras) (?P<what>(?:[a-z]{{2,15}} )?{_EVENT_ES}(?: (?!es\b|son\b|cae\b|de mi\b|de su\b)[a-z0-9]{{1,15}}){{0,4}}?)(?:,|\()? ?(?:(?:es|son|cae|sera|seran|empieza|empiezan|vence|caduca|termina|acaba|esta|queda|toca|sale|hay que entregarla|hay que entregarlo|tiene que estar|se entrega|va a ser|seria)\b ?){{0,2}}(?:fijad[oa] |previst[oa] |programad[oa] |list[oa] |entregad[oa] |para ){{0,2}}{LEAD_ES}(?P<date>{DATE})",
        rf"(?:el )?(?P<date>{DATE}) (?:es|son|celebro|celebramos|tengo|tenemos|cae) (?:mi|mis|nuestr[oa]|el|la|los|las|un|una)? ?(?P<what>(?:[a-z]{{2,15}} )?{_EVENT_ES}(?: de (?!mi\b|su\b|tu\b|la independencia|los santos)[a-z]{{2,20}}(?: [a-z]{{4,15}})?)?)\b",
        rf"(?:es mi|tengo|tenemos|me toca|me han puesto|me pusieron|me dieron) (?:el |la |los |las |un |una |mi |mis |otro )?(?P<what>(?:[a-z]{{2,15}} )?{_EVENT_ES}(?: (?:de|del|en|con|para|a) [a-z ]{{2,30}}?)?) {LEAD_ES}(?P<date>{DATE})",
        rf"(?P<what>(?<!no )(?:(?:nos|me|se me) )?\b{_DO_ES}\b(?: [a-z0-9]{{1,20}}){{0,6}}?) {LEAD_ES}(?P<date>{DATE})",
        rf"(?:y |que |pues )?(?:el |antes del |para el )?(?P<date>{DATE}),? (?:que )?(?:yo |ya |por fin |tambien )?(?P<what>{_DO_ES}\b(?: (?:a|al|para|de|del|el|la|mi|en|un|una|los|las) (?:la |el |los |las |mi )?[a-z]{{2,20}}(?: (?:de|en) [a-z]{{2,20}})?)?)",
        rf"(?:el )?(?P<date>{DATE}) me (?P<what>(?:operan|examino|caso|mudo|voy|jubilo|graduo|recibo)\b(?: de (?:la |el |los |las )?[a-z]{{2,20}}| a [a-z]{{2,20}})?)",
        rf"(?P<what>naci) {LEAD_ES}(?P<date>{DATE})",
        rf"(?P<what>(?:la fecha limite|el plazo)(?: (?:de|para) [a-z ]{{2,30}}?)?) (?:es|vence|acaba|termina) {LEAD_ES}(?P<date>{DATE})",
    )
)

OTHERS = re.compile(
    r"[a-z]'s\b|\b(?:sister|brother|mother|father|mum|mom|dad|son|daughter|wife|husband|boss|friend|cousin|aunt|uncle|nephew"
    r"|niece|parents|grandma|grandpa|neighbou?r|colleague|partner|kid|kids|dog|cat|client|hermana|hermano|madre|padre|mama|papa"
    r"|hijo|hija|hijos|esposa|esposo|marido|mujer|jefe|jefa|amigo|amiga|prima|primo|tia|tio|sobrino|sobrina|padres|abuela|abuelo"
    r"|vecino|vecina|companero|companera|novio|novia|suegra|suegro|perro|gato|cliente|nieto|nieta)\b"
)
"""Words for occasions of other people."""
