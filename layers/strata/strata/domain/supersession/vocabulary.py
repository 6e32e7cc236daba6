"""Words of change, doubt and idleness in English, Spanish, German and Chinese, folded.

A note is in one language, and few of these words mean another thing in another one.
"""

import re

from strata.domain.text.stop_words import ENGLISH, GERMAN, SPANISH


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _any(text: str) -> str:
    return "|".join(text.split())


_CHANGED = (
    rf"(?:{_any('mov switch chang migrat bump upgrad updat rais lower increas decreas reduc renam replac reschedul postpon shift slipp relocat')}"
    rf"|{_any('promot transferr reassign doubl shorten halv revers revert retir swapp swap drop push pull trimm')})(?:ed|d)"
)
_GERMAN_CHANGED = (
    "umgestellt|umgezogen|gezogen|verlegt|verschoben|geschoben|vorgezogen|erhoht|angehoben|gesenkt|geandert|aktualisiert|gewechselt|umbenannt|verlangert|verkurzt"
    "|gewandert"
)
CHANGE = re.compile(
    r"\b(?:now|nowadays|currently|since|finally|as of|these days|from (?:now|today|here|this \w+|\w+day) on|no longer|any ?more|instead|after all"
    r"|(?:went|gone) (?:up|down)|gave up|taken over|took over|done with"
    rf"|{_CHANGED}|(?:extend|widen)ed"
    r"|cut(?= to\b)"
    r"|ahora|ya (?=no|est|es|se|va|son)|cambie|desde|a partir de|pasa|pasan|pasamos|paso|pasado|sube|suben|subimos|subio|subid[oa]|baj(?:a|amos|o|ad[oa])|migramos|migrad[oa]|cambi(?:a|o|amos|ad[oa])"
    r"|actualiza(?:mos|d[oa])|aplaza(?:do|da|ron|mos)|retrasa(?:do|da|n)?|adelanta(?:do|da|n)?|traslad(?:o|ad[oa]|aron|amos)|muda(?:do|da)|mudo|movido|ampliad[oa]"
    r"|renombrad[oa]|sustituid[oa]|reemplaza(?:do|da|mos)|deja(?:mos|do)|en (?:lugar|vez) de"
    rf"|jetzt|nun|nunmehr|seit|neuerdings|inzwischen|mittlerweile|kunftig|ab (?:sofort|heute|morgen|jetzt)|nicht mehr|statt|{_GERMAN_CHANGED}|ersetzt|abgelost)\b"
    r"|->|=>|→|从 ?\S+ ?起|现在|如今|目前|改为|改成|改到|改用|改由|改在|改名|更名|换成|换到|换了|换用|升级|升到|升至|迁移|迁到|迁至|搬到|搬去|搬家|调整|调到|调为|调高|调低|推迟|延期|延到"
    r"|提前|不再|降到|降至|降为|提高到|涨到|涨至|增加到|缩短|延长|转到|切换|接手|跳槽|取代|替换"
)
"""Words that say that something is so from here on."""

MOVED = re.compile(r"\b(?:moved|relocated|mudado|mudo|mude|gezogen|umgezogen)\b|搬")
"""Words that say that somebody lives elsewhere."""

