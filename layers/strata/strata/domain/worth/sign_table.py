"""The table of signs that a conversation is worth remembering, with one line for each way to say it.

Patterns are matched against single sentences (see `reading`): lower case, no accents, straight
apostrophes. They prefer precision to recall: a missed sign costs one episode, a wrong sign fills the memory with
noise. Every repetition is bounded.
"""

from enum import StrEnum

from strata.domain.worth.changes import CHANGES


class EpisodeType(StrEnum):
    """The meaning of a sign, and the type of an episode in which it weighs most."""

    CORRECTION = "correction"
    PREFERENCE = "preference"
    FACT = "fact"
    DECISION = "decision"
    OUTCOME = "task_outcome"


CLAUSE = r"(?:^|[,:] |\b(?:and|but|so|because|since|please|also|btw|y|pero|porque|ademas|por favor) )"
_FINE = (
    r"(?:all|it|ok|okay|fine|good|great|enough|alright|done|right|correct|perfect|cool|nice|not necessary)"
)

_DONE_EN = (
    "(?:add|appli|archiv|back|book|cancel|cancell|chang|clean|clos|complet|configur|convert|copi|creat|delet|deploy|"
    "disabl|email|enabl|export|fil|finish|fix|implement|import|install|merg|migrat|mov|open|order|post|publish|push|"
    "refactor|releas|remov|renam|replac|reserv|resolv|restart|restor|revert|roll|sav|schedul|shipp|solv|submitt|"
    "switch|turn|updat|upload|upgrad)ed|built|paid|rewritten|rewrote|sent|written"
)
_HAPPENED_EN = (
    "booked|cancell?ed|created|deployed|deleted|fixed|installed|merged|migrated|resolved|restarted|restored|scheduled|"
    "sent|submitted|updated|uploaded|renamed|completed|configured|backed up|rolled back"
)
_DONE_ES = (
    "(?:anad|actualiz|agend|agreg|arregl|borr|cambi|cancel|complet|configur|correg|cre|despleg|desinstal|elimin|envi|"
    "guard|implement|inicia|instal|migr|mov|program|public|reinici|renombr|reserv|restaur|solucion|sub|termin)(?:ad|id)o|"
    "escrito|hecho|resuelto|cerrado|abierto"
)
_TRADES_EN = (
    "engineer|developer|programmer|nurse|doctor|teacher|student|lawyer|designer|manager|scientist|researcher|writer|"
    "accountant|architect|consultant|analyst|musician|chef|driver|beginner|founder|freelancer|parent|mother|father"
)
_TRADES_ES = (
    "ingenier[oa]|enfermer[oa]|medic[oa]|profesora?|maestr[oa]|estudiante|abogad[oa]|disenadora?|"
    "desarrolladora?|programadora?"
)
_WORK = (
    "build|deploy|deployment|migration|backup|upload|installation|release|pipeline|import|export|refactoring"
)

_REMEMBER_EN = (
    r"^(?:please |also,? |and )?(?:(?:can|could|will) you (?:please )?)?"
    r"(?:remember|note|keep in mind|bear in mind|don'?t forget|do not forget) "
)
_OF_ME_EN = r"(?:i|i'm|i've|i'd|i'll|my|me|you|your)"
_REMEMBER_ES = r"(?:recuerda|ten en cuenta|toma nota de|no olvides) que "
_OF_ME_ES = (
    r"(?:yo|no|me|mis?|a mi|soy|estoy|tengo|vivo|trabajo|prefiero|"
    r"quiero|necesito|como|bebo|uso|voy|salgo|llego|hablo|puedo|odio|siempre|nunca|cuando|tu|tus)"
)

