"""Words by which names and their types are told: titles, relatives, kinds, cues, and well-known names.

All are folded: lower case, without accents. Lists of first names and places, which are longer, are in `lists/`; NOTICE says
where they come from.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from strata.domain.entities.shapes import EntityType
from strata.domain.facts.languages import LANGUAGES
from strata.domain.facts.patterns.tables.words import NO_NAMES, TOWNS, TRADES, word_set
from strata.domain.relevance.small_talk import FILLERS as TALK
from strata.domain.relevance.small_talk import GREETINGS, REACTIONS
from strata.domain.supersession.vocabulary import NUMBERS, TIMES
from strata.domain.text.stop_words import ENGLISH, FILLERS, SPANISH

FUNCTION = (
    ENGLISH
    | SPANISH
    | FILLERS
    | GREETINGS
    | REACTIONS
    | TALK
    | TIMES
    | NUMBERS
    | word_set(
        """
    i'm i've i'd i'll im ive we're we've we'd you're they're they've it'd he'd she'd let's who've no one no-one
    everybody nobody somebody anybody everyone nothing al con sin tras segun junto ojala ni
    """
    )
)
"""Words that begin sentences and never name anything by themselves."""

DAYS = TIMES
"""Days and months, which end a name."""

TITLES = word_set(
    """
    mr mrs ms miss mx dr prof professor doctor sir lady lord dame father sister brother pastor rev reverend captain
    capt sgt sergeant judge senator president king queen prince princess saint coach uncle aunt auntie aunty grandma
    grandpa granny nana cousin mister
    sr sra srta senor senora senorita don dona dra doctora profe profesor profesora maestro maestra catedratico
    catedratica padre sor fray tio tia abuelo abuela primo prima comadre compadre ingeniero licenciado licenciada
    capitan rey reina principe princesa presidente presidenta juez jueza
    """
)
"""Words before a name that are no part of it."""

KIN = word_set(
    """
    mother mom mum mama father dad papa parent brother sister sibling twin son daughter kid child baby husband wife
    spouse partner fiance fiancee boyfriend girlfriend bf gf ex uncle aunt auntie cousin nephew niece grandma grandpa
    grandmother grandfather gran granddad grandson granddaughter stepmother stepfather stepmom stepdad stepson
    stepdaughter stepbrother stepsister godmother godfather godson goddaughter mother-in-law father-in-law
    brother-in-law sister-in-law
    madre padre hermano hermana hijo hija marido esposo esposa mujer pareja novio novia prometido prometida tio tia
    primo prima sobrino sobrina abuelo abuela abu nieto nieta suegro suegra cunado cunada yerno nuera padrino madrina
    ahijado ahijada hermanastro hermanastra padrastro madrastra mellizo melliza gemelo gemela
    """
)
"""Words for relatives."""

ROLES = (
    KIN
    | word_set(
        """
        friend bestie buddy pal mate neighbour neighbor colleague coworker co-worker workmate boss manager supervisor lead
        roommate flatmate housemate classmate teammate landlord landlady tenant mentor mentee tutor coach trainer
        assistant intern client customer patient student pupil vet physio successor predecessor co-founder cofounder
        godparent babysitter nanny accountant lawyer hairdresser barber plumber successor guest host bandmate
        amigo amiga vecino vecina colega companero companera jefe jefa encargado encargada casero casera inquilino
        inquilina socio socia tutor tutora director directora entrenador entrenadora alumno alumna cliente clienta
        paciente profe fisio psicologo psicologa dentista peluquero peluquera medico medica
        """
    )
    | (TRADES - word_set("tv admin minister guard guide general"))
)
"""Words for who somebody is to the speaker."""

POSSESSIVES = word_set("my our his her their your mi mis nuestro nuestra tu tus su sus")
"""Words by which somebody is said to be whose."""

PETS = word_set(
    """
    dog puppy pup cat kitten kitty rabbit bunny hamster parrot horse pony tortoise turtle goldfish lizard gecko ferret
    guinea pig hen budgie
    perro perra perrita perrito cachorro cachorra gato gata gatito gatita conejo coneja loro caballo yegua tortuga
    hamster canario gallina
    """
)

ORGANIZATIONS = word_set(
    """
    university college school academy institute institution primary nursery kindergarten bank hospital clinic surgery
    society association foundation club union orchestra choir philharmonic ensemble band ministry department council
    committee commission agency bureau office parliament senate court police company corporation group holdings
    partners bakery restaurant trattoria osteria pizzeria bistro brasserie cafe coffee diner bar pub arms inn tavern
    deli grill bookshop bookstore pharmacy gym studio studios salon brewery charity trust church fc united rovers
    athletic times gazette herald tribune chronicle news magazine press publishers records airlines airways railway
    insurance motors labs laboratories technologies systems software solutions consulting logistics pharma shelter
    rescue rangers dental physiotherapy chambers inc ltd llc plc corp gmbh
    universidad facultad instituto colegio escuela academia conservatorio banco caja hospital clinica sociedad
    asociacion fundacion sindicato orquesta coro banda ministerio consejeria departamento agencia ayuntamiento
    diputacion juzgado tribunal empresa grupo panaderia restaurante taberna meson cafeteria bodega libreria farmacia
    gimnasio peluqueria editorial periodico diario revista aerolineas seguros laboratorios iglesia parroquia club
    deportivo atletico guarderia residencia consultorio cooperativa peña inmobiliaria notaria gestoria
    """.replace("peña", "pena")
)
"""Kinds that are part of an organization's name."""

