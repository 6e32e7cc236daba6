"""The words and phrases that the rules on contradictions know, in English and Spanish, folded."""

import re

from strata.domain.knowledge.common import common_stem

_CONCEPTS = """
like likes liked love loves loved enjoy enjoys enjoyed adore adores fond fan keen favourite favorite relaxing relishes gusta gustan gusto encanta encantan encanto adora disfruta apasiona aficionado | hate hates hated dislike dislikes disliked loathe loathes detest detests despises odia odian odiaba detesta aborrece disgusta disgustan harta
trust trusts faith confia fia | distrust distrusts mistrusts desconfia
alive vive vivo viva vivos living lives | died dead dies deceased widow widower viuda viudo murio murieron fallecio fallecieron muerto muerta difunto
open opens opened opening abre abren abierto abierta abrio | close closes closed shut shuts cierra cierran cerrado cerrada cerro
pay paid pays pagar pagan pagados pagadas settled pagado pagada paga pago pagan | unpaid outstanding owes owed impagado impagada debe
own owns owned property owner homeowner propietario propietaria dueno duena suya suyo suyos propio propia | rent rents renting rented tenant sold vendio vendieron vendido alquila alquilado alquilada inquilino inquilina
pass passed passes success successful succeeded exito aprobo aprobado aprueba aprobada | fail failed fails failure fracaso flunked suspendio suspendido suspenso suspende reprobo
married marries wife husband spouse casado casada esposa esposo marido | single divorced unmarried separated bachelor soltero soltera divorciado divorciada separado separada
benign benigno benigna | malignant cancerous maligno maligna
negative negativo negativa | positive positivo positiva
healthy recovered healed cured sano sana curado curada recuperado recuperada | sick ill unwell sickly enfermo enferma
broken damaged smashed cracked roto rota rotos rotas danado averiado averiada estropeado | perfect intact undamaged unbroken flawless intacto intacta perfecto perfecta impecable
employed employs employee employer work works worked working trabaja trabajan trabajar empleado empleada trabajo | unemployed jobless paro parado parada desempleado desempleada libra retired jubilado jubilada
smoke smokes smoker smoked smoking cigarette cigarettes fuma fumo fumar fumador fumadora tabaco cigarrillo cigarrillos | nonsmoker
afraid fear fears scared frightened terrified miedo teme asusta panico | fearless unafraid
allow allows allowed lets permits permitted deja dejan permite permitio permitido permitida | forbid forbids forbidden banned bans prohibits prohibited prohibido prohibida prohibe prohibio prohibieron vetado
accept accepted accepts agreed took acepto acepta aceptado | refuse refused refuses declined rejected rechazo rechaza rechazado
early temprano pronto madrugador madrugadora madruga | late tarde trasnochador trasnochadora
cheap cheaper barato barata baratos economico | expensive pricey caro cara caros
big huge grande grandes enorme | small tiny little pequeno pequena pequenos
high alta alto altas altos | low baja bajas bajos
short brief shorter corto corta cortas cortos breve breves | long longer lengthy largo larga largas largos
favour favor supports support apoya apoyan partidario | against contra opposes opposed opone
good bien bueno buena buenos buenas | bad badly mal malo mala malos malas
easy simple facil sencillo | hard difficult tricky dificil complicado
sweet dulce | savoury salty salado
strong fuerte | weak flojo debil
fast quick rapido rapida | slow lento lenta
happy glad pleased satisfied content feliz contento contenta satisfecho | unhappy sad displeased dissatisfied triste descontento infeliz
possible posible | impossible imposible
enabled active activado activada activo activa encendido | disabled inactive desactivado desactivada apagado inactivo
public publico publica | private privado privada
full lleno llena | empty vacio vacia
remote remotely distancia teletrabaja teletrabajo remoto | office onsite oficina presencial
won win wins gano gana ganaron | lost loses perdio pierde perdieron
comfortable comodo comoda | uncomfortable uneasy incomodo incomoda
vegetarian vegan vegetariano vegetariana vegano vegana | meat steak bacon carne jamon chuleton carnivore
extrovert sociable extrovertido extrovertida | introvert shy timido timida introvertido introvertida
optimist optimista | pessimist pesimista
finished done completed terminado terminada acabado acabada termino acabo | unfinished incomplete pending pendiente sin-terminar inacabado
sober teetotal abstemio abstemia teetotaller | drinks drinker drunk alcohol beer wine bebe cerveza vino
mandatory compulsory required obligatorio obligatoria | optional voluntary opcional voluntario
safe seguro segura | dangerous unsafe peligroso peligrosa
tidy ordenado ordenada | messy desordenado desordenada
clean limpio limpia | dirty sucio sucia
"""

