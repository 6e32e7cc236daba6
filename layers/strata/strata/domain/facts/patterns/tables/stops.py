"""Words that end a value, and words that never begin one. All are folded."""

from strata.domain.facts.patterns.tables.words import word_set

LINKS = word_set("and or & plus y e o u ni nor")

MODIFIERS_STOP = word_set(
    """
    because cause cuz bc so since though although whereas but please pls plz then than btw lol haha anyway too also
    either now anymore ever always instead rather not most mostly especially unless except if when whenever while that
    which who until during thanks thx ok okay right tbh only really though obviously everywhere generally yeah
    pero porque que cuando si como pues asi aunque mucho muchisimo bastante porfa gracias tambien tampoco nunca siempre
    jaja jajaja verdad cual donde quien hoy ahora antes sobre desde hace hasta mientras excepto salvo vale please
    eh che ya mas incluso aparte demasiado tanto entonces sino ademas ok apenas nomas igual
    """
)
"""Words after which a value has ended without a statement about it."""

VERBS_STOP = word_set(
    """
    i i'm im i've i'd i'll we we're we've you you're he she it it's its they they're is are was were am be been can
    can't could would should will won't do does did don't doesn't have has had need want may might must what how where why
    makes make made gives give gets get let lets keeps seem seems works help me us him her them there here's that's
    write draft explain tell show find add use using used send check fix translate summarise summarize turn suggest
    yo tu ella nos se le les te lo es son esta estan era eran fue tengo tiene tenemos quiero queremos necesito
    puedo puedes podes puede vivo soy somos trabajo hazme haceme dame ponme hay estoy estamos da dan hace hacen ayudame
    dime decime explicame voy vamos sirve gusta gustan encanta encantan odio prefiero ando recomiendame recomendame
    busco sugiereme armame pasame escribe escribeme odia ocupo necesitamos deja dejame
    """
)
"""Words that begin another statement, whose subject may be the words before."""

PREPOSITIONS = word_set(
    """
    versus vs v without between among against towards toward into onto from near via per like
    sin entre contra segun hacia tras ante
    """
)
"""Words that join a value to more words, and no end of one, nor its beginning without a capital ("Sin City")."""

NO_THINGS = (
    word_set(
        """
        it this that these those they them you your yours him her his their what how when where why who whom whether to
        it's its there myself me us being having my our mine going getting nothing everything something someone anyone
        everyone doing one none both each any if i we he she as for with about in on at of up out off over not
        no never much well enough so too just here now back more less better best other others another same such which
        who's seeing hearing knowing neither
        que como cuando donde si eso esto esta este estos estas esa ese esas esos aquel aquella tu tus su sus te lo mi
        mis mio nada todo nadie alguien algo ella ellos ellas usted ustedes vos verte verlo asi mas menos bien mucho
        poco demasiado otra otro no ni nunca se me le les nos para por en con de a al cada ambos ninguno ninguna
        saber creer ser estar tener haber quien cual tanto hacerlo sentirme ir hoy antes dos tres ambas mismo misma mismos mismas
        """
    )
    | MODIFIERS_STOP
)

VAGUE = word_set(
    """
    idea way sound look fact thing version option draft paragraph column row sentence title tone line design plan layout
    second first third last next new previous latter former result results answer answers others rest part
    point one ones approach style wording ending intro table chart change changes suggestion suggestions help
    feature output code script function error current latest final original above below
    version parrafo columna fila frase titulo tono linea diseno segunda segundo primera primero tercera tercero ultima
    ultimo siguiente anterior resultado respuesta parte forma manera opcion borrador propuesta sugerencia cosa hecho
    nueva nuevo otra otro que de tabla grafico cambio codigo error funcion letra fuente font fondo background boton button header footer
    """
)
"""Words that concern the task at hand after an article ("the second one", "la idea")."""

ARTICLES = word_set(
    "a an the el la lo los las un una unos unas any some all todo toda todos todas cualquier algo al del"
)

ROLE_STOP = (
    MODIFIERS_STOP
    | (VERBS_STOP - word_set("es use help works"))
    | word_set(
        "myself no not never tampoco nunca veo living based looking trying working hoping specialising specializing viviendo afincado afincada"
    )
) - word_set("except mostly")

NO_PLACES = word_set(
    """
    ft fear hope denial town city village country countryside mountains house flat apartment dorm dorms basement attic place
    world moment area suburbs north south east west center centre middle nowhere van tent caravan hostel hotel
    peace pain poverty silence theory practice person luxury squalor hell heaven mars earth bed pyjamas pajamas
    shared university college school it hr pr qa marketing sales support accounting finance it's london's
    a an the my our your this that here there abroad alone together with on at off campus two one three
    casa piso departamento depto pueblo ciudad campo centro paz calma las los la el un una mi tu su aqui aca alli alla
    letras ciencias comer pocas pocos buen mal verdad confianza fiar familia clase vacaciones alquiler renta compartido
    ilusion ilusiones recuerdos sueldo milagro pena miedo noche dia sol otro otra otros todo nada nuevo siempre
    marte tierra luna cama twitter facebook instagram tiktok discord linkedin internet reddit recursos soporte whatsapp nubes fiesta puro pensar esas esos esa ese este esta eso izquierdas derechas
    linux windows macos ios android ubuntu debian fedora arch kubernetes docker postgres postgresql mysql mongodb sqlite python rust golang typescript
    react vue django rails vim neovim emacs vscode cursor github gitlab aws azure gcp notion obsidian signal telegram gmail excel
    """
)

TAILS = tuple(
    tuple(tail.split())
    for tail in [
        "any more",
        "any longer",
        "any",
        "a lot",
        "the most",
        "very much",
        "best",
        "more",
        "at all",
        "these days",
        "in general",
        "en general",
        "right",
        "for everything",
        "for all",
        *PREPOSITIONS,
        "by",
        "about",
        "como",
        "frente",
        "with me",
        "\n        conmigo",
        "a tope",
        "un monton",
        "para todo",
        "al maximo",
        "at home",
        "en casa",
        "here",
        "aqui",
        "aca",
        "lately",
        "last",
        "forever",
        "with",
        "of",
        "to",
        "for",
        "in",
        "on",
        "\n        at",
        "de",
        "en",
        "con",
        "para",
        "por",
        "a",
        "al",
        "sobre todo",
        "en serio",
        "un poco",
        "the",
        "el",
        "la",
        "myself",
        "by default",
        "por defecto",
        "as well",
        "right now",
        "\n        like crazy",
        "con locura",
        "all",
        "very",
        "no",
        "un",
        "una",
        "all the time",
        "todo el tiempo",
        "every day",
        "todos los dias",
        "so",
    ]
)
"""Phrases at the end of a value that only intensify it or belong to the rest of the sentence."""