PLACES = word_set(
    """
    street road avenue lane drive boulevard square park gardens garden station airport river lake mount mountain mountains hill
    hills island islands isle valley beach bay harbour harbor port bridge castle palace tower cathedral museum gallery hall
    stadium arena theatre theater plaza mall market forest woods canyon falls desert peninsula coast reservoir trail
    reserve heights quarter village county district borough province
    calle avenida avda av paseo plaza plazuela camino carretera ronda travesia callejon parque jardin jardines
    estacion aeropuerto rio lago monte montana pico sierra isla islas valle playa bahia puerto puente castillo
    palacio torre catedral museo galeria estadio teatro mercado bosque desierto cabo golfo barrio colonia pueblo
    provincia glorieta rambla
    """
)
"""Kinds that are part of a place's name."""

EVENTS = word_set(
    """
    festival fest fair marathon half-marathon triathlon ironman conference summit expo convention congress symposium
    championship championships championsip tournament cup open olympics games derby regatta carnival parade gala awards
    hackathon meetup race prix prom rally biennale
    feria maraton triatlon congreso conferencia cumbre exposicion convencion simposio campeonato torneo copa
    olimpiadas juegos carnaval desfile gala premios carrera bienal encuentro jornadas romeria fiestas san fermines
    """
) - frozenset(("open", "san"))
"""Kinds that are part of an event's name."""

THINGS = word_set("project proyecto operation operacion programa")
"""Kinds that are part of the name of something else."""

KINDS: dict[EntityType, frozenset[str]] = {
    "event": EVENTS,
    "organization": ORGANIZATIONS,
    "place": PLACES,
    "thing": THINGS,
}
"""Kinds that are part of a name, by its type."""

OF_THING = word_set(
    """
    book novel film movie show series song album game videogame podcast app application tool library framework painting
    libro novela pelicula serie cancion disco juego videojuego aplicacion herramienta cuadro obra manga comic anime
    """
)
"""Words before the name of a work or a program, with or without "called"."""

NEVER = (
    TIMES
    | LANGUAGES
    | (NO_NAMES - word_set("santiago bond java sofia cancer leo virgo aries rose"))
    | word_set(
        """
        i mum mom dad mama papa mother father grandma grandpa granny grandad granddad nana abuela abuelo mami papi abu
        christmas xmas easter halloween thanksgiving hanukkah ramadan diwali eid lent passover valentine valentine's
        navidad nochebuena nochevieja pascua reyes carnaval semana santa god gods lord jesus christ dios virgen allah
        buddha bible biblia internet web wi-fi wifi bluetooth tv dvd cd pc api html json xml sql yaml iva ok pm am usa-dollar
        ceo cto cfo coo hr it pr vp phd mba gdp faq pdf csv url http https rgb usb gps atm diy rsvp asap fyi tbd tldr
        lgbt lgbtq lgbtq+ bbq eu-wide covid covid-19 corona flu parkinson's alzheimer's alzheimer parkinson caesar
        north south east west northern southern eastern western norte sur este oeste european american british
        hispanic latino latina latin asian african mediterranean arctic atlantic pacific euro euros dollar dollars
        congrats yoga pilates zumba jazz rock pop blues reggae opera box type part chapter page section step level day
        week phase stage version model room unit appendix figure table item question clause article option plan team
        capitulo pagina parte paso nivel fase seccion semana dia modelo
        """
    )
) - word_set("linux mac apple google microsoft android ios windows system")
"""Words that have a capital without being the name of one of the five types."""

FOOD = word_set(
    """
    salad sauce steak pie cake bread cheese burger pudding beef chicken wine tea coffee curry soup salsa dressing wrap
    sausage toast sandwich noodles vinegar mustard breakfast terrier shepherd retriever spaniel collie setter bulldog
    mastiff pinscher hound accent law syndrome disease pass cuisine food restaurant style
    """
)
"""What is named after somebody or somewhere, after its name."""
NAMED_AFTER = word_set(
    """
    jamon queso salsa ensalada vino aceite tortilla cafe te pan ternera cordero sidra bata perro raza ley sindrome
    enfermedad principio
    """
)
"""The same in Spanish, before the name."""