UNSURE = re.compile(
    r"[?¿？]|\b(?:if|whether|unless|until|till|might|may (?!\d)|could|would|should|shall"
    r"|will|going to|gonna|plan(?:s|ned|ning)? (?:to|on|for)|planned|planning|propos\w+|ideas?|maybe|perhaps|possibl[ey]|probably|likely|consider\w*|think\w*|thought"
    r"|want(?:s|ed)? to|wish\w*|hop(?:e|es|ed|ing)|intend\w*|suggest\w*|discuss\w*|debat\w+|ask(?:s|ed|ing)?|told (?!me they've)|says|said|claim\w*|according|heard|reported\w*"
    r"|apparently|seem(?:s|ed)?|looks? like|looking at|next (?:week|month|year|quarter|sprint)|tomorrow|soon|eventually|used to|originally"
    r"|initially|back (?:in|then)|in (?:19|20)\d\d|(?:year|month|week|day)s? ago|tr(?:ied|ying|ial|ials)|experiment\w*|spike|prototype|pilot|draft|temporar\w+|for now|outage"
    r"|for (?:the|an?) (?:test|day|hour|week|weekend|moment|time being)|just (?:for|this)|only for|(?:put|set|turned|brought|changed|switched)(?: it| them| that)? back|reverted|rolled back|meanwhile"
    r"|sometimes|usually|often|except|unlike|imagine|suppos\w+|let's|everything else|the others?|the rest|rumou?r\w*|spin|versions before"
    r"|mientras|hasta|antes|podria\w*|puede\w*|deberia\w*|habra|quiz\w+|tal vez|acaso|planea\w*|quer(?:emos|er)|quier\w+|si"
    r"|pens(?:ar|ando|amos|e)|propuesta|propon\w+|pregunt\w+|dice\w*|dijo|dijeron|contaron|segun|proxim[oa]|manana|pronto|solia\w*"
    r"|hace (?:\w+ )?(?:anos|meses|semanas)|prob(?:amos|ando)|caida|temporal\w*|de momento|por ahora|demas|esta (?:semana|vez|noche|tarde)|estudi(?:a|amos|an)"
    r"|excepto|salvo|falls|wenn|ob|bis|bevor|konnte\w*|soll\w*|mocht\w*|will|wollen|vielleicht|eventuell|geplant|planen|uberleg\w*|vorschlag\w*|vorgeschlag\w*|frag\w+"
    r"|sagt\w*|laut|test(?:et|en|e|ete\w*)|probier\w*|(?:tage|wochen|monate) lang|nachste\w* (?:woche|monat|jahr|quartal)|bald|fruher|damals|ware|versuch\w*|probe\w*weise|ausfall|vorubergehend|vorerst)\b"
    r"|吗|呢|是否|是不是|要不要|如果|假如|要是|万一|打算|计划|准备|考虑|可能|也许|或许|大概|希望|想|建议|提议|听说|(?<!数)据|说是|以前|之前|曾|当时|年前|那时|过去|试|临时|暂时|期间"
    r"|其他|其余|会不会|将|下周|下个?月|明年|明天"
)
"""Anything that keeps a note from telling how things are now: plans, questions, reports, history, passing states."""

ONCE = re.compile(
    r"\b(?:only (?:this|today|tonight)|(?:today|tonight|this (?:week|month|time|once|\w+day)) only|for (?:[^\s.,;]+ ){1,5}only|one-off|exceptional(?:ly)?|as an exception"
    r"|excepcional\w*|por una vez|solo (?:hoy|esta (?:semana|vez|noche|tarde))|nur (?:heute|morgen|dies\w*)|diesmal|ausnahmsweise)\b|仅限|只限|[仅只](?:本|这|今)|这一?次|破例"
)
"""Words by which a note tells of one time only."""

BESIDE = re.compile(
    r"n't\b(?!(?: \S+){1,5} any ?more)|\b(?:not (?!\w* ?\w+ any ?more)|never|without|also|too|as well|another|additional\w*|both|either|neither|second|extra|besides|alongside|plus|in addition|still|almost|nearly|partly|partially"
    r"|again|confirmed|had|formerly|previously|before|when|while|cuando|era|eran|hubo|estaba\w*|tenia\w*|hacia\w*|war|waren|hatte\w*|wahrend|likes?|loves?|enjoy\w*|favou?rite|learn\w*|(?<!ya )no(?! longer| more)|nunca|jamas|sin|tambien|ademas|otr[oa]s?|ambos|segund[oa]|sigue\w*|confirmad[oa]"
    r"|gust\w+|encant\w+|nicht(?! mehr)|nie|niemals|ohne|kein\w*|auch|ausserdem|zusatzlich|weiterhin|beide\w*|weder|noch|zweite\w*|teilweise|fast|beinahe|parcialmente|casi|wie gehabt|mag)\b"
    r"|也|又|部分|几乎|还|另|都|新增|增设|仍|依然|依旧|没|不是|并非|未|别的|喜欢|爱|等|确认"
)
"""Words by which a clause denies, repeats or adds a value, or tells of a taste."""

PASSING = re.compile(
    r"\b(?:in (?:19|20)\d\d|ago|used to|formerly|previously|no longer|ya no|nicht mehr|fruher)\b|不再|以前|之前|曾"
)
"""Words by which an older note itself tells of what was."""

MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|januar|februar|marz|mai|juni|juli|oktober|dezember"
TAIL = re.compile(
    rf"\A\s*(?:since|as of|after|from|desde|a partir de|tras|seit|ab|nach)(?: (?:ahora|now)\b|(?: (?:the|last|el|la|dem|der|ersten))? \w[\w.]*)(?: (?:{MONTHS})\b)?"
    r"|(?<=\S )(?:\b(?:because|so that|since|as of|after|due to|thanks to|for lack of|so (?=\w+ \w+)|last (?:night|week|month|summer|\w+day)|(?:over|during) the|during"
    rf"|on (?:mon|tues|wednes|thurs|fri|satur|sun)day(?=\W*\Z)|this (?:morning|week|month)|from (?:now|today|here|this \w+) on|(?:in|en|im) (?:{MONTHS})(?=\W*\Z)"
    rf"|porque|para que|desde|a partir de|tras|por (?:orden|obras|motivos?|decision)|asi que|weil|damit|seit (?=(?:dem|der|{MONTHS}))|nach (?:dem|der|einem|einer)|wegen)\b(?:[^.;,]|[.,](?=\d))*)"
    r"|seit (?:gestern|heute|kurzem|montag)|因为.*|由于.*|昨晚|昨天|今天|上周|上个?月|(?:从今天|从 ?[\d.]+ ?)起"
)
"""Since when something is so, or why: no part of what is said."""

_WHAT = r"(?P<former>\S+(?: \S+){0,3}?)"
_GONE = r"(?:gone|deleted|uninstalled|retired|shut ?down|switched off|turned off|archived|removed|cancelled|emptied|decommissioned|dropped|deprecated|out)"
FORMER = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?:{_CHANGED}|cut|went|gone|take|took|taken|swap)\b(?: \S+){{0,6}}? from (?:the )?{_WHAT}(?: over)? (?:to|into|onto)\b",
        rf"\b(?:taken over|took over|takes over|inherited)\b(?: \S+){{1,5}}? from (?:the )?{_WHAT}\W*\Z",
        rf"\b(?:instead of|rather than|no longer (?:(?:\w+ )?(?:at|in|on|with|via|from|through)|using|uses?)?|(?:no longer|(?<=, )not(?: at| in| on)?)(?= \d)|out of|moved (?:away )?(?:off|from)|(?:left|quit|dropped|ditched|retired|replaced|replaces|abandoned)|against|no more|gave up|sold|(?<!is )(?<!are )(?<!was )done with) (?:the |our |my )?{_WHAT}(?=\W|\Z)",
        rf"n't (?:\w+ )?(?:(?:at|in|on|with|via|from|through) )?(?:the |our |my )?{_WHAT} any ?more\b",
        rf"(?:\A|\W){_WHAT} (?:is|was|are|were|has been|have been|got|gets) (?:now )?(?:{_GONE}|renamed|replaced)\b",
        rf"\b(?:pasa\w*|movi\w+|migr\w+|cambi\w+|muda\w*|traslad\w+|subi\w+|baj\w+)(?: \w+){{0,4}}? (?:de|del|desde) (?:el |la |los |las )?{_WHAT} (?:a|al)\b",
        rf"\b(?:en (?:lugar|vez) de|ya no (?:\w+ )?(?:con|en|desde|por|a|de|es)?|dej(?:e|o|amos|aron|a)|se quita|quitamos|sustituye\w* a|reemplaza\w* a) (?:el |la |los |las )?{_WHAT}(?=\W|\Z)",
        rf"(?:\A|\W){_WHAT} (?:ya no(?! \w+ (?:con|en|desde|por|a|de)\b)|queda (?:archivad|eliminad)\w+|ha cambiado de nombre|se (?:queda|quedo) fuera|desinstalad\w+|retirad\w+|eliminad\w+)",
        rf"\bvon (?:dem |der )?{_WHAT} (?:zu|zum|zur|auf|nach)\b(?=.*\b(?:{_GERMAN_CHANGED}|migriert|ubertragen)\b)",
        rf"\b(?:wechsel\w+|wander\w+|zieh\w+|zog(?:en)?|steig\w+|stieg(?:en)?|sink\w+|sank(?:en)?|geht|gehen|ging(?:en)?)\b(?: \S+){{0,6}}? von (?:dem |der )?{_WHAT} (?:zu|zum|zur|auf|nach)\b",
        rf"\b(?:statt|anstelle von|nicht mehr (?:in|bei|auf|mit|uber|von)?|nicht mehr(?= \d)) (?:dem |der |den |das |die )?{_WHAT}(?=\W|\Z)",
        r"(?:由|从|把|将)(?P<former>[^,，。由从把将]+?)(?:换成|改成|改为|改名|更名|迁移到|迁到|换到|搬到|转到|升级到|升到|切换到|调到|移到)",
        r"(?:不再[\u4e00-\u9fff]{0,4}|而不是) ?(?P<former>[a-z0-9][^,，。]*)",
        r"(?:不再用|不再在|不再由|不再使用|不用|不再走|弃用|停用|取代|替换掉?|代替|离开|告别)了?(?P<former>[^,，。]+)",
    )
)
"""Phrases that name what was so before."""

