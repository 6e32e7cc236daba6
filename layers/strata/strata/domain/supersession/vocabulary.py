"""Words of statements, folded: what may stand in one, what marks a change, and what makes one unsure.

English, Spanish and German together; a note is in one language, and few of these words mean another thing in
another one.
"""

import re


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


UNSURE = re.compile(
    r"\?|¿|n't\b|\b(?:not|never|none|without|if|whether|unless|when|while|until|till|before|might|(?<!\d )may(?! \d)|could|would|should|shall"
    r"|will|going to|plan(?:s|ned|ning)? (?:to|on)|planned|planning|propos\w+|idea|maybe|perhaps|possibl\w+|probabl\w+|consider\w*|think\w*|thought|want\w*|wish\w*|hope\w*"
    r"|intend\w*|suggest\w*|discuss\w*|debat\w+|ask\w*|told|tells?|says?|said|claim\w*|accord\w+|heard|reported\w*|apparently|seems?|looks like"
    r"|next|tomorrow|soon|eventually|today|tonight|yesterday|this (?:week|month|year|morning|time)|used to|were|had|formerly|previously"
    r"|originally|initially|back in|in (?:19|20)\d\d|ago|once|tri(?:ed|al\w*|es)|try\w*|test(?:ed|ing) (?:with|it)|experiment\w*|spike|prototype|pilot|draft"
    r"|during|outage|temporar\w+|for (?:now|an? \w+|the (?:day|week|moment))|meanwhile|also|too|as well|another|additional\w*|both|either|neither"
    r"|or|besides|plus|about|around|roughly|approximately|almost|nearly|at least|up to|between|sometimes|usually|often|mostly|some|most"
    r"|except|unlike|versus|vs|instead of that|imagine|suppos\w+|let's|for example|e\.g|their|his|her|your|it|they|he|she|this|that|these|those|which|who"
    r"|no|nunca|jamas|sin|si|cuando|mientras|hasta|antes|podria\w*|puede\w*|deberia\w*|quiz\w+|tal vez|acaso|planea\w*|queremos|quier\w+"
    r"|pens(?:ar|ando|amos|e)|idea|propuesta|propon\w+|pregunt\w+|dice\w*|dijo|dijeron|contaron|segun|proximo|proxima|manana|pronto|hoy|ayer|antano|era|eran"
    r"|habia\w*|hubo|estaba\w*|tenia\w*|hace anos|prob(?:amos|e|o|ar)|prueba piloto|durante|caida|temporal\w*|de momento|por ahora"
    r"|tambien|ademas|otr[oa]s?|ambos|ni|unos|unas|casi|aproximadamente|al menos|entre|solia\w*|excepto|salvo|esto|eso|ella|ellos|sigue\w*"
    r"|nicht|kein\w*|nie|ohne|falls|wenn|ob|bis|bevor|konnte\w*|wurde\w* gern|sollte?\w*|soll|mochte\w*|will|wollen|vielleicht|eventuell|geplant|planen"
    r"|vorschlag\w*|frag\w+|sagt\w*|laut|nachste\w*|morgen|bald|heute|gestern|fruher|damals|war|waren|hatte\w*|waren?|versuch\w*|wahrend|ausfall"
    r"|vorubergehend|vorerst|auch|ausserdem|weiter\w+|beide\w*|oder|weder|etwa|ungefahr|mindestens|zwischen|sie|er|dies\w*|entweder)\b"
)
"""Anything that keeps a sentence from being a plain statement of how things are now."""

PASSING = re.compile(
    r"\b(?:temporar\w+|for now|for the (?:test|day|week|moment|time being)|until|outage|incident|spike|experiment\w*|put back|reverted|rolled back|only for"
    r"|just for|just this|esta (?:semana|vez|noche|tarde)|hasta|caida|temporal\w*|de momento|por ahora|repuso|deshizo|revertid\w+|solo para|solo por"
    r"|bis|ausfall|vorubergehend|vorerst|zuruckgesetzt|nur fur)\b"
)
"""Something holds for a while only, whatever the reason that is given for it."""

ENDED = re.compile(
    r"\b(?:no longer|not \w+ any ?more|isn't \w+ any ?more|any ?more|ya no|nicht mehr|kein\w* \w+ mehr|instead)\b"
)
"""Something has ended: the sentence says so in words that would otherwise make it unsure."""

TAIL = re.compile(
    r"(?<=\S )seit (?:gestern|heute|kurzem)\b|(?<=\S )\b(?:because|so that|since|as of|during the maintenance|desde|porque|para que|a partir de|por (?:orden|obras|motivos?|decision)"
    r"|weil|damit|seit|ab sofort|from (?:now|today|this \w+|\w+day) on)\b(?:[^.;]|\.(?=\d))*"
    r"|\A\s*(?:since|desde|seit|from|ab) (?:last |el )?(?:\w+day|now on|today|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre"
    r"|noviembre|diciembre|jan\w*|feb\w*|march|april|may|june|july|august|sept\w*|oct\w*|nov\w*|dec\w*|ayer|gestern|hoy|sofort)\b,?"
    r"|\A\s*a partir de (?:ahora|hoy)\b,?"
)
"""Since when something is so, or why: it says that something changed, and not what."""