TABLE: tuple[tuple[EpisodeType, str, str], ...] = (
    # --- the user corrects -----------------------------------------------------------------------
    (
        EpisodeType.CORRECTION,
        "answer",
        rf"^(?:no|nope|nah|wrong|incorrect|not quite)(?:,|:| -) "
        rf"(?!(?:that|it|i|we|you|this)(?:'?s|'?m|'?re| is| am| are| was) {_FINE}\b|i(?:'m| am) not sure)"
        r"(?:that'?s|it'?s|it is|it was|its|i (?:said|want|wanted|need|meant|asked)|the|my|our|not|you|he'?s|she'?s|"
        r"they'?re|use|in|on|at|change)\b",
    ),
    (
        EpisodeType.CORRECTION,
        "reply",
        r"\b(?:that|this|it|which)(?:'s|s| is| was|'s still| is still) (?:not (?:right|correct|true|accurate|so|"
        r"what i (?:meant|asked|said|wanted|need))|wrong|incorrect|inaccurate|false|a mistake)\b",
    ),
    (EpisodeType.CORRECTION, "reply", r"\b(?:that|this|it) (?:isn't|wasn't) (?:right|correct|true|what i (?:meant|asked|said|wanted))\b"),
    (EpisodeType.CORRECTION, "reply", r"\byou(?:'re| are| were) (?:wrong|mistaken|incorrect)\b|\byour (?:last )?(?:answer|response|reply|code|translation|summary|result|calculation) (?:is|was) (?:still )?(?:wrong|incorrect)\b"),
    (
        EpisodeType.CORRECTION,
        "reply",
        r"\byou (?:misunderstood|misheard|misread|got (?:it|that|this|me|(?:the|my) [a-z ]{1,30}) wrong|made an? (?:mistake|error))\b",
    ),
    (EpisodeType.CORRECTION, "reply", r"^(?:no, |sorry, |actually,? )?(?:what )?i (?:actually |really )?meant (?!no\b|well\b|it\b|to (?:thank|ask))"),
    (EpisodeType.CORRECTION, "reply", r"\bi (?:said|asked for|was asking (?:about|for)|told you|wanted) .{1,80}\b(?:,? not|instead of|rather than)\b"),
    (
        EpisodeType.CORRECTION,
        "reply",
        rf"^(?:actually|sorry|correction)[,:]? (?!(?:it|that|this)(?:'?s| is) {_FINE}\b)"
        r"(?:it'?s|it is|it was|that'?s|they'?re|the [a-z ]{1,40} (?:is|was|are|should be)|my [a-z ]{1,40} (?:is|was))\b",
    ),
    (EpisodeType.CORRECTION, "reply", r"^(?:it|that|this|the [a-z ]{1,40}) (?:should|needs to|must|has to) (?:be|say|read|use) .{1,80}\b(?:, not|instead of|rather than)\b"),
    (EpisodeType.CORRECTION, "reply", r"^(?:it'?s|it is|its|he'?s|she'?s|they'?re|(?:my|the) [a-z ]{1,40} (?:is|was|are)) (?!not\b)[^,]{1,60}, not [a-z0-9]"),
    (
        EpisodeType.CORRECTION,
        "answer",
        r"^(?:no|incorrecto), (?!(?:es|eso es) (?:todo|nada|necesario|correcto|suficiente)\b|estoy bien)"
        r"(?:es|era|eran|son|eso|esa|ese|quiero|queria|quise|dije|pedi|usa|el|la|los|las|mi|mis|en)\b",
    ),
    (EpisodeType.CORRECTION, "reply", r"\beso (?:no (?:es|era) (?:correcto|cierto|verdad|asi|exacto|lo que)|esta mal|es (?:incorrecto|falso|un error))"),
    (EpisodeType.CORRECTION, "reply", r"\b(?:te equivocas|te equivocaste|estas equivocad[oa]|te has equivocado|se equivoca|(?:lo |me )?(?:has entendido|entendiste) mal)\b"),
    (EpisodeType.CORRECTION, "reply", r"^(?:no, |perdon, )?(?:lo que )?(?:quise|queria) decir\b|^(?:no, |perdon, )?me (?:referia|refiero) a"),
    (EpisodeType.CORRECTION, "reply", r"^(?:en realidad|correccion|perdon)[,:]? (?:es|era|eran|son|fue|el|la|mi)\b"),
    (EpisodeType.CORRECTION, "reply", r"\b(?:dije|pedi|queria) .{1,60}, no [a-z0-9]|^(?:es|era|son) (?!no\b)[^,]{1,60}, no [a-z0-9]"),
    (EpisodeType.CORRECTION, "reply", r"^actually,? no\b|^wrong (?:file|one|date|name|address|city|person|year|time|day|link|order|version|place)\b"),
    (EpisodeType.CORRECTION, "reply", r"\b(?:that|this)'?s not (?:my (?!problem|fault|business|job)|(?:what|how|where|who) i\b)|^(?:it'?s|it is|my name is) spelled\b"),
    (EpisodeType.CORRECTION, "reply", r"^(?:[a-z]{1,10}, )?you (?:forgot|missed|skipped|left out|ignored|misspelled) (?:the|to|my|that|one|a|an|it|again)\b"),
    (EpisodeType.CORRECTION, "reply", r"\bi said .{1,60}, (?:but )?you (?:wrote|said|used|gave|put|sent)\b|^not (?:the|that|this|my) [^,]{1,40}, (?:but )?(?:the|that|this|my)\b"),
    (EpisodeType.CORRECTION, "reply", r"\bno (?:quise|queria) decir eso\b|\bno es lo que (?:pedi|queria|quise|dije)\b|\bno me referia\b|^(?:te olvidaste|olvidaste|te falto)\b"),
    # --- the user's preferences ------------------------------------------------------------------
    (
        EpisodeType.PREFERENCE,
        "user",
        CLAUSE + r"i(?:'d| would)?(?: much| really| generally| usually| always| strongly| personally)? "
        r"prefer (?!not to (?:say|answer|talk))",
    ),
    (
        EpisodeType.PREFERENCE,
        "user",
        CLAUSE + r"i (?:really |absolutely |just )?(?:love|enjoy|hate|dislike|can'?t stand|don'?t like|do not like|like) "
        r"(?=it (?:when|if)\b|(?!(?:it|this|that|these|those|you|your|how|what|where|the (?:idea|sound|look|way))\b|"
        r"to (?:know|see|ask|hear|say|be|do|admit|think)\b))",
    ),
    (
        EpisodeType.PREFERENCE,
        "user",
        r"(?:^|[,:] |\b(?:and|but|so|please|pls|y|you should|(?:i want|i need|i'd like) you to) )(?:always|never) "
        r"(?:use|write|answer|reply|respond|call|ask|show|add|include|put|run|format|commit|send|give|keep|start|end|"
        r"make|speak|talk|explain|check|test|assume|touch|delete|push|suggest|mention|schedule|book|remind|tell|let|"
        r"avoid|create|say|confirm|deploy|log|sign|leave|print|return|name|translate|round|quote|cite|order)\b",
    ),
    (EpisodeType.PREFERENCE, "user", r"^(?:please )?(?:from now on|going forward|for future reference|in (?:the )?future)\b"),
    (EpisodeType.PREFERENCE, "user", r"\bfrom now on\b.{0,80}$"),
    (
        EpisodeType.PREFERENCE,
        "user",
        CLAUSE + r"stop (?:using|calling|adding|writing|sending|asking|apologi[sz]ing|suggesting|saying|putting|including|repeating)\b",
    ),
    (EpisodeType.PREFERENCE, "user", r"\bmy (?:(?:favou?rite|preferred|usual|default|go-to) [a-z ]{1,40}|preference) (?:is|are)\b"),
    (EpisodeType.PREFERENCE, "user", r"^(?:please |just |you can )?call me (?!back\b|later\b|when|at\b|tomorrow|on\b|in\b|if\b|asap|an?\b|crazy|up\b|now\b|before|after)"),
    (
        EpisodeType.PREFERENCE,
        "user",
        rf"{_REMEMBER_EN}(?:(?:that|this:?) )?(?:{_OF_ME_EN}|for next time|for later|for the future)\b",
    ),
    (EpisodeType.PREFERENCE, "user", CLAUSE + r"(?:yo )?(?:siempre |realmente )?(?:prefiero|preferiria|detesto|odio)\b"),
    (EpisodeType.PREFERENCE, "user", CLAUSE + r"(?:a mi )?(?:no )?me (?:encantan?|gustan?|molestan?) (?:mas |mucho |que )?(?!(?:eso|esto|la idea|como|tu|saber|el resultado|asi|nada)\b)"),
    (EpisodeType.PREFERENCE, "user", CLAUSE + r"(?:siempre|nunca) (?:me )?(?:usa|uses|escribe|escribas|responde|respondas|contesta|pon|pongas|llama|llames|llamame|incluye|incluyas|manda|mandes|envia|envies|haz|hagas|habla|hables|pregunta|preguntes|borres|toques)\b"),
    (EpisodeType.PREFERENCE, "user", r"\b(?:a partir de ahora|de ahora en adelante|en adelante|para la proxima)\b"),
    (EpisodeType.PREFERENCE, "user", r"\bmis? [a-z]{1,30}(?: [a-z]{1,20})? (?:favorit|preferid)[oa]s? (?:es|son)\b"),
    (EpisodeType.PREFERENCE, "user", CLAUSE + rf"{_REMEMBER_ES}{_OF_ME_ES}\b|" + CLAUSE + r"(?:llamame|dime) (?!cuando|si|que|como|donde|por|algo|mas|manana|luego)[a-z]+$"),
    (EpisodeType.PREFERENCE, "user", CLAUSE + r"deja de (?:usar|llamarme|poner|escribir|enviar|preguntar|disculparte|repetir)\b"),
    (EpisodeType.PREFERENCE, "user", CLAUSE + r"(?:please )?(?:use|write|give me|show me|make it|keep) [^,]{1,60} (?:instead of|rather than) "),
    (EpisodeType.PREFERENCE, "user", r"^(?:please )?(?:don'?t|do not) (?:ever )?(?:call me|use|add|include|send me|apologi[sz]e|ask me|repeat|explain|put)\b"),
    (EpisodeType.PREFERENCE, "user", CLAUSE + r"(?:i'?d|i would) (?:rather|sooner) (?!not (?:say|answer|talk))|" + CLAUSE + r"i (?:usually|normally|typically|generally|tend to) (?!don'?t)[a-z]+ "),
    (EpisodeType.PREFERENCE, "user", r"\bi(?:'m| am) (?:more of )?an? [a-z]{1,20} (?:person|fan|lover)\b"),
    (EpisodeType.PREFERENCE, "user", r"^(?:por favor,? )?no (?:uses|me llames|pongas|escribas|me envies|repitas|me preguntes)\b|\bme gustaria que (?:siempre|me|no|las|los|el|la)\b"),
    # --- about the user --------------------------------------------------------------------------
    (EpisodeType.FACT, "user", CLAUSE + r"(?:my name(?:'s| is)|i live in (?!fear|hope|denial|the moment|a world)|i was born (?:in|on)|i moved to|i work (?:at|for|as|in|on)|my pronouns are)\b"),
    (EpisodeType.FACT, "user", CLAUSE + r"i(?:'m| am) (?:allergic|intolerant|vegan|vegetarian|pescatarian|diabetic|colou?r ?blind|left-handed|a (?:vegan|vegetarian))\b"),
    (
        EpisodeType.FACT,
        "user",
        r"\bmy (?:(?:wife|husband|partner|son|daughter|boss|manager|dog|cat|company|team)(?:'s name is| is called| is named)|birthday is|time ?zone is|address is)\b",
    ),
    (EpisodeType.FACT, "user", CLAUSE + r"(?:me llamo|mi nombre es|vivo en|naci en|trabajo (?:en|como|para|de)|soy (?:alergic|vegan|vegetarian|diabetic|celiac|zurd)[oa])"),
    (EpisodeType.FACT, "user", r"\bmi (?:esposa|esposo|mujer|marido|pareja|hij[oa]|jef[ea]|perr[oa]|gat[oa]|empresa|equipo) se llama\b|\bmi cumpleanos es\b"),
    (EpisodeType.FACT, "user", CLAUSE + r"i (?:can'?t|cannot|don'?t|do not) (?:eat|drink|tolerate|wear) "),
    (EpisodeType.FACT, "user", rf"\bi(?:'m| am) an? (?:[a-z-]{{1,20}} ){{0,3}}(?:{_TRADES_EN})\b|\bsoy (?:una? )?(?:{_TRADES_ES})\b"),
    (EpisodeType.FACT, "user", r"^(?:our|my) (?:team|company|project|department|office) (?:uses|prefers|runs|works|never|always)\b|^(?:here )?we (?:use|prefer|never use|always use) "),
    *((EpisodeType.FACT, "user", pattern) for pattern in CHANGES),
    # What is to be remembered of anything else is a fact: "remember that the database listens on port 6543".
    (EpisodeType.FACT, "user", rf"{_REMEMBER_EN}(?:that|this)\b(?! time\b|:? {_OF_ME_EN}\b)"),
    (EpisodeType.FACT, "user", CLAUSE + rf"{_REMEMBER_ES}(?!{_OF_ME_ES}\b)[a-z0-9]"),
    # --- decided ---------------------------------------------------------------------------------
    (
        EpisodeType.DECISION,
        "user",
        CLAUSE + r"(?:let'?s|we'?ll|we will|i'?ll|i will|we should|we are going to|we're going to|we're|we are) (?:go(?:ing)? with|stick with|stick to|settle on|adopt(?:ing)?|switch(?:ing)? to|standardi[sz]e on)\b"
        r"(?! (?:you|him|her|them|us|me)\b)",
    ),
    (EpisodeType.DECISION, "user", CLAUSE + r"let'?s use\b|\b(?:we|i)(?:'ve| have)? (?:decided|agreed|settled) (?:to|on|that|against)\b|^(?:the )?(?:final )?decision(?::| is)"),
    (EpisodeType.DECISION, "user", CLAUSE + r"(?:vamos con|usemos|nos quedamos con|me quedo con|(?:hemos |he )?decidi(?:do|mos)?)\b"),
    # --- what became of a task -------------------------------------------------------------------
    (EpisodeType.OUTCOME, "assistant", r"^(?:all )?(?:done|fixed|finished|completed|deployed|task (?:complete|completed|done))(?:$|[,:] | - | — )"),
    (
        EpisodeType.OUTCOME,
        "assistant",
        rf"\b(?<!once )(?<!if )(?<!after )(?<!when )(?:i|we)(?:'ve| have)? (?:now |just |also |already |successfully |both )*(?:{_DONE_EN})\b"
        r"(?! (?:the|your|a|my) (?:search|look-?up|query|question|weather)\b)(?!.{0,60}\b(?:below|above)\b)",
    ),
    (
        EpisodeType.OUTCOME,
        "assistant",
        rf"\b(?<!once )(?:has|have) (?:now |already |just )*been (?:successfully |now )?(?:{_HAPPENED_EN})\b(?! (?:in|since|as of) (?:version|v|release|\d))"
        rf"|\b(?:is|are) now (?:{_HAPPENED_EN}|live|passing|working)\b|^(?:the|your) [^,]{{1,40}} (?:is|are) now running\b|\bsuccessfully (?:{_HAPPENED_EN})\b",
    ),
    (EpisodeType.OUTCOME, "assistant", r"\ball (?:\d{1,6} |the |of the |your )?(?:unit |integration )?(?:tests|checks|specs) (?:are |now |have )*(?:pass|passed|passing|succeed|succeeded|green)\b(?! or\b)|\bthey (?:now )?all (?:now )?pass(?:ed)?\b"),
    (EpisodeType.OUTCOME, "assistant", rf"\bthe (?:[a-z]{{1,20}} )?(?:{_WORK}) (?:has |is |was |now )*(?:succeeded|successful|completed|complete|finished|failed|passed|done)\b"),
    (
        EpisodeType.OUTCOME,
        "assistant",
        r"\b(?:i|we) (?:couldn'?t|could not|was unable to|were unable to|failed to|wasn'?t able to|was not able to) "
        r"(?:complete|finish|fix|deploy|send|book|install|create|connect|apply|merge|upload|update|delete|save|build|restore|schedule|cancel)\b",
    ),
    (EpisodeType.OUTCOME, "assistant", r"^(?:deployed|fixed|merged|pushed|booked|sent|saved|installed|published|scheduled|cancelled) (?:to|on|in|it|and|with|for|the)\b"),
    (EpisodeType.OUTCOME, "assistant", rf"^(?:the|your|pr|ticket|issue|order) [^,]{{0,40}}\b(?:is|are) (?:now )?(?:{_HAPPENED_EN}|confirmed)\b(?! (?:by|every|each|when|if|once|in))|\b(?:placed|{_HAPPENED_EN}) successfully\b"),
    (EpisodeType.OUTCOME, "assistant", r"^(?:reminder|timer|alarm|meeting|event|appointment|e-?mail|message|order|ticket|file|note|invitation|payment) (?:is |has been )?(?:set|sent|saved|created|added|booked|scheduled|placed|cancelled|deleted|updated)\b"),
    (EpisodeType.OUTCOME, "assistant", rf"^(?:{_WORK}) (?:succeeded|completed?|finished|done|failed|passed)\b"),
    (EpisodeType.OUTCOME, "reply", r"^(?:[a-z ]{1,20}, |great |yes |ok |now )?(?:it|that|this|everything)(?:'s| is| all)? (?:now )?(?:works? (?:now|again|perfectly)|working (?:now|again)|worked|fixed it|solved it|did (?:it|the trick)|resolved)\b(?! for (?:him|her|them))"),
    (EpisodeType.OUTCOME, "reply", r"^(?:[a-z ]{1,20}, )?it works$"),
    (EpisodeType.OUTCOME, "reply", r"\b(?:it|that|this) (?:still (?:doesn'?t work|fails|isn'?t working|is failing|is broken|crashes)|didn'?t (?:work|help|fix it))\b|^still (?:not working|failing|broken|crashing)\b"),
    (EpisodeType.OUTCOME, "assistant", r"^(?:listo|hecho|terminado|completado|arreglado)(?:$|[,:] | - | — )"),
    (EpisodeType.OUTCOME, "assistant", rf"\b(?<!si )(?<!cuando )(?:he|hemos) (?:ya )?(?:{_DONE_ES})\b(?! (?:la|tu|una) (?:busqueda|consulta)\b)"),
    (EpisodeType.OUTCOME, "assistant", rf"\b(?:ya (?:esta|estan|quedo|quedaron)|ha sido|han sido|ha quedado|quedo) (?:{_DONE_ES.replace(')o|', ')[oa]s?|')})\b"),
    (EpisodeType.OUTCOME, "assistant", r"^se (?:envio|creo|guardo|instalo|desplego|actualizo|borro|elimino|reservo|agendo|programo|completo|corrigio|arreglo) (?:el|la|los|las|tu|un|una|correctamente|con exito)\b"),
    (EpisodeType.OUTCOME, "assistant", r"\btod[oa]s (?:l[oa]s )?(?:pruebas|tests) (?:pasan|pasaron|han pasado)\b"),
    (EpisodeType.OUTCOME, "assistant", r"\bno (?:pude|he podido|hemos podido|pudimos) (?:completar|terminar|arreglar|desplegar|enviar|reservar|instalar|crear|conectar|actualizar|borrar|guardar|cancelar)\b"),
    (EpisodeType.OUTCOME, "reply", r"^(?:[a-z ]{1,20}, )?(?:eso |ahora |ya )+(?:si )?(?:funciona|funciono|quedo)\b|^(?:[a-z ]{1,20}, )?(?:sigue sin funcionar|sigue fallando|no funciono)\b"),
)  # fmt: skip