ALONE = re.compile(
    r"(?:\bno longer|n't|\bya no|\bnicht mehr)\b.*\b(?:only|alone|just|solely|merely|exclusively|solo|solamente|unicamente|nur|allein|ausschliesslich)\b|不再.*[只仅单]"
)
"""Words by which a value is no longer the only one, and has not gone."""

SOME = re.compile(
    r"\b(?:some|most|many|few|several|one|two|three|half|parts?) of\b|\b(?:algun\w+|mitad|parte) de\b|\beinige\w*|manche\w*|大部分|有些"
)
"""Words for a part of something."""

OF = re.compile(
    r"(?P<one>\w+) (?:of|de|del|der|des|von|vom) (?:(?:the|our|my|la|el|los|las|der|dem) )?(?P<other>\w+)"
)
"""Two words of which the first is a part of the second, or belongs to it."""

LIMIT = re.compile(
    r"(?:\A|\s)(?:(?P<aim>for|per|within|para|por|fur|pro)|in|from|at|on|en|bei|im|am|an)(?: (?:the|la|el|los|las|der|dem|den|die|das))?\s"
)
"""Prepositions that limit what is said to a part."""

DAYS = re.compile(
    r"\b(?:(?:on|at) (?:\w+days|weekends)|los (?:lunes|martes|miercoles|jueves|viernes|sabados|domingos|festivos)"
    r"|(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|feiertag)s)\b|周末|节假日"
    rf"|\A (?:in|im|en) (?:{MONTHS})\b|\b(?:after|past|between|nach|ab|despues de las|a partir de las) \d"
)
"""Days and hours that come again."""

PAUSE = re.compile(r"[,;]| (?:but|and|so|sino|sondern|y|und) ")
"""The end of what belongs to a value."""

OWNS = frozenset(("s", "的"))
"""Words between an owner and the thing that it owns: the "s" of "Tom's" is a word of its own."""

WE = frozenset(("we", "they", "\x01", "wir"))
"""Words right before a verb."""

IDLE = (
    ENGLISH
    | SPANISH
    | GERMAN
    | _words(
        """
    always every already really lately well onto via got get gets go goes went gone come comes came new newly since
    nowadays currently finally set sets make made run runs running ran use uses used using live lives living hosted
    deployed sit sits located stay stays keep keeps kept store stored listen listens exposed serve served start starts
    begin begins happen happens expose target targets require requires cost costs hold fire fires decided decision
    agreed agree update updated note fyi heads last past next remind reminds hey hi see thanks reminder user user's
    belongs owns version release port region number value please done default defaults point points pointed print
    prints says move moved moves switch switched change changed migrate migrated bump bumped upgrade upgraded raise
    raised lowered increase increased decrease decreased reduce reduced rename renamed replace replaced
    reschedule rescheduled postpone postponed extend extended shift shifted slip slipped relocate relocated promote
    promoted transfer transferred double doubled shorten shortened halved revers reversed cut dropped swap swapped
    pushed pulled instead longer anymore back day days today date ship shipped ships everything completely due
    deadline entirely fully unas nuestro nuestra estan queda hemos usa usan usamos corre corren tenemos hacen van
    lleva sale salen vive vivo trabaja trabajo pasa pasan pasamos paso pasado cambia cambiado cambiamos cambio sube
    subido subimos subio suben baja bajado bajamos migramos migrado actualizado mudado mudo movido trasladado aplazado
    retrasa puerto guarda guardan llama partir alojado ab jetzt neuerdings inzwischen kunftig lauft laufen nutzt
    nutzen liegt liegen findet statt kommt kommen heisst umgestellt umgezogen gezogen verlegt verschoben geschoben
    erhoht gesenkt geandert aktualisiert gewechselt umbenannt hort lauscht uhr sofort heute
    """
    )
)
"""Words without a part in what a note is about."""

