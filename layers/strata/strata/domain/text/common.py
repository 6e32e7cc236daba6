"""Common words of what people tell an assistant: whoever they are, they ask, buy, lose, pay and have relatives.

A word is here if it is a verb, an adjective or a vague noun that many people use, whatever occupies them. Nouns
that name a subject ("coffee", "train") are not, however common.
"""

from functools import cache

from Stemmer import Stemmer

from strata.domain.text.folding import fold
from strata.domain.text.stop_words import ENGLISH, SPANISH

_ENGLISH = """
    act track ton rock chase drive fan effect view scary escape root build closer success courage compassion gratitude summer
    recommendation transition identity process result source sense power energy passion purpose motivation balance strength
    pic photo picture surround lucky intense path individual sometime organization mean hear friendship activity bond adventure platform inspiration lovely electric awesome vibe serenity peace journey opportunity experience chance goal progress
    absolutely accept acceptance actual add advice afford afternoon ages ago agree alive allowed
    alone amazing amount angry answer anymore apart apparently appear apply arm arrive ask asked
    asking attempt aunt available avoid away awful baby back bad balance ban bank base beat begin
    behave believe believing belong bet better big bigger bio bit blame blast bonus boost boring
    boss bother bottom bought box boy brave break bright bring brings broke broken brother busy
    calling calm calming came cancel card care carry case catch cause celebrate challenges chance
    changed charge chat cheap check cheer child chill choose cleaning clear clever clients close
    closed cold colleague collect colors colour comfort common compare complain complete confidence
    connect consider contact convert convince copies corner correct cost could count couple cousin
    cover crack crazy creating creative crying current currently customers cute cuts dad damn dare
    dark date daughter day deal decent decide dedication deep definitely deliver describe deserve
    determined died difference different difficult dirty discovering doctor doubt draft dream
    dropped dry due early earn easy eat effort eight eleven else email emotions empty encouragement
    end ended energy enjoy enough equal especially evening event exactly except excited excuse
    expect expensive experience explain explore express extra eye face faces fact fail fair fall
    fancy far fast father fault favorite feed feel feels felt few fifteen fifth fifty fight figure
    fill final finally find finding fine finger finished first fit flat floor focused fold folk
    folks follow forget form forty forward fourth frame free fresh friend friends front fulfilling
    full fun funeral funny future gave general gentle girl giving goals gone good gorgeous gosh grab
    grateful great green growing guess guy half halls hand handle hang happen happening happiness
    hard hate head hearing heart heavy help helps hide high hit hold hole honest hoping hot hour
    huge hundred hurry hurt husband idea ideas ignore imagine impact important impossible impressive
    improve include incredible inside inspiring instead interesting inviting issue job join jokes
    journey joy jump keen keep keeping key kick kid killing kind kindness knock know knowing lady
    landlord large last late lately laugh lay lead lean learning leave left legal less let letter
    level lie life lift light like liked limits lines list listen little live lives local logo long
    look loose lose lost loud loved low luck mad mail main make man manage many mark marrying match
    mate matter mean means meeting memories mental mention message met middle might mile million
    mind mine miss mistake mix mom moment moments money month mood morning mostly mother motivated
    mouth move moved much mum name near nearly neat need neighbor neighbour nephew new news nice
    night nine nobody noise normal note nothing noticed number odd offer offering old once ones open
    opening options ordinary original outside own pack paid pain pair paper part party pass passion
    past pay paying peace people percent perfect perhaps person personal phone pick piece pink place
    places plain plan playing plenty plural plus point polite poor positive possible post posted
    potential pound powerful prefer present press pretty price private probably problem progress
    project promise promising proper properly proud pull push pushing put putting quarter question
    quick quiet quit quite quote rain raise random reach read ready real realize reason recently
    recorded red regret regular relationships relax rely remember remind remove rent repeat replace
    reply report request resilience rest result results retired return rewarding rich ride right
    ring rise risks road rolls room rough round rude rule sad safe said same save saw say scared
    second secret seeing sell selling send sending sense sentence separate serious set settle seven
    several shake shame shape share sharp shock short should show showed shut sick side sign silent
    silly simple since single sister sitting six sixteen sixty size skills skip sleep slow small
    smart smell smile soft sold somebody somehow son sorry sort sound spare speak speaking special
    spending split spoil spot spreading staff stand stands start starting state stay staying steal
    step stick still stoked stop store stories storm story straight strange streets strength stress
    strong struggles stuck stuff stupid style suggest suit support suppose sure surprise survives
    swears sweet switch take talent talk talked tall tell tempt ten terrible test thank thankful
    theirs thick thin thing think thinking third thirteen thirty though thousand thrilled throw tidy
    tie tight til till tips tired title together tomorrow tonight tool top total touch touching
    tough toward town traded translate treat tried trouble true truly trust try turn twelve twenty
    twice type ugly uncle understanding unless updated upset useful usual value values vibes visit
    wake walk walking want warm warn waste watching water way weak wear weird welcome well wet
    whatever while white whole wide wife wild win wish woman wonder word work worry worse worst
    worth would wrap write writing wrong year yellow yesterday young zero
    """