CHANGE = _set(
    """
    now since nowadays currently moved upgraded bumped lowered raised increased reduced decreased changed switched extended postponed
    renamed migrated updated rescheduled shortened doubled halved promoted
    ahora ya desde pasa pasan paso sube suben subimos subio bajamos bajo baja migramos actualizamos cambia cambio cambiamos aplazado
    aplazaron aplazamos trasladaron trasladado traslado ampliado ampliaron ampliamos actualizado mudado mudo
    jetzt nun seit neuerdings verlegt umgestellt erhoht gesenkt geandert aktualisiert umgezogen gezogen verschoben verlangert
    """
)
"""Words that mark a change: from here on it is so."""

CHANGE_VERBS = _set(
    """
    moved upgraded bumped lowered raised increased reduced decreased changed switched extended postponed renamed migrated updated
    rescheduled shortened pasa pasan paso sube suben subimos subio bajamos bajo baja migramos actualizamos cambia cambio cambiamos
    aplazado aplazaron aplazamos trasladaron trasladado traslado ampliado ampliaron ampliamos actualizado verlegt umgestellt erhoht gesenkt
    geandert aktualisiert verschoben verlangert
    """
)

PLAIN_VERBS = _set("is are be been being set = es son esta estan ser queda quedan ist sind bleibt liegt")
"""Verbs that say nothing about the attribute."""

VERBS = {
    "keep": _set("kept keep keeps stored stores retained guarda guardan guardamos conserva conservan gespeichert aufbewahrt speichern"),
    "run": _set("run runs running targets target requires use uses using corre corren usa usan usamos pide requiere lauft laufen nutzt"
                " nutzen braucht"),
    "listen": _set("listens listen exposed escucha escuchan"),
    "place": _set("hosted deployed lives live served sits located runs run stored alojado alojada alojados desplegado lauft laufen liegen"),
    "cost": _set("costs cost cuesta cuestan vale valen kostet kosten"),
    "weigh": _set("weighs weigh pesa pesan wiegt wiegen"),
    "expire": _set("expires expire caduca caducan vence vencen"),
    "fire": _set("fires fire triggers salta saltan"),
    "limit": _set("limited capped limitado limitada limitados limitadas begrenzt"),
    "schedule": _set("runs run starts start begins happens hace hacen empieza celebra lauft beginnt startet"),
    "due": _set("due entrega entregan vence fallig"),
    "count": _set("has have tiene tienen hat haben"),
    "cut": _set("cut built deployed"),
}  # fmt: skip
"""Verbs that name the attribute: a note that keeps logs says another thing than one that limits them."""

NOISE = _set(
    """
    a an the of to at in on from for by with into as per since we our us just only has have been was got be there here
    new newly again s ve re since
    el la los las lo un una del al de a en por para con se nos nuestro nuestra han ha hemos como es desde solo que le
    der die das den dem des ein eine einen einem einer in im am an auf zu zum zur fur von vom mit bei wir unser unsere wird werden
    wurde wurden um ab nach ist sind hat version versions release port puerto region
    """
)
"""Words without a part in what a statement is about."""

DAYS = _set("sunday monday tuesday wednesday thursday friday saturday")
"""Days on which a change was made; of a schedule, they are a part of what is said."""

TESTED = _set("ci test tests matrix pipeline build builds suite")
"""Subjects that may use several versions side by side."""

FEES = _set(
    "plan fee subscription month monthly license licence seat cuota tarifa suscripcion abono mes mensual abo gebuhr monat monatlich"
)
"""Words of prices that are set, as against what something cost on a day."""

NAMES = _set(
    """
    main master trunk develop development release stable principal desarrollo yarn npm pnpm bun pip uv poetry black ruff prettier biome eslint
    gzip zstd json yaml debug info warning error dark light utc
    """
)
"""Names that are written in small letters; any other word after "is" may be an adjective."""

SUBJECTS_NOT = _set(
    """
    took ran failed went came made got did was were said met saw found lost won paid bought spent felt had gave left
    i'd day days time times yesterday today thing something someone everything friend
    """
)
"""Words that tell of an event or of nothing in particular: no subject of a statement holds them."""

CONFIGURED = _set(
    """
    timeout ttl limit retention size maximum max minimum min threshold alarm interval delay quota cap pool default replicas workers
    retries concurrency batch budget depth width length height allowance limite maximo maxima minimo minima umbral alarma intervalo
    cuota plazo tamano defecto reintentos grenzwert intervall zeituberschreitung schwelle anzahl
    """
)
"""Nouns whose value is configured, so that it has one at a time."""

PLACES = _set("environment entorno umgebung url address host endpoint")
"""Nouns that an address is of, or that say no more than that."""

ENVIRONMENTS = _set(
    "production prod staging stage dev development test testing produccion pruebas desarrollo produktion"
)

LABELS = _set(
    """
    decision decided note update updated change fyi info reminder fact status memory observation discovery beschluss entscheidung hinweis
    decidido aviso cambio nota dato current currently now new correction bugfix configuration config setting settings
    """
)
"""Words of titles and openings that name the kind of a note and not what it is about."""
