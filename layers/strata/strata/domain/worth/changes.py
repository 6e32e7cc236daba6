"""Ways to say that something of one's life has ended or changed, or what happens in one's family.

What was said before is then no longer so: a session that leaves it out would let the older statement stand as
certain. Patterns match folded sentences of users (see `reading`); every repetition is bounded.
"""

_STARTS = (
    *("and", "but", "so", "as", "then", "now", "also", "since", "though", "because", "today", "recently", "finally", "yesterday"),
    *("unfortunately", "actually", "know", "now that", "know that", "note that", "mind that", "remember that", "ago", "week", "year"),
    *("month", "summer", "winter", "spring", "autumn", "january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)  # fmt: skip
_SAYING = ("said", "says", "wrote", "writes", "asked", "told me", "told us", "replied")


def _first(word: str) -> str:
    """This word at the beginning of a clause: what somebody else says that "I" did begins none.

    What stands before it is looked at last, for it is looked at only where the word stands.
    """
    long = sorted({len(each) for each in (*_STARTS, *_SAYING)})
    before = [r"^", r"[,;:.!?()/*\u2013\u2014-] ", r"[(\u2013\u2014]", r"\b(?:19|20)\d\d "]
    before += [rf"\b(?:{some}) " for size in long if (some := _of_size(_STARTS, size))]
    others = [rf"\b(?:{some})[,:] " for size in long if (some := _of_size(_SAYING, size))]
    begins = "|".join(f"(?<={each}{word})" for each in before)
    return rf"{word}\b(?:{begins})" + "".join(f"(?<!{each}{word})" for each in others)


def _of_size(phrases: tuple[str, ...], size: int) -> str:
    return "|".join(each for each in phrases if len(each) == size)


_WE = rf"\b(?:{_first('i')}|{_first('we')})"
_I = rf"{_WE}(?:'ve| have|'m| am|'re| are)?(?: (?:just|finally|recently|already|also|both|now|actually|all))?"
_WHEN = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday"
    r"|saturday|sunday|\d|the (?:\d|end|last|spring|summer|autumn|fall|winter|new year|morning|evening|spot)|spring|summer|autumn|winter"
    r"|early|late|mid)"
)
_NO_PART = rf"(?! (?:of|field|fields|column|columns|variable|variables|key|parameter|page|tests?|number|(?:in|on) (?!{_WHEN}))\b)"
"""Not "the phone number field", "the subscription in the test"."""
_SOFTWARE = (
    r"(?:postgres(?:ql)?|mysql|mariadb|mongo(?:db)?|redis|sqlite|dynamodb|elasticsearch|kafka|aws|azure|gcp|kubernetes|k8s|docker|podman|github"
    r"|gitlab|bitbucket|git|python|typescript|javascript|rust|golang|java|kotlin|ruby|php|react|vue|svelte|angular|django|flask|fastapi"
    r"|rails|next\.?js|node|deno|bun|linux|windows|macos|ubuntu|debian|fedora|vs ?code|cursor|vim|neovim|emacs|slack|notion|jira|linear|graphql"
    r"|rest|grpc|lambda|terraform|s3|bigquery|snowflake|pytest|jest|webpack|vite|poetry|uv|npm|pnpm|yarn|microservices|serverless|main|master"
    r"|v\d[\w.]*|\d+\.[\w.]*|using|(?:the |an? |our )?(?:new |next |other |old |different )?(?:cloud|version|api|database|server|cluster|branch|repo|repository"
    r"|framework|library|model|step|point|file|line|page|schema|monorepo|provider|backend|frontend|stack|tool|platform|queue|topic))"
)
_CODE = (
    r"(?:tests?|builds?|code|scripts?|functions?|servers?|files?|logs?|branch(?:es)?|repo|endpoints?|variables?|errors?|warnings?|bugs?"
    r"|pipelines?|quer(?:y|ies)|migrations?|commands?|dependenc(?:y|ies)|imports?)"
)
_JOBS = (
    r"(?:jobs?|careers?|schools?|colleges?|universit(?:y|ies)|teams?|doctors?|dentists?|banks?|flats?|apartments?|phones?"
    r"|addresse?s?|gyms?|clubs?|choirs?|bands?|compan(?:y|ies)|employers?|courses?|majors?|positions?|departments?|insurance"
    r"|diet|surname|cars?|plans?|shifts?|routine)"
)
_EVENTS = (
    r"(?:wedding|trip|holidays?|vacation|honeymoon|cruise|marathon|race|party|move|engagement|flights?|visit|appointment|tour"
    r"|membership|lease|course|lessons?|concert|reunion|dinner|camping)"
)
_FAMILY_EN = (
    r"(?:sister|brother|mother|father|mum|mom|dad|parents|son|daughter|kids|children|wife|husband|partner|girlfriend|boyfriend|fiancee?"
    r"|cousin|aunt|uncle|niece|nephew|grandma|grandpa|grandmother|grandfather|best friend|friend|flatmate|roommate|in-laws|stepson"
    r"|stepdaughter|twins?)"
)
_JOBS_ES = (
    r"(?:trabajo|empleo|empresa|piso|casa|ciudad|pais|coche|carro|movil|telefono|numero|carrera|universidad|instituto|colegio|escuela|equipo"
    r"|medic[oa]|dentista|banco|idea|opinion|planes|plan|gimnasio|nombre|direccion|puesto|seguro|compania|operadora|turno|dieta|departamento)"
)
_EVENTS_ES = (
    r"(?:viaje|boda|vacaciones|luna de miel|crucero|maraton|carrera|fiesta|mudanza|vuelos?|visita|cita|clases?|suscripcion|contrato|curso"
    r"|concierto|cena|excursion)"
)
_FAMILY_ES = (
    r"(?:herman[oa]s?|madre|padre|mama|papa|padres|hij[oa]s?|mujer|marido|espos[oa]|pareja|novi[oa]|prim[oa]s?|ti[oa]s?|sobrin[oa]s?|abuel[oa]s?"
    r"|suegr[oa]s?|cunad[oa]|amig[oa]|mejor amig[oa]|companer[oa] de piso)"
)
_I_DO = (
    r"(?:voy|vamos|ire|iremos|corro|corremos|como|comemos|bebo|bebemos|tomo|tomamos|fumo|vivo|vivimos|trabajo|trabajamos|uso|usamos"
    r"|soy|somos|quiero|queremos|pienso|juego|jugamos|estudio|estudiamos|hago|hacemos|salgo|salimos|viajo|viajamos|doy|toco|practico"
    r"|entreno|conduzco|manejo|llevo|veo|leo|compro|canto|bailo|nado|escribo|cocino|participo|colaboro|pertenezco|gustan?|interesan?|apetece)"
)

CHANGES = (
    # --- no longer, not any more, not after all ---
    rf"{_I} no longer (?!sure\b|know\b|remember\b|see\b|get\b|understand\b|need help)[a-z]",
    r"^no longer (?:an? )?[a-z]{3,20}(?:$|[,;] | at | in | with )",
    rf"{_WE}(?:'m|'re| am| are| do| have| will| can| could)?(?: (?:really|actually|just))?(?:n't| not|'t) "
    r"(?!(?:want|need|have|see|get|find|know|got|understand|remember|think of) any more\b|(?:sure|certain|convinced|see|get|find|know|understand|remember)\b)"
    rf"(?!.{{0,60}}\b{_CODE}\b).{{2,80}}?\bany ?(?:more|longer)(?:$|[,;:]| (?:because|since|as|but|so|and|due|now|for|with|in|at|on|than)\b)",
    rf"{_WE}(?:'m|'re| am| are| wo| will)?(?:n't| not|'t) (?:be )?[a-z]{{2,12}}ing .{{1,60}}\bafter all\b",
    rf"{_WE} (?:won't|will not|can't|cannot|didn't|did not) .{{1,60}}\bafter all\b",
    # --- given up, left, lost, changed ---
    rf"{_I} (?:quit|stopped|gave up|given up) (?!trying\b|getting\b|seeing\b|receiving\b|running (?:the|my|it)\b)[a-z]{{2,15}}ing\b",
    rf"{_I} (?:gave up|given up) (?!on (?:this|that|it|the)\b|after\b|because\b|when\b|and\b|at\b|it\b|that\b|then\b|here\b|trying\b)[a-z]",
    rf"{_I} (?:quit|left|lost|resigned from) (?:my|our|the) (?:[a-z]{{2,15}} )?(?:job|work|school|college|university|company|firm|team|band|choir|club|gym|course|church|party|country)\b",
    rf"{_I} (?:changed|switched|swapped) (?:my |our )?(?:(?!the |an? |this |that |its )[a-z]{{2,15}} )?(?:mind\b|{_JOBS}\b{_NO_PART})",
    rf"{_I} switched (?:over )?from (?!(?:the|branch|main|master|page|tab|line)\b).{{1,40}} to\b",
    rf"{_I} (?:got )?(?:fired|laid off|made redundant|promoted|divorced|engaged|married|separated|retired)"
    r"(?=$|[,;:]| (?:from|in (?!favou?r\b)|on|at|since|last|now|and|but|this|after|again|to|early|with (?:my|him|her)\b|for|by|because|when|as|yesterday|today|so)\b)",
    rf"{_I} (?:get|getting) (?:married|engaged|divorced)\b",
    rf"{_I} (?:broke up|broken up|split up|called it off|dropped out|moved out|moved in|moved back|resigned)\b",
    rf"{_I} (?:called off|cancell?ed|backed out of|pulled out of|put off|postponed) (?:(?:my|our|the|that) (?:[a-z]{{2,15}} ){{0,2}}{_EVENTS}|(?:my|our) (?:[a-z]{{2,15}} ){{0,2}}subscription)\b{_NO_PART}",
    rf"{_I} (?:sold|traded in|gave away|given away) (?:my|our|the|both|all) |{_I} got rid of (?:my|our) (?!(?:[a-z]{{2,15}} ){{0,2}}{_CODE}\b)",
    rf"{_WE}(?:'ve| have) (?:just |recently |finally )?moved (?:to|from|back|out|in with|house)\b(?! {_SOFTWARE}(?![\w-]))",
    rf"{_WE} used to (?:be|live|work|eat|drink|smoke|play|run|love|like|hate|have an?|own|drive|teach|study|sing|ride)\b",
    # --- of the family ---
    rf"\bmy (?:[a-z]{{3,12}} )?{_FAMILY_EN}(?:,? [a-z]{{2,15}}){{0,2}}?,? (?:(?:is|are|was|were|has|have|will|got|gets|just|finally|recently|be) ){{0,3}}"
    rf"(?:marr(?:ied|ies|y)|gett?ing (?:married|divorced|engaged)|divorced|engaged(?! (?:with|by)\b| in (?!{_WHEN}))|pregnant|expecting|born|died|passed away|retir(?:ed|es|ing)"
    rf"|graduat(?:ed|es|ing)|mov(?:ed|es|ing) (?:to|back|out|in|away)(?! {_SOFTWARE}(?![\w-]))|(?:had|having|gave birth to) (?:an? )?(?:baby|boy|girl|twins|son|daughter))\b",
    # --- Spanish ---
    rf"\bya no (?:(?:me|nos|lo|la|los|las) )?{_I_DO}\b(?! a (?:molestar|preguntar|insistir)| mas preguntas)",
    r"\bya no estoy (?!segur|perdid|confus)[a-z]|\bya no (?:tengo|tenemos) (?:coche|carro|perr|gat|novi|trabajo|moto|casa|el |la |mi )",
    r"\b(?:he |hemos )?(?:deje|dejamos|dejado) de (?!usar\b|poner\b|escribir\b|enviar\b|preguntar\b|responder\b|contestar\b|repetir\b|hablar\b|mandar\b|decir\b"
    r"|llamar|disculpar|recibir\b|ver\b|funcionar\b)[a-z]{1,14}(?:ar|er|ir)(?:me|nos)?\b",
    r"\b(?:he dejado|hemos dejado|deje|dejamos) (?:el|la|los|las|mi|mis|nuestr[oa]) (?:trabajo|empleo|carrera|universidad|gimnasio|equipo|club|tabaco|cafe|alcohol"
    r"|carne|azucar|empresa|piso|casa|clases?|estudios|curso|instituto|coro|banda|grupo)\b",
    rf"\b(?:he |hemos )?(?:cambie|cambiamos|cambiado) (?:de|mi|nuestro) {_JOBS_ES}\b",
    r"\b(?:me|nos) (?:he |hemos |acabo de |acabamos de )?(?:mude|mudamos|mudado|jubile|jubilado|divorcie|divorciado|divorciamos|separe|separado|separamos"
    r"|case|casado|casamos|di de baja|dado de baja)\b",
    r"\b(?:he |hemos )?(?:vendi|vendimos|vendido|regale|regalamos|regalado) (?:el|la|los|las|mi|mis|nuestr[oa]s?)\b",
    r"\bal final no (?:(?:me|nos) )?(?:voy|vamos|ire|iremos|hago|hacemos|corro|viajo|viajamos|caso|casamos|mudo|mudamos|ha[rg][a-z]{1,4})\b",
    rf"\b(?:he cancelado|hemos cancelado|cancele|cancelamos|anule|anulamos|suspendimos|aplazamos|hemos aplazado|hemos anulado) (?:el|la|los|las|mi|nuestr[oa]s?) {_EVENTS_ES}\b",
    r"\b(?:renuncie|he renunciado|me despidieron|me han despedido|me ascendieron|me han ascendido|rompi con|he roto con|lo dejamos mi|me retire)\b",
    r"^antes (?:yo )?(?:era|vivia|trabajaba|comia|bebia|fumaba|usaba|jugaba|tenia|corria|cantaba|estudiaba|me gustaban?)\b",
    rf"\bmi (?:[a-z]{{3,12}} )?{_FAMILY_ES}(?:,? [a-z]{{2,15}}){{0,2}}?,? (?:ya |por fin |acaba de )?(?:se (?:casa|caso|casara|casan|casaron|muda|mudo|mudan|jubila|jubilo"
    r"|divorcia|divorcio|separa|separo|ha casado|ha mudado|ha jubilado|va a casar|gradua|graduo)|esta embarazada|espera un|dio a luz|ha tenido un|tuvo un (?:bebe|hijo)"
    r"|fallecio|murio|ha fallecido|ha muerto|nacio|casarse|mudarse)\b",
)
"""English and Spanish."""

CHANGES_ELSEWHERE = (
    r"\b(?:ich|wir) (?!(?:weiss|wissen|kann|verstehe|erinnere|sehe|finde|komme|brauche|habe (?:keine )?fragen)\b)[a-z]{2,15} .{0,50}?\b(?:nicht|kein(?:e|en)?(?: [a-z]{2,20})?) mehr\b"
    r"(?! (?:weiter|sicher))",
    r"\b(?:ich habe|wir haben) .{1,60}\b(?:aufgehort|aufgegeben|verkauft|gekundigt|gewechselt|abgesagt|verschenkt|geheiratet)\b",
    r"\b(?:ich bin|wir sind) .{0,50}\b(?:umgezogen|ausgezogen|ausgetreten|geschieden|nach .{2,30} gezogen)\b",
    r"\b(?:ich|wir) .{1,60}\bdoch nicht$|\bfruher (?:war|wohnte|arbeitete|ass|trank|rauchte|spielte) ich\b",
    r"\bmeine? (?:schwester|bruder|tochter|sohn|mutter|vater|frau|mann|freundin|freund|cousine|cousin|eltern)(?: [a-z]{2,15}){0,2}? (?:heiratet|heiraten|zieht nach|ist schwanger|ist gestorben|hat geheiratet)\b",
    r"(?:我|我们)(?:已经|现在|决定)?(?:不再|再也不)",
    r"(?:我|我们)(?:已经|现在)?不(?!知道|明白|懂|清楚|用了|要了|是了|行了|好意思|会了|记得|想问)[^,，。]{1,12}了(?!吗)",
    r"(?:我|我们)(?:已经|刚|刚刚|最近)?(?:戒了|戒掉|辞了|辞职|放弃了|卖掉|卖了|换了(?:工作|公司|学校|手机|房子|车|专业)|搬了?家|搬到|离婚|结婚|退休|退出了?)",
    r"我(?:的)?(?:姐姐|妹妹|哥哥|弟弟|妈妈|爸爸|女儿|儿子|表姐|表哥|朋友).{0,12}(?:结婚|怀孕|去世|搬到|退休|毕业)",
)
"""German and Chinese."""