SENSES: dict[str, tuple[str, int]] = {}
"""The concept of a word, and whether it affirms (1) or denies (-1) it."""
for _line in _CONCEPTS.strip().splitlines():
    _for, _, _against = _line.partition(" | ")
    for _words, _sign in ((_for, 1), (_against, -1)):
        for _word in _words.split():
            SENSES.setdefault(_word, (_for.split()[0], _sign))

_SYNONYMS = """
home resides reside based vivir casa hogar residencia domicilio
flat apartment piso departamento
manager boss supervisor reports jefe jefa encargado encargada
call calls called names named name answers llama llaman nombre nombraron
begin begins start starts starting started empieza empezar empezo comienza comenzo arranca
end ends finish finishes expires expire runs-out acaba termina vence caduca
depart leaves leave takes-off departs sale salen despega
wedding boda marriage
salary earns earn earning wage pay gana sueldo cobra salario
cost costs costo cuesta price precio spent spend gasto gastaron pagaron pago paga pagan pays
rent alquiler renta
child children kid kids son daughter hijo hija hijos hijas ninos
car coche auto carro vehicle vehiculo
doctor medico medica gp physician
write written writes escribe escrito escribio escribir
test tests prueba pruebas
database db bbdd
server servidor
deadline plazo entrega entrega-se fecha due
meeting reunion meetings reuniones call
birthday cumpleanos birth born nacio nacer nacida nacido natural cumple
celebrate celebrates celebration celebra fiesta
swim swims swimming nadar nada natacion
run runs ran running corre correr corrio marathon marathons maraton maratones race races carrera
deploy deploys deployed deployment deployments despliega despliegue
release releases released version goes-out
lead leads led dirige
cook cooks cooking cocina
visit visits visited visita visito
move moved moves moving muda mudan mudo mudanza traslada
coeliac celiac celiaco celiaca
therapy terapia therapist psicologa psicologo
dog perro perra
cat gato gata
password contrasena clave
book books libro libros
need needs minimum least requires needed
learn learnt learned aprendio aprende
allergy allergies allergic alergia alergias alergico alergica
drink drinks bebe toma beber
eat eats come comer
bank banco
rehearse rehearses practice practises ensaya ensayo ensayan
plan plans planning
office oficina
merge merged merges
teach taught teaches ensena enseno
fix fixed repaired arreglo arreglado reparo
find found encontro
remind reminder recuerde recordar recuerda avise avisar avisa avisen notify
knee rodilla
wear wore worn wears
drive drove driven drives drives
speak spoke spoken speaks
know knew known
grow grew grown
draw drew drawn
fly flew flown
sing sang sung
sleep slept sleeps
keep kept keeps
ride rode ridden rides
tell told tells
think thought thinks
forget forgot forgotten
feel felt feels
hear heard hears
send sent sends
give gave given gives
buy bought buys compra compro comprado
arrive arrives arrived reach reaches reached llega llego llegar
"""
SYNONYMS = {word: line.split()[0] for line in _SYNONYMS.strip().splitlines() for word in line.split()}
"""The word that stands for all of one meaning."""

