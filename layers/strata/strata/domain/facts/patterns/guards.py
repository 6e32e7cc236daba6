"""Guards against sentences that are no statements of the speakers about themselves. No facts are taken from them.

All patterns match folded text.
"""

import re

ORDERS_MEMORY = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|olvid[ae]\w{0,4}|ignor[ae]\w{0,4}|desobedece\w{0,3}|omit[ei]\w{0,3}|anula\w{0,3})\b"
    r"[^\n]{0,60}?\b(?:instruc\w{2,8}|rules?|reglas?|prompts?|guidelines?|polic\w{1,5}|politicas?|restric\w{1,8}|system|sistema"
    r"|guardrails|above|previous|anterior(?:es)?|limits?|limites|normas|filters?|filtros?|safety)\b"
    r"|^\s*(?:\[?#*\s*)(?:system|sistema|admin|developer|assistant|root)\b[\w ]{0,12}\]?\s*[:>]"
    r"|\b(?:new memory entry|memory (?:update|override|entry)|nota para tu memoria|actualizacion de memoria|entrada de memoria)\b"
    r"|\b(?:save|store|record|add|write|note|guarda\w{0,3}|almacena\w{0,3}|anota\w{0,3}|registra\w{0,3}|graba\w{0,3}|apunta\w{0,3}"
    r"|remember|recuerda|recorda|memoriza)\b[^\n]{0,80}?\b(?:verified|verificad[oa]s?|trusted|de confianza|administrators?|admin"
    r"|administrador(?:a|es)?|root|superuser|permissions?|permisos?|access|acceso|passwords?|contrasenas?|privileges?|privilegios?"
    r"|owner|duen[oa]|propietari[oa]|authori[sz]ed|autorizad[oa]s?|nominas|approved|aprobad[oa]|unlimited|ilimitad[oa]|director general"
    r"|ceo|credentials?|credenciales|refund\w{0,4}|reembolso\w{0,2})\b"
    r"|\b(?:don'?t tell|do not tell|no se lo digas|no lo digas|keep (?:this|it) (?:a )?secret|en secreto|developer mode|god mode"
    r"|modo (?:desarrollador|dios)|jailbreak\w{0,3}|without (?:any )?(?:confirmation|verif\w{1,8}|asking|checking)|sin (?:verificar\w{0,3}"
    r"|confirm\w{2,6}|preguntar\w{0,3}|comprobar\w{0,3})|as (?:verified|confirmed|trusted)|como (?:verificad\w|confirmad\w)|full access"
    r"|acceso (?:total|completo)|grant me|otorgame|unrestricted|no (?:lo )?verifiques|nobody will check|elevated (?:rights|privileges))\b"
)
"""An attempt to override the memory or the assistant's rules."""

_PLAYS = re.compile(
    r"\b(?:role ?-?play\w{0,4}|let'?s play|pretend\w{0,3}|act as if|you are now|your name is|imagine (?:that )?you|we are (?:actors|characters)"
    r"|you(?:'re| are) (?:an?|the|my) (?!star|genius|life|legend|gem|great|good|huge|true|real|big|machine|best|angel|godsend|treasure)"
    r"|you play|you will play|you'll be|haz(?:te)?(?: de)? cuenta|hace(?:te)? de cuenta|hagamos de cuenta|juguemos|vamos a jugar"
    r"|juego de rol|(?:tu|vos|usted) (?:eres|sos|seras|haces de|haras de|vas a ser)|eres (?:un|una|el|la|mi) (?!crack|genio|sol|maquina|amor|mejor|grande)"
    r"|sos (?:un|una|el|la|mi) (?!crack|genio|genia|sol|maquina|amor|mejor|grande|capo|capa)|finge|fingi|fingamos|actua como si"
    r"|in this (?:story|scene|game)|en esta (?:escena|historia|partida)|my character|mi personaje|imaginate que eres|imagina que eres|suponte)\b"
)
"""From here on the speaker may be playing a role."""