TELLING = word_set(
    """
    says said say thinks thought asked asks told tells wants wanted likes liked hates hated loves loved calls called
    texted texts emailed wrote writes knows knew suggested suggests recommended recommends invited agreed agrees joined
    visited laughed cried sang smiled married divorced met feels felt promised forgot remembered believes hopes plays
    played cooks cooked teaches taught studies studied helped bought brought drove drives moved lives works worked
    loves surprised hugged swears snores walks beat won complained replied answered mentioned broke borrowed owes lent
    prefers can can't cannot could has had is was will would doesn't isn't wasn't didn't won't hasn't who whose got gets
    needs came comes went goes gave gives made makes takes took keeps kept started turned will'll starts never always
    just finally
    dice dijo piensa cree quiere queria pidio conto cuenta llamo llama llega llego viene vino vive trabaja trabajaba
    odia ama sabe sabia recomendo recomienda invito acepto visito rio lloro canto caso casa prometio olvido recuerda
    juega jugo cocina cocino ensena enseno estudia estudio ayudo compro trajo maneja mudo gano respondio contesto
    menciono rompio debe presto prefiere puede podia tiene tenia esta estaba es era fue ha habia va se me te le nos les
    lo la ya no nunca siempre cumple regalo dejo puso hizo salio perdio reemplaza
    """
)
"""Words after a name that mostly follow the name of somebody."""
STRONG_TELLING = word_set(
    """
    says said thinks thought asked told wants wanted hates hated loves loved texted emailed wrote knows knew suggested
    recommended invited laughed cried sang smiled married divorced promised forgot believes snores swears complained
    replied mentioned borrowed owes prefers who
    dice dijo piensa cree quiere pidio conto llamo odia ama recomendo invito lloro canto prometio olvido ronco durmio
    """
)
"""Of these, the ones that say so by themselves."""

NAMING = word_set(
    "called named nicknamed llamado llamada llamados llamadas llama llamo llaman apodado apodada"
)
"""Words before a name that is given to somebody or something."""

COPULAS = word_set("is es era was are son 's")
SELF = word_set("soy i'm im tal")
"""Words before the speaker's own name, or that of somebody hardly known ("una tal Loli")."""
NEAR = word_set("cerca lejos alrededores afueras")

INTO_PLACE = word_set(
    """
    in near visiting visit visited exploring explored touring across throughout outside toward towards via
    en cerca visitar visite visitamos recorrer hacia
    """
)
"""Words before a place."""
MOVING = word_set(
    """
    go going went gone goes fly flying flew flight flights move moving moved relocating relocated trip travel
    travelling traveling travelled traveled drive driving drove train bus ferry commute tickets ticket ride road
    sailing sailed headed heading visa emigrated immigrated return returned returning back come came coming been
    voy vas va vamos van ir fui fue fuimos irme irnos viajar viajo viaje vuelo vuelos mudo muda mude mudo mudan mudamos mudar mudarme mudarnos mudanza
    llegue llegar llega llegamos volver volvi tren bus autobus avion billete billetes camino excursion escapada traslado
    """
)
"""Words of movement, after which "to" and "a" lead to a place."""
LIVING = word_set(
    """
    live lives living lived born raised based located grew stay staying stayed vive vivo vivia vivimos viven vivir nacio
    naci nacido nacida crecio creci criado criada mudarse reside
    """
)

WORKING = word_set(
    """
    work works working worked job jobs intern interning interned internship employed interview interviewing
    interviewed started volunteer volunteering volunteered hired study studying studied career contract trabajo
    trabaja trabajar trabajaba trabajamos trabajan trabaje entrevista empleo practicas becario becaria voluntario
    voluntaria contrato ficharon fiche fichado estudio estudia estudiar entre empleada empleado
    """
)
CARING = word_set(
    """
    operan opera operaron operado operada ingresado ingresada ingreso urgencias quirofano surgery admitted hospitalised
    hospitalized er toco toca tocamos tocan cantamos bass drums guitar bajo bateria guitarra
    """
)
"""Words of hospitals and bands, before "in" and "en" and their name."""
DEALING = word_set(
    """
    charged charges hired fired sued refunded shipped delivered cancelled canceled billed rejected laid acquired
    announced launched overcharged published ran
    cobro cobra cobran cobrado contrato despidio cancelo devolvio reembolso publico
    """
)
"""Words after the name of a company."""
DEALT = word_set(
    """
    customer support invoice bill parcel package order ordered account subscription shares stock complaint refund
    results loan mortgage factura pedido paquete baja recibo reclamacion reclamar telefono beca seguro hipoteca
    prestamo cuenta cita socio sede oficinas
    """
)
"""Words before the name of a company, with "of", "from" or "with" between."""
USING = word_set(
    """
    use using used uses install installed installing download downloaded reading read reread rereading play playing played listening streaming finish finished app game book novel film movie show series song album podcast
    uso usa usar usamos usando instalar instale descargar leer leo lei leyendo jugar jugando juego
    escuchando escuchar libro novela pelicula serie cancion disco
    """
)
"""Words before the name of a program or a work."""
READING = word_set("reading read reread leer leo lei leyendo releyendo releer viendo vi ver")
ADDRESSING = word_set(
    """
    tell ask call email text thank message meet meeting met remind invite ring phone with
    conoci con
    """
)
"""Words before the name of somebody."""
TO_SOMEBODY = word_set(
    """
    write wrote note letter talk talked talking spoke speak spoken speaking reply married engaged listen apologise
    apologize said gift present introduce introduced explain
    escribir escribirle decir decirle llamar llamarle llame preguntar preguntarle avisar avisarle contar contarle pedir
    pedirle conoci conocer vi ver visitar invitar ayudar felicitar regalar regalarle agradecer saludar recoger echo
    extrano quiero quiere cuidar esperar despertar
    """
)
"""Words before "to" or "a" and the name of somebody."""