PHRASES = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"\b(?:can't|cannot|couldn't|can not) (?:stand|bear)\b|\bno (?:aguanta|soporta)\w*\b", " hates "),
        (r"\bwon't\b", " not "),
        (r"\bcan't\b", "can not"),
        (r"\bturn(?:s|ed)? out\b", " "),
        (r"\ba (?:note|word|line|penny|drop|bit) of\b", " any "),
        (r"n't\b", " not "),
        (r"\b(?:no|not|never|nada|nothing|there's no|nunca)\b(?=[^.;]* (?:as|tan|than|como)\b(?! (?:a|an|un|una|the)\b))(?! (?:\w+ )?(?:than|como)\b)(?=[^.;]*\b(?:much|more|tan|better|worse|mas)\b)", " "),
        (r"\b(?:no|not|never|nunca)\b(?: \w+){0,2} (?:less|more|fewer|shorter|later|longer|earlier|larger|higher|lower|menos|mas)\b(?: \w+)? (?:than|de|que)\b", " "),
        (r"\b(?:ni|nor)\b", ", no "),
        (r"\b(?:le |les |se )?quit(?:o|a|aron)\b(?= (?:el|la|los|las)\b)|\btook away\b|\bremoved\b", " no "),
        (r"\b(?:ni|no) piensa\w* \w+", " "),
        (r"\b(?:vive|viven|vivo|vivimos|lives|live|living|lived|reside|resides) (?:en|in|at|on|near)\b", " home "),
        (r"\bdejo (?=el (?:tabaco|alcohol|cafe|azucar))", " not "),
        (r"\bcannot\b", " can not "),
        (r"\bno \w+ (?:otra cosa|nada mas|nadie mas|mas) que\b|\b(?:nothing|nobody|no one) (?:else )?(?:but|except)\b", " "),
        (r"\b(?:carece[nr]? de|lacks?|lacking|free of|fail(?:s|ed)? to|yet to|free from|por (?=llegar|hacer|terminar|pagar|venir))\b", " not "),
        (r"\b(?:takes?|took) place\b|\b(?:is|was|are|were) held\b|\bse celebra\w*\b|\btiene lugar\b", " is "),
        (r"\bworks? (?:from|at) home\b|\btrabaj\w+ (?:desde|en) casa\b", " works remotely "),
        (r"\b(?:gave|given|gives) up\b|\b(?:quit|stopped|no longer|never again|last time|any more)\b|\b(?:dejo de|ha dejado|ya no|nunca mas|ultima vez que)\b", " not "),
        (r"\b(?:no|not) (?:only|solo)\b|\b(?:sino|far from it|al contrario|needn't|without exception|sin excepcion|without (?:fail|doubt)|sin (?:falta|duda)|no sooner|no more than|no mas que|not yet)\b", " "),
        (r"\bout of work\b|\blooking for a (?:job|post)\b|\bsin (?:trabajo|empleo)\b", " unemployed "),
        (r"\b(?:passed away|run over)\b", " died "),
        (r"\bnon-?smoker\b", " not smoker "),
    )
)  # fmt: skip
CLAUSE = re.compile(
    r"[.;:!?,()]+(?=\s|\Z)|\s(?:and|but|so|y|e|pero|while|mientras|because|porque|where|donde)\s"
)
NEGATIONS = frozenset(
    """
    not no never nobody nothing none without neither nor nowhere
    nunca jamas nadie nada ningun ninguna ninguno sin ni tampoco
    """.split()  # noqa: SIM905
)
CONCORD = frozenset("nunca jamas nadie nada ningun ninguna ninguno ni tampoco no".split())  # noqa: SIM905
ONLY = re.compile(
    r"\b(?:only|sole|solely|solo|unic[oa]|solamente|unicamente|exclusively|nowhere else|ningun sitio mas|nobody (?:else|but)|nadie mas|whole|entirely|tod[oa] (?:de|en|el|la)|always|siempre|todos los casos)\b"
)
"""Words by which a claim leaves nothing beside it."""
PAST = re.compile(
    r"\b(?:used to|formerly|previously|as a (?:child|kid|boy|girl|student|teenager|young)|in (?:his|her|my|their) (?:teens|twenties|thirties|youth)|wanted to|was a|"
    r"at school|at first|originally|before|former|ex|last (?:night|year|month|week|summer|winter)|de (?:joven|nino|nina|pequen[oa])|antes(?! que| de)|anterior|anoche|yesterday|solia|era|eran|ganaba|tenia|vivia|quiso|fue (?:profesor|director|medic)\w*)\b"
)
"""Words by which a claim tells of what was."""
UNSURE = re.compile(
    r"\b(?:would like|(?<!not )(?<!n't )wants?|wishes|hopes?|thinking of|thinks? (?:about|of)|considering|plans? to|planning|might|maybe|perhaps|dreams? of|toying|if|unless|could"
    r"|gustaria|(?<!no )quiere|quisiera|(?<!ni )(?<!no )piensa|suena con|duda|planea|quiza|tal vez|puede que|espera|querria|ojala|se plantea|estudia si|si)\b"
)
"""Words by which a claim tells of a wish or a plan."""
KIN = frozenset(
    """
    mother mum mom father dad parents sister brother sibling siblings son daughter wife husband partner girlfriend boyfriend friend cousin niece nephew aunt uncle
    grandmother grandfather gran grandma grandpa neighbour neighbor colleague flatmate roommate landlord child baby kid
    madre padre mama papa padres hermana hermano hijo hija esposa esposo marido mujer novia novio pareja amiga amigo prima primo sobrina sobrino tia tio abuela abuelo
    vecina vecino suegra suegro cunada cunado companera companero casero nieto nieta yerno nuera
    """.split()  # noqa: SIM905
)
IDLE = frozenset(
    """
    user usuario usuaria want wants wanted quiere quieren quiso quiero appear appears would will shall wo hara hare habra hay sera va sitio sitios casos line linea asked pidio pide fecha toco tocan estan estar eligio elige chose chosen lleve llevar tenga haya sea side says said told asked asks like get gets got go goes went gone going come comes came make makes made take takes took taken has have keep keeps kept put puts set sets
    does do did done be being been one ones thing things way every each per always still already ever single whole whatsoever kind anybody anyone anything any everybody
    everyone everything else somebody someone something know knows knew able out leave fully since sinc really estado estuvo estuvieron very quite much many lot own
    va van ir ido iba hacer hace hacen hizo hecho tener tiene tienen tuvo ha han haber hay lleva llevan poner pone puso quedar queda quedo sigue siguen siempre todavia aun ya cada desde
    todos todas toda todo mucho mucha muchos muchas mas menos persona alguien algo cosa otra otro otros sabe saber cualquier vez veces dar da dan dio dieron le les se lo
    """.split()  # noqa: SIM905
)
IDLE_STEMS = frozenset(stem for word in IDLE if len(stem := common_stem(word)) > 3)
_VALUED = frozenset(
    """
    is was are use see built write host build base locate found like start begin end leave depart cost pay call run last take weigh measure turn fall live home need happen hold set due date time number value level amount size price
    release deadline birthday birth celebrate spend spent cap budget hour day month year week today night morning evening afternoon noche manana tarde dia dias mes ano
    hora semana minimum maximum annual monthly weekly mensual anual version port trip minute cae costar nacer pesar medir tardar dura tarda late
    early long way far between around about approximately aproximadamente unos head thread cada cabeza own cae caen ve ven verse ir gets
    """.split()  # noqa: SIM905
)
"""Words beside a value that tell nothing of what it is a value of."""


