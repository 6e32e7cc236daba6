"""Words around names, by which their types are told. All are folded: lower case, without accents."""

from strata.domain.entities.vocabulary import KIN
from strata.domain.facts.patterns.tables.words import word_set

TELLING = word_set(
    """
    says said say thinks thought asked asks told tells wants wanted likes liked hates hated loves loved calls called
    texted texts emailed wrote writes knows knew suggested suggests recommended recommends invited agreed agrees joined
    visited laughed cried sang smiled married divorced met feels felt promised forgot remembered believes hopes plays
    played cooks cooked teaches taught studies studied helped bought brought drove drives moved lives works worked
    surprised hugged swears snores walks beat won complained replied answered mentioned broke borrowed owes lent
    prefers can can't cannot could has had is was will would doesn't isn't wasn't didn't won't hasn't who whose got gets
    needs came comes went goes gave gives made makes takes took keeps kept started turned starts never always
    just finally
    dice dijo piensa cree quiere queria pidio conto cuenta llamo llama llega llego viene vino vive trabaja trabajaba
    odia ama sabe sabia recomendo recomienda invito acepto visito rio lloro canto caso casa prometio olvido recuerda
    juega jugo cocina cocino ensena enseno estudia estudio ayudo compro trajo maneja mudo gano respondio contesto
    menciono rompio debe presto prefiere puede podia tiene tenia esta estaba es era fue ha habia va se me te le nos les
    lo la ya no nunca siempre cumple regalo reemplaza dejo puso hizo salio perdio
    """
)
"""Words after a name that mostly follow the name of somebody."""
STRONG_TELLING = word_set(
    """
    says said thinks thought asked told wants wanted hates hated loves loved texted emailed wrote knows knew suggested
    recommended invited laughed cried sang smiled married divorced promised forgot believes snores swears complained
    replied mentioned borrowed owes prefers who
    dice dijo piensa cree quiere pidio conto llamo odia ama recomendo invito lloro canto prometio olvido
    """
)
"""Of these, the ones that say so by themselves."""

NAMING = word_set(
    "called named nicknamed llamado llamada llamados llamadas llama llamo llaman apodado apodada"
)
"""Words before a name that is given to somebody or something."""

COPULAS = word_set("is es era was are son 's")
AUXILIARY = word_set(
    """
    can can't cannot could has had is was will would doesn't isn't wasn't didn't won't hasn't never always just
    finally esta estaba es era fue ha habia va se me te le nos les lo la ya no nunca siempre puede podia tiene tenia debe
    """
)
"""Of these, the ones that follow anything."""
SAYING_ES = word_set(
    "dice dijo piensa cree quiere pidio conto pregunta pregunto llega llego viene vino venido cumple anos"
)
"""Verbs that stand before their subject in Spanish: "dice Amparo que"."""
SEVERAL = word_set("live lived moved came next invited")
ORIGIN = word_set("soy somos es eres son vengo viene venimos oriundo oriunda natural")
OWNED = KIN | word_set(
    "birthday wedding funeral baby house place flat party cumple cumpleanos boda bautizo funeral casa piso fiesta"
)
"""Words for what people have, after or before the name of somebody."""
ROOMS = word_set("legal hr accounting accounts sales work school finance marketing it next upstairs church")
"""Words after "from" that say from where one knows somebody."""
BRINGING = word_set("a take takes took taking bring brought")
PASSING = word_set("pasar paso pase pasamos pasando pasear viajar")
ENTERING = word_set("get gets got getting accepted")
RUNNING = word_set("run runs ran running bump bumps bumped bumping")
GOING = word_set("go goes went going")
"""Verbs before "into" and "by" and the name of somebody."""
HOUSEHOLDS = word_set("neighbours neighbors family familia vecinos")

CALL_ME = word_set("llamame llamenme digame diganme dime decime")
SELF = word_set("soy i'm im tal")
"""Words before the speaker's own name, or that of somebody hardly known ("una tal Loli")."""
NEAR = word_set("cerca lejos alrededores afueras")

INTO_PLACE = word_set(
    """
    in near visiting visit visited exploring explored touring across throughout outside toward towards via
    en cerca hasta visitar visite visitamos recorrer hacia
    """
)
"""Words before a place."""
MOVING = word_set(
    """
    go going went gone goes fly flying flew flight flights move moving moved relocating relocated trip travel
    travelling traveling travelled traveled drive driving drove train bus ferry commute tickets ticket ride road
    sailing sailed headed heading visa emigrated immigrated return returned returning back come came coming been
    route way directions drop retiring retired
    """
)
"""Words of movement, after which "to" leads to a place."""
MOVING_ES = word_set(
    """
    voy vas va vamos van ir fui fue fuimos irme irnos viajar viajo viaje vuelo vuelos mudo muda mude mudan mudamos mudar mudarme mudarnos mudanza
    ruta traslado traslade trasladaron pasaje pasajes pasamos cambiamos ferry barco llegue llegar llega llegamos volver volvi tren bus autobus avion billete billetes camino excursion escapada
    """
)
"""The same, before "a"."""
LIVING = word_set(
    """
    live lives living lived born raised based located grew stay staying stayed vive vivo vivia vivimos viven vivir nacio
    naci nacido nacida crecio creci criado criada mudarse reside
    """
)