_SPANISH = """
    traigo traje pongo puse salgo vengo vine digo dije pido pidio pidieron duermo juego puedo sirvo quepo huelo vuelvo encuentro cuelgo
    muerdo siento miento cierro empiezo pienso tropiezo hicieron hizo hice quiso supe supo tuve tuvo anduve cupo trajo trajeron fui fue
    abrir abuelo aburrida aca acabar aceptar acordar acostar adelante afuera agarrar aguantar
    aguante alcanzar alguien alli allá alto amable amigo ando anotar antes apagar aparecer aprender
    apuntar apurar armame arranca arrancar arreglar arriba asunto aunque avisar aviso ayer ayudar
    año años baja bajar barato bastante bien bonito borrar breve brindis broma buscando buscar cabe
    caber caer calentar caliente calle cambiar cambie caminar campo cansar cantaba cargando caro
    casi centro cerca cerrados cerrar che chica chico cita claro clases cliente cobra cobrar coger
    colgar colocar comer como companera compañero compre común conmigo conocer conseguir contacte
    contar contesta contestar contrata contratar convencer convenir copiar corregir correo correr
    cortar corto cosa costar creemos creer cual cuando cuanto cuarto cuenta cuento cuesta cuidar
    cumple cumplir cunado cura cuál cuánta cuánto cuñado cómo dame dar deber debo decidir decime
    decir decirlo dejar deje demasiado dentro desde despertar después diario diez diferencia difícil
    dime dinero directo doble doctor doler domingo dormir dudar duena dura durar duro día dígame
    dónde echar edad elegante elegir empezar encargar encontrar enojar enorme enseno enseñar
    entender entonces entrar entregar entregaron enviar equivocar escoger esconder escribir escuchar
    esperar esposa esposo esquina estar estudia exacto excusas existe existir explicar explico falta
    faltar favor fecha feliz feo final firmar firme flojo fondo formal frase frio frío fuerte
    funcionar fácil ganar gano gastados gastar gente girar gracia grado gran grande gratis gritar
    grupo guarda guardar gusta gustar haber hablan hablar hacer harto hasta hay hazme hecho hermana
    hermano hija hijo hoja hola hombre hora hoy ideas igual imaginar importar incluir insulto
    intentar inventar invento invitacion jefa jefe jubilo jueves juntar junto jura jurar justo kilo
    lado largo lavar leer legal lejos lento letra levantar ligero limpiar listo llamar llegar llego
    llena llenar lleno llevar llevo llorar lucas lugar lunes madre malo mama manda mandar manejo
    manera marcar marido martes matar mato mayor mañana media medio mejor menor menos mensaje mentir
    mes meter meto mide miedo mil minuto mirar miro mismo mitad mito miércoles mojar molestar
    momento montar morir mostrar mover mucho mudamos mudar muerto mujer mundo nace nacer nada nadie
    necesitar negro niña niño noche nombre nota novia novio nuevo nunca número ocupar odia odiar
    ofrecer oler olvidar opinar orden otro oír padre pagan pagar palabra papa parar parecer parte
    partir pasame pasar pase pedido pedir pegar pegue pelear pelo pensar peor pequeño perder
    perdidas perdonar perfecto persona pesa pesado pesar picar pide pila poco poder poner posible
    postearlo preferir pregunta preguntar preguntas preparar presentar presento prestar prima primer
    primero primo prisa probar problema profe prometer pronto propio prueba próximo pueda puede
    puedo puesto punto puro pusieron pásame quedar quedo quejar querer quitar quito qué rabia raro
    rato razón real recibir reciente recién recoger recomendar recomiéndame recordar redacta
    redactar regalar rehacé renglones renglón repetir resolver responder resto resumir retar revisar
    rico romper saber sacar saco sale salir saltar saludo santo secar seguir segundo seguro semana
    sencillo senora sentar sentir ser sera serio servir señor señora siempre significar siguiente
    sitio sobra sobrar sobre sobrina sobrino sola solo sonar sonreír sube subir suegra suegro suelto
    suena suerte sufrir sumar suponer sura sábado tamaño tapar tardar tarde temblar temprano tener
    terminar tiempo tio tipo tirame tirar toca tocar todo toma tomar tonto trabajar traducido
    traducir trae traer tranquilo tratan tratar triste tía tío título usar uso vaciar valer vecina
    vecino vende vender vendi venir ver verda verdad version vez vieja viejo viernes vivir vivo
    volver volviendo ya último único
    """

_STEMMERS = (Stemmer("english", 0), Stemmer("spanish", 0))


def is_spanish(words: list[str]) -> bool:
    """Whether more of these folded words are function words of Spanish than of English."""
    return sum(word in SPANISH for word in words) > sum(word in ENGLISH for word in words)


def stem(word: str, *, spanish: bool) -> str:
    """The stem of a folded word."""
    return str(_STEMMERS[spanish].stemWord(word))


def is_common(word: str, *, spanish: bool) -> bool:
    """Whether a folded word is a form of one of these."""
    return stem(word, spanish=spanish) in _stems()[spanish]


@cache
def everyday_words() -> frozenset[str]:
    """These words, folded, as they stand here."""
    return frozenset(fold(f"{_ENGLISH} {_SPANISH}").split())


@cache
def _stems() -> tuple[frozenset[str], frozenset[str]]:
    english, spanish = (
        frozenset(stem(fold(word), spanish=is_spanish) for word in words.split())
        for words, is_spanish in ((_ENGLISH, False), (_SPANISH, True))
    )
    return english, spanish


def common_stem(word: str) -> str:
    """The shorter of the stems in both languages: the same for a word whatever is said around it."""
    return min((str(each.stemWord(word)) for each in _STEMMERS), key=len)
