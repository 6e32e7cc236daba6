"""The words and phrases that the rules on contradictions know, in English and Spanish, folded."""

import re

from strata.domain.text.common import common_stem

_MEANINGS = """
like likes liked love loves loved enjoy enjoys enjoyed adore adores fond fan keen favourite favorite relaxing relishes gusta gustan gusto encanta encantan encanto adora disfruta apasiona aficionado | hate hates hated dislike dislikes disliked loathe loathes detest detests despises odia odian odiaba detesta aborrece disgusta disgustan harta
trust trusts faith confia fia | distrust distrusts mistrusts desconfia
alive vivo viva vivos | died dead dies deceased murio murieron fallecio fallecieron muerto muerta difunto
open opens opened opening abre abren abierto abierta abrio | close closes closed shut shuts cierra cierran cerrado cerrada cerro
pay paid pays pagar pagan pagados pagadas settled pagado pagada paga pago pagan | unpaid outstanding owes owed impagado impagada debe
own owns owned property owner homeowner propietario propietaria dueno duena suya suyo suyos propio propia | rent rents renting rented tenant sold vendio vendieron vendido alquila alquilado alquilada inquilino inquilina
pass passed passes success successful succeeded exito aprobo aprobado aprueba aprobada | fail failed fails failure fracaso flunked suspendio suspendido suspenso suspende reprobo
married casado casada | single divorced unmarried separated bachelor soltero soltera divorciado divorciada separado separada
negative negativo negativa | positive positivo positiva
healthy recovered healed cured sano sana curado curada recuperado recuperada | sick ill unwell sickly enfermo enferma
broken damaged smashed cracked roto rota rotos rotas danado averiado averiada estropeado | perfect intact undamaged unbroken flawless intacto intacta perfecto perfecta impecable
employed employs employee empleado empleada | unemployed jobless desempleado desempleada retired jubilado jubilada
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
strong fuerte | weak flojo debil
fast quick rapido rapida | slow lento lenta
happy glad pleased satisfied content feliz contento contenta satisfecho | unhappy sad displeased dissatisfied triste descontento infeliz
possible posible | impossible imposible
enabled active activado activada activo activa encendido | disabled inactive desactivado desactivada apagado inactivo
public publico publica | private privado privada
indoor indoors interior | outdoor outdoors exterior
full-time | part-time
permanent permanente indefinido indefinida | temporary temporal
rise rises rose risen sube subio suben | fall falls fell fallen drop drops dropped baja bajo bajan
full lleno llena | empty vacio vacia
remote remotely teletrabaja teletrabajo remoto | onsite presencial
won win wins gano gana ganaron | lost loses perdio pierde perdieron
vegetarian vegan vegetariano vegetariana vegano vegana | meat steak bacon carne jamon chuleton carnivore
mandatory compulsory required obligatorio obligatoria | optional voluntary opcional voluntario
home resides reside based vivir casa hogar residencia domicilio
manager boss supervisor jefe jefa encargado encargada
begin begins start starts starting started empieza empezar empezo comienza comenzo arranca
end ends finish finishes expires expire runs-out acaba termina vence caduca
depart leaves leave takes-off departs sale salen despega
salary earns earn earning wage pay gana sueldo cobra salario
cost costs costo cuesta price precio spent spend gasto gastaron pagaron pago paga pagan pays
rent alquiler renta
child children kid kids son daughter hijo hija hijos hijas ninos
car coche auto carro vehicle vehiculo
doctor medico medica gp physician
deadline plazo entrega entrega-se fecha due
birthday cumpleanos birth born nacio nacer nacida nacido natural cumple
"""
SENSES: dict[str, tuple[str, int]] = {}
"""The meaning of a word, and whether it affirms (1) or denies (-1) it: a line has what affirms it, then its opposites."""
for _line in _MEANINGS.strip().splitlines():
    _for, _, _against = _line.partition(" | ")
    for _words, _sign in ((_for, 1), (_against, -1)):
        for _word in _words.split():
            SENSES.setdefault(_word, (_for.split()[0], _sign))
STEMS = {common_stem(word): sense for word, sense in reversed(SENSES.items())}
"""The same by the stems of words."""