VERBS_OF_VALUES = (
    _VALUED | {common_stem(word) for word in _VALUED} | {SYNONYMS.get(word, word) for word in _VALUED}
)
CHOICES = {
    word: kind
    for kind, line in {
        "fuel": "diesel petrol gasoline electric hybrid gasolina electrico electrica hibrido hibrida",
        "zone": "cet utc gmt cest bst est pst edt pdt",
        "colour": "red blue green yellow black white grey gray brown orange purple pink beige silver cyan rojo roja azul verde amarillo amarilla negro negra blanco blanca gris marron naranja morado morada rosa",
        "side": "left right izquierda derecha izquierdo derecho",
        "material": "wood wooden metal steel plastic glass leather cotton wool brick stone madera acero plastico vidrio cuero algodon lana ladrillo piedra",
        "compass": "north south east west norte sur este oeste",
        "hand": "left-handed right-handed zurdo zurda diestro diestra",
        "gear": "manual automatic automatics automatico automatica",
        "indent": "tabs spaces tabuladores espacios",
        "means": "cash card efectivo tarjeta",
        "pace": "daily weekly monthly yearly diario semanal mensual anual",
        "sign": "aries taurus gemini cancer leo virgo libra scorpio sagittarius capricorn aquarius pisces",
        "language": "english spanish french german italian portuguese catalan dutch chinese japanese ingles espanol castellano frances aleman italiano portugues chino japones",
        "week": "mondays tuesdays wednesdays thursdays fridays saturdays sundays lunes martes miercoles jueves viernes sabados domingos weekdays weekends",
        "part": "morning afternoon evening night noche manana tarde",
        "season": "spring summer autumn winter fall primavera verano otono invierno",
    }.items()
    for word in line.split()
}