WORKING = word_set(
    """
    work works working worked job jobs intern interning interned internship employed interview interviewing
    interviewed started teach teaches taught teaching manage manages joined join drive drives volunteer volunteering volunteered hired study studying studied career contract accepted admitted graduated enrolled trabajo
    contratado contratada contrataron aceptado aceptada
    trabaja trabajar trabajaba trabajamos trabajan trabaje entrevista empleo practicas becario becaria voluntario
    voluntaria contrato ficharon firme curro curra labura laburo laboro laboraba puesto clases ensayo doctorado estudio estudia estudiar entre empleada empleado
    """
)
CARING = word_set(
    """
    operan opera operaron operado operada ingresado ingresada ingreso urgencias quirofano surgery admitted hospitalised
    hospitalized er toco toca tocamos tocan cantamos drums bass guitar bajo bateria guitarra
    juego juega jugaba jugar bailo baila plays
    """
)
"""Words of hospitals and bands, before "in" and "en" and their name."""
DEALING = word_set(
    """
    charged charges hired fired sued refunded shipped delivered cancelled canceled billed rejected laid acquired
    announced launched overcharged published
    cobro cobra cobran cobrado contrato despidio cancelo devolvio reembolso publico
    """
)
"""Words after the name of a company."""
DEALT = word_set(
    """
    customer bought buy buys buying shopping booked reserved lunch dinner ate support invoice bill parcel package order ordered account subscription shares stock complaint refund
    results loan mortgage factura pedido paquete baja recibo reclamacion reclamar telefono beca seguro hipoteca
    prestamo cuenta cita socio sede oficinas
    """
)
"""Words before the name of a company, with "of", "from" or "with" between."""
USING = word_set(
    """
    use using used uses install installed installing download downloaded reading read reread rereading play playing
    played listening streaming finish finished app game book novel film movie show series song album podcast
    uso usa usar usamos usando instalar instale descargar leer leo lei leyendo jugar jugando juego
    escuchando escuchar libro novela pelicula serie cancion disco
    """
)
"""Words before the name of a program or a work."""
READING = word_set("reading read reread leer leo lei leyendo releyendo releer viendo vi ver")
ADDRESSING = word_set(
    """
    tell ask call email text thank message meet meeting met remind invite ring phone asked told called texted emailed
    let help helped helping saw seeing dating married marry trust owe paid beat hug miss blame babysit forgive
    conoci segun
    """
)
"""Words before the name of somebody."""
TO_SOMEBODY = word_set(
    """
    according thanks lend lent give gave given show showed owe sound write wrote note letter talk talked talking spoke speak spoken speaking reply married engaged listen apologise
    apologize said gift present introduce introduced explain
    """
)
"""Words before "to" and the name of somebody."""
TO_SOMEBODY_ES = word_set(
    """
    dije dijo dile digale diles digo dijimos pregunte preguntale pideselo pidele pedi avise avisa avisale avisar escribi
    escribe escribele llame llamo llamar cuentale conte contale mando mandale manda mande dale dar di dimos debo debe
    preste presto invite invito veo vemos vimos conozco encontre despedi felicita felicite saluda
    escribir escribirle decir decirle llamarle preguntar preguntarle avisarle escribo hablo contar contarle pedir
    pedirle conoci conocer vi ver visitar invitar ayudar felicitar regalar regalarle agradecer saludar recoger echo extrano
    quiero quiere cuidar esperar despertar
    """
)
"""The same, before "a"."""

_SOCIAL = word_set(
    """
    meet met meeting dinner lunch breakfast drinks coffee beer date dating play played chess football tennis walk hike climbing
    trip holiday live lives living broke fight fought argued argument party friends cross angry married engaged wedding sat
    cena comida cafe cerveza quede quedado quedamos sali salgo salir salimos hable hablado termine pelee discuti discutido
    bronca vivo vivia case casarse boda viaje excursion jugue jugar partido ceno comi cene bailar enfadado enojado
    """
)
TOGETHER = TO_SOMEBODY | TO_SOMEBODY_ES | _SOCIAL
"""Words of what is done together, before "with" and "con" and the name of somebody."""
SOFTWARE = word_set(
    """
    font fonts config compile plugin app dashboard column columns row rows cell cells formula spreadsheet chapter
    export import download update upload shortcut shortcuts install template track tracks pdf csv file files
    folder folders tab tabs menu screen equation equations bug login password sync backup query queries code
    editor document documents slides layer layers filter
    fuente columna columnas fila filas celda celdas exporta exportar exporto importar importo archivo archivos pestana
    pestanas plantilla referencias actualizacion descargar atajo
    """
)
"""Words of programs, around the name of one."""
TAKING = word_set("a an un una my mi este esta this unos unas")
"""Words before a product that somebody has."""

ARTICLES = word_set("the a an el la los las un una")
THE = word_set("the la el los las")
PREPOSITIONS = word_set(
    "in on at from en de desde to above below near beside behind by outside into opposite"
)
DEALING_WITH = word_set("at for by with from against to joined contra con para")
OF_PROGRAMS = word_set("in on en del al el the via with con for de from to")
"""Words before the name of a program."""
VETS = word_set("vet vets veterinario veterinaria")