_HANDS_OVER = re.compile(
    r"\b(?:translat\w{1,4}|correct(?! me\b)|proofread|fix|rephrase|rewrite|reword|summari[sz]e|improve|edit|check|paraphrase|polish|shorten"
    r"|review|analy[sz]e|classify|parse|transcribe|traduc\w{0,6}|traduz\w{0,4}|corrige\w{0,3}|corrija\w{0,3}|corregi\w{0,3}|reescrib\w{1,5}"
    r"|resum[ei]\w{0,3}|mejora\w{0,3}|revis[ae]\w{0,3}|parafrase\w{1,4}|analiza\w{0,3}|pule\w{0,3}|acorta\w{0,3}|clasifica\w{0,3}|transcrib\w{1,4}"
    r"|(?:this|the|following|my) (?:text|email|mail|letter|message|review|sentence|paragraph|essay|poem|lyrics|bio|speech|tweet|post|transcript|log)"
    r"|(?:el|este|mi|la|esta|siguiente) (?:texto|mensaje|correo|carta|frase|parrafo|letra|poema|redaccion|discurso|anuncio|ejemplo)"
    r"|for example|e\.g|por ejemplo|example|ejemplo|subject|asunto|lyrics|letra|dictado|dictation|quote|cita)\b[^.:\n]{0,80}:(?=\s|\Z)"
    r"|\n[^\S\n]*(?:dear|estimad[oa]s?|querid[oa]s?|to whom) [^\n]{0,60}\n|\A(?:dear|estimad[oa]s?|querid[oa]s?) (?:sir|madam|hiring|mr|ms|mrs|dr|senor|equipo|team)\b"
)
"""The text that follows is material for a task."""

_NOT_SO = re.compile(
    r"\b(?:if (?!it helps|that helps|you (?:need|want|must|are wondering|wonder|could|can|don't mind)|possible|so\b|not\b|that's ok|it matters|it's relevant)"
    r"|unless|suppos\w{1,4}|imagin\w{1,5}|wish|whether|as though|hypothetic\w{1,5}|let'?s say|assum\w{1,4}|what if|in case"
    r"|ojala|supon\w{0,6}|imagin[ae]\w{0,4}|pongamos|digamos|como si|hubiera|fuera|fuese|quisiera(?! que me)|por si"
    r"|sueno con|dream(?:t|ed|ing)? (?:that|of|i)|joking|kidding|de broma|as if|yeah right|i doubt|dudo que|no es que|it's not that|not that"
    # Somebody else's words, or words about words.
    r"|says?|saying|wrote|writes|tells|asked|asks|thinks|believes|claims|claimed|goes like|reads|dice|dicen|decia|decian|dijo|dijeron"
    r"|diga|digan|diciendo|escribio|escribieron|pregunto|cuenta que|cree que|creen|piensa|piensan|afirma|means?|significa|quiere decir"
    r"|se dice|how do (?:you|i|we) say|como se dice|lyrics|sung|sings|canta|chorus|estribillo|proverb|refran|dicho|titled|titulado|titulada"
    r"|translat\w{1,4}|traduc\w{1,6}|traduz\w{0,4}|in the voice of|from the (?:perspective|point of view)|desde el punto de vista|en primera persona"
    r"|(?:in|for) (?:the|my|a|our) (?:novel|story|play|game|film|movie|script|song)|(?:en|para) (?:la|mi|una) (?:novela|historia|obra|pelicula|cancion|cuento)"
    r"|(?<!i )(?<!already )said|(?<!i )(?<!have )(?<!already )told)\b"
    r"|\b(?:write|finish|continue|compose|complete|draft|invent|create|make up|generate|give me|do|escrib\w{1,6}|termin[ae]\w{0,3}|contin[u]\w{1,4}"
    r"|compon\w{0,4}|invent[ae]\w{0,3}|complet[ae]\w{0,3}|redacta\w{0,3}|crea\w{0,3}|genera\w{0,3}|hazme|haceme|haz)\b[^\n]{0,60}?\b(?:songs?|poems?|story"
    r"|stories|lyrics|verses?|bio|biography|characters?|novel|dialogue|dialog|monologue|tale|haiku|limerick|rap|joke|tweet|caption|slogan|sketch"
    r"|cancion|poema|cuento|historia|letra|personaje|novela|dialogo|guion|monologo|microrrelato|chiste|versos?|copla|bolero|biografia|soneto|rima|frases?)\b"
)
_PERHAPS = re.compile(
    r"(?<!\w)si (?!te (?:sirve|interesa|ayuda)|le (?:sirve|interesa)|les |puedes|podes|puede|pueden|quieres|queres|quiere|hace falta"
    r"|necesitas|es posible|ayuda|sirve|no te importa|no es molestia|me lo|me permites)"
)
_ONCE = re.compile(
    r"\b(?:this (?:one|message|time|email|question|reply|answer|once|text|letter)|just (?:this|once)|only (?:this|once)|for now|today|tonight|for this"
    r"|est[ea] (?:mensaje|vez|respuesta|pregunta|correo|texto|parrafo|carta|tarea)|por (?:hoy|esta|ahora)|hoy|esta noche|ahora mismo|right now|tomorrow|manana)\b"
)
_FOR_GOOD = re.compile(
    r"\b(?:from now on|from here on|from today|going forward|always|whenever|every ?time|each time|in (?:the )?future|henceforth|by default"
    r"|permanently|for good|ever|never|in general|as a rule|all the time|at all times|from this point|any ?time|all (?:my|our|your) (?:chats|answers"
    r"|replies|conversations|messages)|every (?:answer|reply|message|chat|conversation)|in your (?:answers|replies|responses|messages|emails)"
    r"|when(?:ever)? you (?:answer|reply|write|talk|respond|explain|give)|when (?:answering|replying|talking|writing)|anymore|any more|again"
    r"|siempre|a partir de (?:ahora|hoy|aqui|este momento)|de (?:ahora|hoy|aqui|aca|ahi) en (?:adelante|mas)|en adelante|desde (?:ahora|hoy|ya|este momento)"
    r"|cada vez|por defecto|en general|nunca|jamas|todas (?:tus|las) (?:respuestas|veces)|en lo sucesivo|en el futuro|en futuro|todo el tiempo"
    r"|cuando (?:me )?(?:respondas|escribas|hables|contestes|te escriba|te hable|te pregunte|expliques)|en tus (?:respuestas|mensajes|explicaciones)"
    r"|nunca mas|conmigo"
    r"|my (?:english|spanish|french|german) (?:is|gets|isn'?t)|mi (?:ingles|espanol|castellano) (?:es|no)|(?:learning|practi[sc]ing|practicando|aprendiendo)"
    r"|(?:don'?t|can'?t) (?:speak|understand|read)|no (?:hablo|entiendo|domino|leo))\b"
)
_BELIEVES = re.compile(
    r"\b(?:cre\w{1,4}|piens\w{1,3}|parec\w{1,3}|quier[eo]n?|para|sin|antes de|hasta|diga\w?|pretend\w{1,4}|dig\w{1,4}|i (?:think|guess|doubt)|maybe|perhaps"
    r"|quiza\w?|tal vez|a lo mejor|might|puede|no es)(?: que)?[ ,]*\Z"
)
_FOR_THIS = re.compile(
    r"[ ,]*(?:(?:for|in|on) (?:this|that|the (?:title|header|intro|logo|cover))|today|tonight|this (?:time|week)|right now|para est|en est|hoy\b|esta vez|"
    r"por ahora|ahora mismo)"
)
_THIS = re.compile(r" (?:this|that|these|those|esto|eso|est[aoe]s?|es[ae]s?)\b")
_IN_THIS = re.compile(r" (?:in|on|en) (?:this|that|these|the code|el codigo|est[ae])\b")
_RULES_THE_HOUSE = re.compile(
    r"(?:(?:account|system|site|server|workspace|platform|page|service|real|main|new|only)s? )*(?:admins?|administrators?|owners?|root|superusers?|developers?"
    r"|creators?|administradora?|duen[oa]|propietari[oa]|desarrolladora?|creadora?)"
    r"(?: (?:of|de|del|for) (?:this|the|est[ea]|la|el)? ?(?:account|system|site|service|memory|assistant|bot|ai|cuenta|sistema|memoria|servicio|asistente|platform|plataforma)?.*)?"
)