IDLE_HAN = frozenset(
    "叫的是了在为到我们用跑会从由已定把被给起把和与走成于至改换升级迁移调整推迟延期提前搬现目前如今默认设每个至我"
)
"""Characters without a part in what a note is about."""

JOINS = _words("in at for on with to by via en a con por bei mit nach im im auf als as")
"""Prepositions: they join a name to what it is a value of."""

AND = _words("and y e und sowie 和 与 及")
"""Words between the names of a list."""

PERIOD = re.compile(
    rf"\b(?:in|for|of|im|fur|von|en|de|del|para) (?:el |the )?({MONTHS}|(?:19|20)\d\d)\b(?!\W?\d)|\b(q[1-4]|h[12])\b"
    rf"|\b({MONTHS}|(?:19|20)\d\d)'s\b"
)
"""A month, a year or a quarter of which a note tells; one of the groups has its name."""

OPPOSITE = tuple(
    frozenset(pair.split())
    for pair in ("to from", "nach von", "nach aus", "in aus", "a desde", "hacia desde")
)
"""Prepositions for the two ends of a way."""

_TIMES = (
    "mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december "
    "lunes martes miercoles jueves viernes sabado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre "
    "montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar marz mai juni juli oktober dezember "
    "daily weekly monthly hourly nightly taglich stundlich wochentlich"
)
_UNITS = "second minute hour day week month year segundo minuto hora dia semana mes ano sekunde minute stunde tag woche monat jahr am pm"


def _forms(text: str) -> frozenset[str]:
    return frozenset(
        form for word in text.split() for form in (word, word + "s", word + "n", word + "en", word + "es")
    )


TIMES = _forms(_TIMES)
"""Weekdays, months and how often something happens."""

UNITS = _forms(_UNITS)
"""Words of a span of time, which are no value without a number."""
NUMBERS = _words(
    "one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty "
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce quince veinte treinta media "
    "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf halb zwanzig dreissig"
)
"""Numbers that are written as words."""

HOME = _words(
    "live lives living resides rent rents renting based home vivo vive vivimos alquiler piso wohne wohnt wohnen wohnung"
)
"""Words that say where somebody lives."""

ME = re.compile(r"\b(?:the user's|user's|the user|user|my|i'm|i've|i|me|mi|mis|mein\w?|meine\w|ich)\b|我")
"""Words by which the user is meant."""

LABELS = _words("decis decid note updat chang fyi info remind fact status memori observ discoveri heads")
"""Stems of words that name the kind of a note, and not what it is about."""

STATES = re.compile(
    r"[:=：]|\b(?:is|are|runs?|costs?|targets?|pins?|requires?|uses?|fires?|listens?|defaults?|expires?|builds?|lasts?|caduca|pide|dura|guardan?|baut|es|son|esta|estan|cuesta|usa|corre|ist|sind|kostet|lauft)\b|是|为"
)
"""Words that state a value where nothing says that it changed."""
ENVIRONMENTS = re.compile(
    r"\b(?:prod|production|staging|stage|dev|development|qa|sandbox|preview|canary|preprod\w*|uat|live (?:system|site|server)|locally|laptop|ci|produccion|preproduccion|produktion"
    r"|produktiv\w*|testsystem|entwicklung\w*|pruebas(?! pasan)|(?:return|outbound|inbound) (?:flight|train|trip|journey|leg)|(?:flight|train|trip|journey) back|de (?:vuelta|ida)|(?:ruck|hin)(?:flug|fahrt|reise))\b|返程|去程|线上|生产|预发布?|测试环境|开发环境|本地"
)
"""Words for the place where something runs: a value of one says nothing about another."""

STATE_WORDS = _words(
    "on off up down open closed enabled disabled active inactive online offline blocked live abierta abierto cerrada cerrado activado activada desactivado "
    "desactivada aktiv inaktiv aktiviert deaktiviert offen geschlossen"
)
"""States that exclude each other."""

COPULAS = _words("is are now back esta estan ya ist sind ahora jetzt nun wieder still")
"""Words before a state."""

ARTICLES = _words("is es ist the a an el la los las un una der die das den dem ein eine")
"""Words before a common word that is a value."""

TOWARDS = _words("to into a al nach")

"""Prepositions before the place to which somebody moved."""
