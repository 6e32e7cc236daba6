"""Words by which names and their types are told: titles, relatives, kinds. All are folded: lower case, without accents."""

from collections.abc import Mapping

from strata.domain.facts.languages import LANGUAGES
from strata.domain.facts.patterns.tables.words import NO_NAMES, TRADES, word_set
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
    woah whoa aww ouch anyways oof yikes yay gosh phew oops ugh uf uy caray jolin
    """
    )
) - word_set("mia sean")
"""Words that begin sentences and never name anything by themselves."""

TITLES = word_set(
    """
    mr mrs ms miss mx dr prof professor doctor sir lady lord dame father sister brother pastor rev reverend captain
    capt sgt sergeant councillor cllr inspector constable vicar rabbi imam ambassador judge senator president chef nurse detective colonel minister king queen prince princess saint coach uncle aunt auntie aunty great-aunt grandma
    grandpa granny nana cousin mister
    sr sra srta senor senora senorita don dona dra doctora profe profesor profesora maestro maestra catedratico
    catedratica padre sor fray tio tia abuelo abuela primo prima comadre compadre ingeniero licenciado licenciada
    gordo flaco
    capitan rey reina principe princesa presidente presidenta juez jueza
    """
)
"""Words before a name that are no part of it."""

EXCLAMATIONS = word_set(
    "aww awww yeah yea yes yep nope nah oh ah aw wow woah hey hi hello thanks okay ok sure congrats hola oye ay uy gracias bueno vale pues"
)
"""Words before somebody's name by which they are spoken to."""

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
        godparent babysitter nanny accountant lawyer hairdresser barber plumber guest host bandmate
        amigo amiga vecino vecina colega companero companera jefe jefa encargado encargada casero casera inquilino
        inquilina socio socia tutora director directora entrenador entrenadora alumno alumna cliente clienta
        paciente profe veterinario veterinaria nutricionista gestor gestora cardiologo cardiologa fisio psicologo psicologa dentista peluquero peluquera optician medico medica
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
    guinea pig pigs hen budgie
    dogs puppies cats kittens rabbits bunnies hamsters horses pets labrador retriever beagle poodle spaniel terrier collie husky
    corgi dachshund chihuahua rottweiler greyhound bulldog doodle perros perras gatos gatas mascota mascotas galgo podenco
    perro perra perrita perrito cachorro cachorra gato gata gatito gatita conejo coneja loro caballo yegua tortuga
    canario gallina
    """
)

PET_TALK = PETS | word_set(
    """
    pet pets pet's animal animals vet vets kennel leash paw paws purr purrs purring barks barked barking doggy doggie pups
    mutt hound kitties litter hedgehog guinea-pig
    mascota animal animales veterinario veterinaria correa maulla maullo ladra ladro ladrar ronronea perritos gatitos hamster
    hamsters cachorros loros conejos
    """
)
"""Words that tell that a text speaks of animals at home."""

ORGANIZATIONS = word_set(
    """
    university college school academy institute institution primary nursery kindergarten bank hospital clinic surgery
    society association foundation club union orchestra choir philharmonic ensemble band ministry department council
    committee commission agency bureau office parliament senate court police company corporation group holdings
    partners bakery restaurant trattoria osteria pizzeria bistro brasserie cafe coffee diner bar pub arms inn tavern
    deli grill bookshop bookstore pharmacy gym studio studios salon brewery charity trust church fc united rovers
    athletic times gazette herald tribune chronicle news magazine press publishers records airlines airways railway
    insurance motors labs laboratories technologies systems software solutions consulting logistics pharma shelter
    fitness freight farms payments foods energy media digital ventures capital bros brothers sons prep
    high mail express transport shipping optics opticians veterinary service services network radio team squad
    hospice winery boutique creche preschool playgroup federation alliance guild league collective co-op cooperative tailors jewellers
    eyewear grocery supermarket garage plumbing roofing builders kitchens butchers cleaners florist barbers nails cabs taxis
    couriers removals lettings realty dentists vets daycare
    rescue rangers dental physiotherapy chambers inc ltd llc plc corp gmbh
    universidad facultad instituto colegio escuela academia conservatorio banco caja clinica sociedad
    asociacion fundacion sindicato orquesta coro banda ministerio consejeria departamento agencia ayuntamiento
    diputacion juzgado tribunal empresa grupo panaderia restaurante taberna meson cafeteria bodega libreria farmacia
    gimnasio peluqueria editorial periodico diario revista aerolineas seguros laboratorios iglesia parroquia
    deportivo atletico guarderia residencia consultorio cooperativa peña fontaneria carpinteria ferreteria muebles talleres autoescuela optica zapateria carniceria pescaderia fruteria
    sanatorio constructora consultora distribuidora aseguradora maternidad liceo vivero imprenta cerveceria barberia merceria
    papeleria joyeria federacion
    floristeria tintoreria lavanderia heladeria churreria pasteleria hostal posada casa inmobiliaria notaria gestoria bufete despacho clinico transportes
    """.replace("peña", "pena")
)
"""Kinds that are part of an organization's name."""