PHRASES = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"\b(?:can't|cannot|couldn't) (?:stand|bear)\b|\bno (?:aguanta|soporta)\w*", " hates "),
        (r"\b(?:no|not|never|nunca) (?:\w+ ){0,2}(?:less|more|fewer|later|earlier|menos|mas) (?:\w+ )?(?:than|de|que)\b", " "),
        (r"\bwon't\b|\bcan't\b|\bcannot\b|n't\b", " not "),
        (r"'(?:ve|d|ll|re|m)\b", " "),
        (r"\breports? (?:directly )?to\b", " manager "),
        (r"\b(?:ni|nor)\b", ", no "),
        (r"\b(?:viv(?:e|en|o|imos)|lives?|living|lived|resides?) (?:en|in|at|on|near)\b", " home "),
        (r"\b(?:gave|given|gives) up\b|\b(?:quit|stopped|no longer|any more|lacks?)\b|\bdej(?:o|a|e|aron|ado) (?:de|el|la|los|las)\b|\bya no\b", " not "),
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
CONCORD = NEGATIONS - {"sin"}
"""Words that Spanish says beside another negation without denying it."""
ONLY = re.compile(
    r"\b(?:only|sol[eo]|solely|unic[oa]|(?:sola|unica)mente|exclusively|nowhere else|nobody else|nadie mas|whole|always|siempre)\b"
)
"""Words by which a claim leaves nothing beside it."""
PAST = re.compile(
    r"\b(?:used to|formerly|previously|before|former|ex|originally|at first|as an? (?:child|kid|boy|girl|student|teenager)|last (?:night|year|month|week|summer|winter)|yesterday|in (?:his|her|my|their) (?:teens|youth|\w+ties)"
    r"|de (?:joven|nin[oa]|pequen[oa])|antes(?! que| de)|anterior|anoche|solia|era|eran|tenia|vivia)\b"
)
"""Words by which a claim tells of what was."""
UNSURE = re.compile(
    r"\b(?:would like|(?<!not )(?<!n't )wants?|wish(?:es)?|hopes?|thinking of|thinks? (?:about|of)|considering|plans? to|might|maybe|perhaps|dreams? of|if|unless|could|often|usually|sometimes|mostly"
    r"|gustaria|(?<!no )quiere|quisiera|(?<!ni )(?<!no )piensa|suena con|duda|planea|quiza|tal vez|puede que|espera|querria|ojala|si|suelen?|a menudo|a veces)\b"
)
"""Words by which a claim tells of a wish or a plan, or leaves room for another case."""
IDLE = frozenset(
    """
    user want wants wanted appear appears would will shall say says said tell told ask asks asked like get gets got go goes went gone going come comes came make makes made
    take takes took taken has have had keep keeps kept put puts set sets does do did done be been being one ones thing things way every each per always still already ever
    single whole whatsoever line anybody anyone anything any everybody everyone everything else somebody someone something know knows knew really very quite much many lot own
    date dates fully since call called name named names direct directly
    usuario usuaria quiere quieren quiso hara habra hay sera va van ir ido iba hacer hace hacen hizo hecho tener tiene tienen tuvo ha han haber lleva llevan lleve poner pone puso
    quedar queda quedo fecha sigue siguen siempre todavia aun ya cada desde todo toda todos todas mucho mucha muchos muchas mas menos alguien algo cosa caso casos otro otra otros saber sabe
    vez veces dar da dan dio dieron estar estan estuvo elige eligio pide pidio le les se lo llama llaman nombre directo directa
    """.split()  # noqa: SIM905
)
"""Words that tell nothing of what a note is about."""
IDLE_STEMS = frozenset(stem for word in IDLE if len(stem := common_stem(word)) > 3)
_VALUED = """
    is was are use see built write host base locate found begin end depart cost pay run last take weigh measure turn fall home need happen hold time number value level amount size
    release deadline birthday celebrate spend budget hour day month year week night morning evening afternoon minimum maximum annual monthly weekly version port early late about around
    caer cae nacer pesar medir tardar durar noche manana tarde dia mes ano hora semana mensual anual
    """.split()  # noqa: SIM905
BESIDE_VALUES = frozenset(
    word for each in _VALUED for word in (each, common_stem(each), SENSES.get(each, (each,))[0])
)
"""Words beside a value that tell nothing of what it is a value of."""
CLASSES = {
    word: kind
    for kind, line in {
        "fuel": "diesel petrol gasoline electric hybrid gasolina electrico electrica hibrido hibrida",
        "zone": "cet utc gmt cest bst est pst edt pdt",
        "colour": "red blue green yellow black white grey gray brown orange purple pink rojo roja azul verde amarillo amarilla negro negra blanco blanca gris marron naranja morado morada rosa",
        "side": "left right izquierda derecha izquierdo derecho",
        "material": "wood wooden metal steel plastic glass leather brick stone madera acero plastico vidrio cuero ladrillo piedra",
        "compass": "north south east west norte sur este oeste",
        "hand": "left-handed right-handed zurdo zurda diestro diestra",
        "gear": "manual automatic automatico automatica",
        "means": "cash card efectivo tarjeta",
        "pace": "daily weekly monthly yearly diario semanal mensual anual",
        "language": "english spanish french german italian portuguese chinese japanese ingles espanol castellano frances aleman italiano portugues chino japones",
        "week": "mondays tuesdays wednesdays thursdays fridays saturdays sundays lunes martes miercoles jueves viernes sabados domingos weekdays weekends",
        "part": "morning afternoon evening night noche manana tarde",
        "season": "spring summer autumn winter fall primavera verano otono invierno",
    }.items()
    for word in line.split()
}
"""The sets of values of which a thing has one."""