JOINERS = word_set(
    "of the and & for in on to a an at with or de del la las los el y para en un una con do da du des et"
)
"""Words in lower case inside titles."""

SUFFIXES = word_set("inc ltd llc plc corp gmbh sa sl slu srl co ag bv")


_NICKNAMES = word_set(
    """
    fede pepe paco nacho lola pili charo quique kike javi rafa dani santi tere mari maite manolo nando nico guille gabi
    edu isa chus chelo conchi merche mercedes pedrito juanjo juanma josema luismi chuy beto lupe memo toño beto lalo
    quico xavi jordi ferran oriol pau aitor iker ane nerea unai gorka ainhoa begona josu maialen ximena nahuel lautaro
    chidi ngozi priya arjun raj anika amir omar fatima aisha yusuf mehmet ali wei mei jin yuki hiro kenji sakura
    siobhan niamh aoife saoirse oisin cian sian ffion dafydd bilal mo zaid tariq noor leila layla
    """.replace("toño", "tono")
)


NAMES_TOO = word_set(
    """
    abril alma amor angel april art august autumn baby banks bienvenida bonita boss brook campo cara caro case cena chance
    chase che cherish cielo clay comfort cool creed dale del destiny diamond doctor dolores don early else ella era esperanza
    esta ever faith fancy fe fern fiel flor floor forest french friend general german glory gracia grace grant green grit guy
    hall happy harmony haven heaven holly honey honor hope hoy hunter hymn ivory jade jewel job journey joy judge june kick
    king lady les less liberty liz little long lot love lucky luna luz major male mar margarita marina mark marley marry
    marvel mason may mayo media melody mercy merry mil mira misty monte nada nieves page paisley par patience paz peace
    pearl pero phoenix piedad pilar pink precious press price prince princess queen rain ray reason red reed remedios rice
    rich river robin rock rocio rock roll rosa rosario rose royal ruby rush said sage sal salud salvador santo scarlet
    segundo serenity shadow sincere sister skip sky sol soledad son spring star sterling stone storm sugar summer sunday
    sunny tea till tiny trinity true una uno val van vera victor vida violet viva wash will willow winter wise wolf worth
    young virtudes amparo angustias candelaria concepcion consuelo dulce encarnacion gloria milagros rayo socorro bruno
    almond ginger basil olive pepper sage rosemary daisy iris jasmine lily heather hazel ivy poppy
    """
) - word_set("liz fe bruno victor rosa margarita marina salvador")
"""First names that are mostly words."""


@cache
def first_names() -> frozenset[str]:
    """First names, without words that mean something else mostly."""
    return (_list("first_names") | _list("rare_first_names") | _NICKNAMES) - FUNCTION - TITLES


@cache
def common_names() -> frozenset[str]:
    """First names that are not so rare that the word may well mean something else."""
    return first_names() - _list("rare_first_names")


@cache
def places() -> frozenset[str]:
    """Countries, states and cities, in English and Spanish."""
    return (_list("places") | TOWNS) - (FUNCTION - word_set("nice"))


@cache
def known_names() -> Mapping[str, EntityType]:
    """Well-known names that are neither people nor places, with the type that they have mostly."""
    return {name: kind for kind in _KINDS_OF_LISTS for name in _list(f"{kind}s")}


_KINDS_OF_LISTS: tuple[EntityType, ...] = ("organization", "thing", "event")


def _list(name: str) -> frozenset[str]:
    return frozenset((files(__package__) / "lists" / f"{name}.txt").read_text("ascii").splitlines())