PLACES = word_set(
    """
    street road avenue lane drive boulevard square park gardens garden station airport river lake mount mountain mountains hill
    hills island islands isle valley beach bay harbour harbor port bridge castle palace tower cathedral museum gallery hall
    stadium arena theatre theater plaza mall market forest woods canyon falls desert peninsula coast reservoir trail
    reserve heights towers quarter path walk circus crescent terrace gate common row mews quay docks wharf pier downs
    moor loch glen cove retail precinct village county district borough province
    calle avenida avda av paseo plazuela camino carretera ronda travesia callejon parque jardin jardines
    estacion aeropuerto rio lago monte montana pico sierra isla islas valle playa bahia puerto puente castillo
    palacio torre catedral museo galeria estadio teatro mercado bosque desierto cabo golfo barrio colonia pueblo
    provincia glorieta rambla puerta fuente pasaje alameda malecon costanera mirador ermita monasterio faro
    grove creek ridge springs cliffs lighthouse zoo aquarium abbey manor hollow marsh
    embalse pantano cala ria
    """
)
"""Kinds that are part of a place's name."""

EVENTS = word_set(
    """
    festival fest fair marathon half-marathon triathlon ironman conference summit expo convention congress symposium
    championship championships tournament cup olympics games derby regatta carnival parade gala awards
    hackathon meetup race prix prom rally biennale
    feria maraton triatlon congreso conferencia cumbre exposicion convencion simposio campeonato torneo copa
    olimpiadas juegos semana noche vuelta trofeo carnaval desfile premios carrera bienal encuentro jornadas romeria fiestas
    """
)
"""Kinds that are part of an event's name."""

THINGS = word_set("project proyecto operation operacion programa")
"""Kinds that are part of the name of something else."""

SURNAMES = word_set(
    "hall church park hill hills lane woods bush banks price rivers castle bishop fair press forest studio grill bridge "
    "fields coast trust tower rio torre plaza castillo valle puente prado montana cruz puerto iglesia"
)
"""Kinds that are surnames, too."""
LEADING = word_set(
    "talleres muebles transportes seguros laboratorios industrias juegos fiestas jornadas aerolineas "
    "mount lake project operation cafe club trattoria osteria pizzeria restaurant bar camp port fort hotel bistro brasserie"
)
"""Kinds that are the first word of an English name."""
TRAILING = word_set(
    "school band choir association organisation foundation institution corporation press union garden museum "
    "mountain canyon valley square road island festival fair championship tournament open convention court street media"
)
"""English kinds that are the last word of a name."""

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
        buddha bible biblia internet web wi-fi wifi bluetooth tv dvd cd pc api html json xml sql yaml iva ok pm am
        ceo cto cfo coo hr it pr vp phd mba gdp faq pdf csv url http https rgb usb gps atm diy asap
        lgbt bbq covid covid-19 corona flu parkinson's alzheimer's alzheimer parkinson caesar
        north south east west northern southern eastern western norte sur este oeste european american british
        hispanic latino latina latin asian african mediterranean arctic atlantic pacific euro euros dollars
        congrats yoga pilates zumba jazz rock pop blues reggae opera box type part chapter page section step level day
        week phase stage version model room unit appendix figure table item question clause article option plan team
        venus mars jupiter saturn mercury neptune uranus pluto moon earth sun marte saturno mercurio neptuno luna
        tierra sol polaris secret republic boxing veterans cuaresma adviento ma mam mammy nan nanna pa yaya
        abue methodist lutheran baptist presbyterian anglican evangelical jew swede swedes dane danes finn finns scot scots
        contabilidad finanzas ventas compras administracion gerencia facturacion payroll procurement facilities finance marketing
        englishman englishmen frenchman irishman welshman dutchman labrador poodle beagle dachshund chihuahua husky rottweiler siamese mastin galgo podenco caniche decimal float string integer boolean none null class object array dict exception error capitulo pagina parte paso nivel fase seccion dia modelo
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
"""Words for things that are named after somebody or somewhere; they follow the name."""
NAMED_AFTER = word_set(
    """
    jamon queso salsa ensalada vino aceite tortilla cafe te pan ternera cordero sidra bata perro raza ley sindrome
    enfermedad principio
    """
)
"""The same in Spanish, before the name."""

JOINERS = word_set(
    "of the and & for in on to a an at with or de del la las los el y para en un una con do da du des et"
)
"""Words in lower case inside titles."""

SUFFIXES = word_set("inc ltd llc plc corp gmbh sa sl slu srl co ag bv")

KINDS: Mapping[str, frozenset[str]] = {
    "ENGLISH": ENGLISH,
    "EVENTS": EVENTS,
    "FOOD": FOOD,
    "FUNCTION": FUNCTION,
    "FILLERS": FILLERS,
    "GREETINGS": GREETINGS,
    "JOINERS": JOINERS,
    "KIN": KIN,
    "LANGUAGES": LANGUAGES,
    "LEADING": LEADING,
    "NAMED_AFTER": NAMED_AFTER,
    "NEVER": NEVER,
    "NO_NAMES": NO_NAMES,
    "NUMBERS": NUMBERS,
    "OF_THING": OF_THING,
    "ORGANIZATIONS": ORGANIZATIONS,
    "PETS": PETS,
    "PLACES": PLACES,
    "POSSESSIVES": POSSESSIVES,
    "REACTIONS": REACTIONS,
    "ROLES": ROLES,
    "SPANISH": SPANISH,
    "SUFFIXES": SUFFIXES,
    "SURNAMES": SURNAMES,
    "TALK": TALK,
    "THINGS": THINGS,
    "TIMES": TIMES,
    "TITLES": TITLES,
    "TRADES": TRADES,
    "TRAILING": TRAILING,
}
"""These words by the name of their kind, as clues tell it."""