def own_part(folded: str) -> str:
    """The folded turn up to the place where material for a task or a role play begins."""
    ends = [found.start() for guard in (_PLAYS,) if (found := guard.search(folded))]
    ends += [found.end() for guard in (_HANDS_OVER,) if (found := guard.search(folded))]
    return folded[: min(ends)] if ends else folded


def is_said(written: str, folded: str, begin: int, start: int) -> bool:
    """Whether a sentence that begins at `begin` is a plain statement up to the clause at `start`."""
    if _NOT_SO.search(folded, begin, start) or _BELIEVES.search(folded[max(begin, start - 30) : start]):
        return False
    return all(written[found.start() + 1] == "í" for found in _PERHAPS.finditer(folded, begin, start))


def is_once(folded: str, begin: int, end: int) -> bool:
    """Whether a sentence concerns this one time."""
    return _ONCE.search(folded, begin, end) is not None


def is_for_good(folded: str, begin: int, end: int) -> bool:
    """Whether a sentence says that it holds from now on."""
    return _FOR_GOOD.search(folded, begin, end) is not None


def is_for_this(folded: str, start: int, end: int) -> bool:
    """Whether a value, or the text after it, concerns the task at hand."""
    return _FOR_THIS.match(folded, end) is not None or _THIS.search(folded[start:end]) is not None


def is_in_this(folded: str, end: int) -> bool:
    """Whether the text after a tool says that it is used here and not in general."""
    return _IN_THIS.match(folded, end) is not None


def claims_power(value: str) -> bool:
    """Whether a folded role claims power over this service."""
    return _RULES_THE_HOUSE.fullmatch(value) is not None
