"""Patterns of facts in Spanish."""

from strata.domain.facts.patterns.names import given_name, proper_name
from strata.domain.facts.patterns.places import known_town, language, place
from strata.domain.facts.patterns.roles import bare_trade, trade, work
from strata.domain.facts.patterns.tables.language import HOW_ES
from strata.domain.facts.patterns.tables.rule import Line, rules
from strata.domain.facts.patterns.values import order, things, tool

_CALLED = "Se llama {}"
_WORKS = "Trabaja de {}"
_AT = "Trabaja en {}"
_DOES = "De su trabajo dice: {}"
_LIVES = "Vive en {}"
_FROM = "Es de {}"
_LIKES = "Le gusta {}"
_PREFERS = "Prefiere {}"
_USES = "Usa {}"
_WANTS = "Quiere en cada respuesta: {}"
_DISLIKES = "No le gusta {}"
_AVOIDS = "Evita {}"
_WANTS_NO = "No quiere en ninguna respuesta: {}"
_CONTACT = "Quiere que le respondan en {}"
_CHANNEL = "Quiere que le contacten por {}"

_BUSINESS = (
    r"(?:tienda|bar|taller|panaderia|restaurante|restaurant|negocio|empresa|estudio|farmacia|libreria|peluqueria|ferreteria"
    r"|cafeteria|clinica|consulta|despacho|agencia|granja|finca|academia|escuela|guarderia|hotel|hostal|gimnasio|fruteria"
    r"|carniceria|pasteleria|floristeria|kiosco|quiosco|almacen|verduleria|imprenta|bodega|equipo|departamento|area"
    r"|laboratorio|grupo|oficina|sucursal|seccion|colegio|biblioteca|residencia|ong|fundacion|asociacion|coro|cooperativa"
    r"|consultora|inmobiliaria|gestoria|asesoria|lavanderia|pizzeria|heladeria|cerveceria|vivero|papeleria|joyeria)"
)
_CHANNELS = (
    r"(?:correo electronico|correo|e-?mail|mail|mensaje de texto|mensaje|mensajes|sms|whats?app|wasap|guasap|wsp|wpp|telegram"
    r"|signal|slack|teams|telefono fijo|telefono|celular|movil|fijo|cel|carta|llamada|llamadas|audio|audios|videollamada"
    r"|discord|messenger|instagram|privado|zoom|skype|mensajeria)"
)
_REACH = (
    r"(?:(?:avis|escrib|contact|llam|habl|notific|respond|contest|ubic|localiz|busc|record|mand|envi|actualiz|inform)"
    r"[a-z]{0,5}me(?:lo|la|los)?|(?:me )?comuni(?:quense|cate|quese)(?: conmigo)?"
    r"|(?:que )?(?:me|nos) (?:avis|escrib|contact|llam|habl|notifi|respond|contest|ubi|localic|busc|record|mand|envi|inform)[a-z]{1,5}(?: todo)?)"
)
_TALK = (
    r"(?:(?:(?:respond|contest|escrib|habl|explic|dirig|comuni|trat)[a-z]{0,6}(?:me|te a mi|le)?)"
    r"|(?:me|nos) (?:respond|contest|escrib|habl|expli)[a-z]{1,4}|seguimos|sigamos|sigue|segui|hablemos|charlemos|(?:vamos a|podemos|podriamos) (?:hablar|seguir|escribirnos|charlar)|seguir)"
)
_ASK = (
    r"(?:por favor,? |porfa,? |podrias |puedes |podes |puede |pueden |podeis |quiero que |quisiera que |prefiero que "
    r"|me gustaria que |necesito que |preferiria que |siempre |solo |mejor |a partir de ahora,? |desde ahora,? |te pido que |que "
    r"|de ahora en adelante,? |en adelante,? |desde hoy,? |si puedes |vos |tu |te importaria |te agradeceria que |quedamos en que ){0,4}"
)
_GIVE = (
    r"(?:pon|pone|ponga|pongan|da|de|usa|use|usen|utiliza|utilice|escribi?|escribe|escriba|muestra|mostra|muestre|explica"
    r"|explique|manda|mande|envia|envie|incluye|inclui|incluya|pasa|pase|haz|hace|haga|cita|cite|redondea|expresa|agrega"
    r"|anade|anadi|convierte|converti|empieza|empeza|termina|responde|contesta|resume|resumi|presenta|calcula|ordena|deja)"
    r"(?:me|nos)?(?:lo|los|la|las)?"
)
_USE_NOT = (
    r"(?:(?:me |nos )?(?:pongas?|pongan|uses?|usen|utilices?|incluyas?|mandes?|metas?|escribas?|recomiendes?|sugieras?|agregues?"
    r"|anadas?|empieces? con|termines? con|des|ofrezcas?|envies?|pases?|hagas?|propongas?))"
)
_CODE = (
    r"(?:python|rust|go|golang|java|javascript|typescript|kotlin|swift|ruby|php|scala|haskell|c\+\+|c#|c|r|julia|perl|elixir"
    r"|latex|markdown|matlab|cobol|dart|vba)"
)
_JOB = r"(?:trabajo|curro|laburo|chambeo|camello|estoy trabajando|estoy currando|ando trabajando|trabajamos)"
_LIKE = r"(?:gust|encant|chifl|fascin|flip|mol|apasion|alucin|pirr|cop|enamor|entusiasm|deleit)an?"
_HOW_I_FEEL = r"(?:mucho |muchisimo |tambien |mas |bastante |sobre todo |especialmente |un monton |harto |demasiado |tanto ){0,2}"

_TABLE: tuple[Line, ...] = (
    # --- names ---
    ("name", r"(?:yo )?me llamo ", given_name, _CALLED),
    ("name", r"mi nombre (?:completo |real |verdadero |de pila )?(?:es|se escribe) ", given_name, _CALLED),
    ("name", r"(?:yo )?soy (?:el |la )?(?=[a-z])", proper_name, _CALLED),
    ("name", r"(?:todos|todas|todo el mundo|en el trabajo|mis amigos|mis amigas|la gente|en casa|aqui|aca|casi todos)? ?me (?:dicen|llaman|conocen como|conocen por) ", given_name, _CALLED),
    ("name", r"(?:puedes |podes |puede |pueden |mejor |vos |tu |ustedes |solo |nada mas |siempre )*(?:llamarme|llamame|llameme|llamenme|llamadme) (?:solo |simplemente )?", given_name, _CALLED, "request"),
    ("name", r"(?:puedes |podes |puede |pueden |mejor |vos |tu |ustedes |solo |nada mas |siempre )*(?:decirme|decime|dime|digame|diganme|decidme) (?:solo |simplemente )?", proper_name, _CALLED, "request"),
    ("name", r"(?:prefiero|quiero|me gusta|me gustaria) que me (?:llam(?:es|en|e)|dig(?:as|an|a)) ", given_name, _CALLED),
    ("name", r"(?:aqui|te habla|le habla|les habla|te saluda|le saluda|les saluda|te escribe|le escribe|les escribe|habla|al habla) ", proper_name, _CALLED, "marked"),
    ("name", r"(?P<v>[a-z]{2,20}(?: [a-z]{2,20}){0,2}) (?:al habla|por aqui|por aca)\b", proper_name, _CALLED, "marked"),
    ("name", r"me presento[,:] ", proper_name, _CALLED),
    ("name", r"(?:es|soy) (?=[a-z'-]{2,20},? con (?:jota|hache|ge|ese|zeta|ce|ka|be|ve|uve|i|y|j|h|z|s|k|b|v|c|x|equis|acento|tilde|doble|dos|una? )\b)", proper_name, _CALLED),
    ("name", r"(?:no, |perdon, )?(?:es|era) (?=(?P<first>[a-z]{3})[a-z'-]{0,18},? no (?P=first)[a-z'-]{0,18}(?:$|,| ))", proper_name, _CALLED),
    ("name", r"(?:yo )?firmo (?:siempre )?como ", proper_name, _CALLED),
    # --- roles ---
    ("role", r"(?:yo )?(?:soy|somos) (?:tambien |ademas |solo |hoy |actualmente )?(?!el de|la de|los|las)", trade, _WORKS),
    ("role", r"como (?![^,.\n]{1,40}?,? (?:tu|vos|usted|deberias|debes|que harias)\b)", bare_trade, _WORKS, "marked"),
    ("role", rf"{_JOB} (?:[a-z]{{1,12}} ){{0,2}}?(?:como|de) (?!lunes|martes|sol a|nueve|ocho|siete|pie|ocho|forma|manera|cara)(?:una? )?", work, _WORKS),
    ("role", rf"{_JOB} (?:actualmente |ahora |desde casa |hace [a-z0-9]+ anos |por mi cuenta |por las noches |de noche |a media jornada |medio tiempo )?(?:en|para|con) (?!(?:una?|el|la|los|las) (?:[a-z]{3,10} )?(?:informe|proyecto|parte|texto|tesis|documento|articulo|libro|codigo|tarea|problema|presentacion|version|turno|horario|ordenador|noche|tarde|manana|cocina de casa|idea|guion|novela)\b)(?=(?:una?|el|la|los|las|mi propi[ao]|unos|unas) )", work, _AT),
    ("role", rf"{_JOB} (?:actualmente |ahora )?para ", work, "Trabaja para {}"),
    ("role", rf"{_JOB} (?:actualmente |ahora )?en (?=(?:hosteleria|banca|marketing|ventas|logistica|educacion|sanidad|construccion|turismo|recursos humanos|informatica|publicidad|seguros|correos|atencion al cliente|consultoria|finanzas|minas|rrhh|ti|sistemas|mineria|aduanas|telecomunicaciones|soporte|limpieza|hoteleria|administracion)\b)", work, _AT),
    ("role", r"(?:yo )?me dedico (?:profesionalmente |principalmente |sobre todo )?(?:al? )(?:la |el |los |las )?", work, "Se dedica a {}"),
    ("role", r"(?:yo )?me gano la vida (?:como|de|con) ", work, _WORKS),
    ("role", r"(?:yo )?(?:ejerzo|oficio|hago) (?:de|como) ", trade, _WORKS),
    ("role", rf"(?P<v>(?:dirijo|coordino|regento|administro|lidero|gestiono|llevo|manejo|atiendo)) (?:el |la |una? |mi |mi propi[oa] |nuestr[ao] )(?=(?:pequen[oa] |[a-z]{{3,12}} )?{_BUSINESS}\b)", work, _DOES),
    ("role", rf"tengo (?:una? |mi propi[oa] )(?P<v>(?:pequen[oa] |[a-z]{{3,12}} )?(?!equipo|grupo|area|departamento){_BUSINESS})\b(?! (?:de confianza|favorit|cerca|donde|al lado))", work, "Tiene {}"),
    ("role", r"(?P<v>(?:doy clases?|imparto(?: clases?)?|enseno)) (?=(?:de|en|a|al) |[a-z]{4,})(?!a mi|a mis|en casa)", work, _DOES),
    ("role", r"(?:yo )?(?P<v>estudio) (?!de\b|si\b|como\b|por\b|para\b|en casa|en la noche|mucho\b|mejor\b|desde\b|lo\b|con\b|que\b|y\b|esto\b|a\b|el tema)", work, _DOES),
    ("role", r"estoy (?=(?:estudiando|cursando) )(?:estudiando|cursando) (?!para\b|mucho\b|con\b|esto\b|como\b|por\b|en casa|si\b)", work, "Estudia {}"),
    ("role", r"(?:estoy (?:haciendo|terminando|acabando|empezando)|hago|curso) (?:una? |el |la |mi |mis |las |los )?(?=(?:doctorado|master|maestria|residencia|practicas|carrera|grado|licenciatura|tesis doctoral|fp|bachillerato|mir|pir|posgrado|pasantia|internado)\b)", work, "Hace {}"),
    ("role", r"estoy en (?=(?:primer|segundo|tercer|cuarto|quinto|sexto|ultimo)o?(?: ano| curso)? de )", work, "Está en {}"),
    ("role", r"(?:ya )?estoy (?P<v>jubilad[oa]|retirad[oa])\b", work, "Está {}"),
    ("role", r"mi (?:profesion|oficio|trabajo|ocupacion) es (?:de |el de |la de |ser )?", trade, _WORKS),
    ("role", r"de (?:profesion|oficio),? (?:soy )?", trade, _WORKS, "marked"),
    ("role", r"(?:llevo|tengo|hace|hago) (?:[a-z0-9]{1,10} ){1,4}(?:anos?|meses) (?:trabajando |que trabajo |currando |ejerciendo )?(?:de|como) ", trade, _WORKS),
    ("role", r"(?:llevo|tengo|hace) (?:[a-z0-9]{1,10} ){1,4}(?:anos?|meses) (?:trabajando|que trabajo|currando) (?:en|para) (?=(?:una?|el|la|los|las) )", work, _AT),
    ("role", r"acabo de (?:entrar|empezar|incorporarme)(?: a trabajar)? (?:de|como) ", trade, _WORKS),
    ("role", r"soy (?P<v>am[oa] de casa)\b", None, _WORKS),
    ("role", r"(?:yo )?curso (?=(?:primero|segundo|tercero|cuarto|quinto|sexto|el (?:primer|segundo|tercer|cuarto|quinto|ultimo) ano) de )", work, "Cursa {}"),
    ("role", r"(?:yo )?(?:estoy|ando) (?P<v>opositando) ", work, "Está {}"),
    ("role", r"estoy (?:de|haciendo(?: las)?) (?=(?:practicas|residente|becari[oa]|interin[oa]|practicante)\b)", work, "Está de {}"),
    ("role", r"(?:yo )?hago (?=(?:voluntariado) (?:en|con) )", work, "Hace {}"),
    ("role", r"mi (?:trabajo|oficio|labor) es (?=[a-z]{3,12}[aei]r )", work, _DOES),
    ("role", r"me (?P<v>jubile|acabo de jubilar|he jubilado)\b", None, "De su trabajo dice: me {}"),
    ("role", r"(?P<v>conduzco|manejo) (?:un |una )?(?=(?:autobus|bus|camion|taxi|tren|tranvia|ambulancia|colectivo|furgoneta|uber)\b)", work, _DOES),
    ("role", r"tengo (?:un )?(?P<v>puesto) (?=(?:en el mercado|de )(?!trabajo))", work, "Tiene un {}"),
    ("role", r"(?:al ser|siendo) ", trade, _WORKS, "marked"),
    # --- places ---
    ("place", r"(?:yo |nosotros |aca |aqui )?(?:vivo|vivimos|resido|residimos|radico|radicamos|estoy viviendo|estamos viviendo|ando viviendo) (?:actualmente |ahora |sol[oa] |aqui |aca |alla |con [a-z ]{2,25}? |desde [a-z0-9 ]{2,20}? |hace [a-z0-9 ]{2,20}? |tambien |juntos ){0,2}(?=(?:en|cerca|al|a las|a|por)\b)", place, _LIVES),
    ("place", r"(?:yo )?(?:soy|somos) (?:originari[oa]s? |natural(?:es)? |nativ[oa]s? |oriund[oa]s? )?(?:de |del (?=norte|sur|este|oeste|interior|barrio|centro))", place, _FROM),
    ("place", r"(?:yo )?(?:naci|me crie|me he criado|creci|naci y creci|naci y me crie) en ", place, _FROM),
    ("place", r"(?:nacid[oa](?: y criad[oa])?|criad[oa]) en ", place, _FROM, "marked"),
    ("place", r"(?:(?:me|nos) (?:mude|mudamos|traslade|trasladamos|he mudado|hemos mudado|acabo de mudar|vine a vivir|fui a vivir|instale|instalamos|vinimos a vivir)|acabo de mudarme|acabamos de mudarnos) (?:hace [a-z0-9 ]{2,20}? |recientemente )?(?:de [a-z ]{2,25}? |desde [a-z ]{2,25}? )?(?:al? |en )", place, _LIVES),
    ("place", r"(?:llevo|llevamos|tengo) (?:ya |casi |mas de )?(?:[a-z0-9]{1,10} ){1,3}(?:anos?|meses|semanas) (?:viviendo )?(?:aqui |aca )?en ", place, _LIVES),
    ("place", r"(?:estoy|estamos) (?:afincad|radicad|establecid|instalad|asentad|domiciliad)[oa]s? en ", place, _LIVES),
    ("place", r"mi (?:ciudad|pueblo|tierra)(?: natal)? es ", place, _FROM),
    ("place", r"(?:[^.\n]{0,200}?\b)(?:desde|en|de) (?P<v>[a-z' ]{3,30}?),? (?:que es )?donde (?:vivo|vivimos|resido|trabajo)\b", place, _LIVES, "marked"),
    ("place", rf"{_JOB} (?:actualmente |ahora |de [a-z]{{3,20}} )?en ", known_town, _AT),
    ("place", r"soy [a-z]{4,14}, de(?:l)? ", place, _FROM),
    ("place", r"(?:estoy|estamos) en (?=[a-z ]{3,30} desde (?:hace|el ano|19|20)\w*)", place, _LIVES),
    ("place", r"mi (?:casa|piso|departamento|depto|hogar) esta en ", place, _LIVES),
    ("place", r"donde (?:vivo|vivimos),? (?=en |cerca )", place, _LIVES),
    # --- preferences ---
    ("preference", rf"(?:a mi |a mi si |a nosotros )?(?:me|nos) {_LIKE} {_HOW_I_FEEL}", things(5), _LIKES),
    ("preference", rf"(?:yo )?(?:adoro|amo|disfruto(?: de| con)?) {HOW_ES}", things(5), _LIKES),
    ("preference", rf"(?:yo )?(?:siempre )?(?:prefiero|preferimos) (?:mil veces |de lejos |con diferencia )?{HOW_ES}(?!por\b|hablar|escribir)", things(5, frozenset(("a", "al", "en", "para"))), _PREFERS),
    ("preference", r"(?:yo )?soy (?:muy |mas |super |un[a]? |gran |mega |bastante |re ){0,3}(?:fan|fanatic[oa]|amante|aficionad[oa]|apasionad[oa]|adict[oa]|forof[oa]|devot[oa]|entusiasta|hincha) (?:del|de|al|a) ", things(5), _LIKES),
    ("preference", r"(?:yo )?soy (?:muy|mas|mas bien|mucho mas) de (?!aqui|aca|casa|lo\b|los que|las que)", things(3), _PREFERS),
    ("preference", r"mis? (?:[a-z]{2,15} ){0,3}(?:favorit|preferid)[oa]s? (?:es|son|siempre (?:es|fue|sera)) (?:siempre |sin duda |definitivamente )?", things(5), _LIKES),
    ("preference", r"(?:lo que )?(?:mas )?me (?:mas )?gusta (?:es|son) ", things(5), _LIKES),
    ("preference", r"(?:yo )?me (?:vuelven?|trae) loc[oa] ", things(5), _LIKES),
    ("preference", r"(?:yo )?no (?:puedo vivir|se vivir|salgo de casa) sin ", things(4), _LIKES),
    ("preference", rf"(?:yo |nosotros |aqui |aca )?(?:siempre |solo |normalmente |habitualmente )?(?:uso|usamos|utilizo|utilizamos) {HOW_ES}", tool, _USES),
    ("preference", r"[^.,\n]{0,60}? (?:siempre )?(?:uso|utilizo) siempre ", tool, _USES, "marked"),
    ("preference", r"para [a-z ]{2,40}?,? (?:siempre )?(?:uso|utilizo) (?:siempre )?", tool, _USES, "marked"),
    ("preference", rf"(?:yo )?(?:siempre |solo )?(?:programo|trabajo|desarrollo|escribo codigo)(?: siempre| sobre todo| solo)? (?:en|con) (?P<v>{_CODE})(?![a-z])", None, _USES),
    ("preference", rf"(?:el|la|los|las) (?P<v>[a-z]{{2,20}}(?: [a-z]{{2,20}}){{0,3}}?) (?:a mi )?(?:si )?me {_LIKE}\b(?! (?:a|que|mas o menos|cero|poco)\b)", None, _LIKES, "marked"),
    ("preference", rf"siempre (?:me |por favor |que |quiero que me ){{0,2}}{_GIVE} ", order, _WANTS, "request"),
    ("preference", rf"(?:a partir de ahora|de ahora en adelante|en adelante|desde ahora|por defecto|como norma|de aca en mas|de aqui en adelante|por norma),? (?:por favor |siempre |me )*{_GIVE} ", order, _WANTS, "request"),
    ("preference", rf"(?:por favor )?{_GIVE} (?:siempre )?", order, _WANTS, "request standing"),
    ("preference", r"(?:siempre )?(?:quiero|prefiero|me gustan|necesito) (?:siempre )?(?:las|tus) (?=(?:respuestas|explicaciones) (?!en\b))", order, _WANTS),
    ("preference", rf"(?:a mi )?me (?:pierden?(?= (?:el|la|l[oa]s)\b)|va mas|van mas|tiran? mas|interesan? mucho|vuelven? loc[oa]|ponen? content[oa]) {_HOW_I_FEEL}", things(4), _LIKES),
    ("preference", r"(?:yo )?(?:siempre|solo|solamente|normalmente|casi siempre|unicamente) (?:tomo|bebo|escucho|cocino con|ceno|desayuno|viajo en) (?!nota|el control|la decision|decisiones|fuera|tarde|que\b)", things(4), _LIKES),
    ("preference", r"(?:yo )?no (?:vivo|funciono|arranco|puedo vivir|concibo la vida) sin ", things(4), _LIKES),
    ("preference", r"lo mio (?:es|son) ", things(4), _LIKES),
    ("preference", r"(?:yo )?(?:lo hago todo|todo lo hago|hago todo|lo escribo todo|escribo todo|apunto todo|llevo todo) (?:en|con) ", tool, _USES),
    ("preference", r"(?:yo )?me quedo con ", things(4, frozenset(("antes",))), _PREFERS),
    ("preference", r"mi (?:gran |mayor )?(?:pasion|hobby|aficion|pasatiempo)(?: favorito)? (?:es|son) ", things(4), _LIKES),
    ("preference", r"(?:yo )?(?:tengo debilidad|siento debilidad|me muero|me desvivo|siento pasion|tengo pasion) por ", things(4), _LIKES),
    # --- dislikes ---
    ("dislike", rf"(?:yo )?(?:odio|odiamos|detesto|aborrezco|repudio|evito|huyo del?|procuro evitar|intento evitar|trato de evitar|rehuyo) {HOW_ES}", things(5), _DISLIKES),
    ("dislike", r"(?:a mi |yo )?(?:ya )?no (?:soporto|aguanto|tolero|trago|banco|puedo con|me gustan?|me van?|me molan?|me agradan?|me hacen? gracia|me entusiasman?|me copan?) (?:nada |mucho |para nada |demasiado |ni un poco |en absoluto |tanto |ni ){0,2}", things(5), _DISLIKES),
    ("dislike", r"(?:yo )?(?:ya )?(?:no|nunca) (?:como|bebo|tomo|pruebo|consumo|ceno|puedo (?:comer|tomar|beber|probar|ni ver|consumir)|debo (?:comer|tomar|beber)) (?:nada de |nada con |ni )?(?!fuera|bien|desayuno|tu|antes|mucho|notas?|partido|decisiones|fotos|en serio)", things(4), _AVOIDS),
    ("dislike", r"(?:a mi )?me (?:dan? (?:mucho |muchisimo )?asco|repelen?|repugnan?|caen? (?:muy )?(?:mal|fatal|pesad[oa]s?)|sientan? (?:muy )?(?:mal|fatal)|desagradan?|dan? (?:alergia|grima|migrana))(?: mucho| muchisimo)? (?!mi\b)", things(5), _DISLIKES),
    ("dislike", r"(?:yo )?(?:tambien )?(?:soy|somos) (?:muy |tambien |bastante |un poco |super )?(?:alergic[oa]s?|intolerantes?|hipersensibles?) (?:al|a) (?!mis?\b|la luz)", things(4), _AVOIDS),
    ("dislike", r"(?:muy |tambien )?(?:alergic[oa]|intolerante) (?:al|a) ", things(4), _AVOIDS, "marked"),
    ("dislike", r"(?:yo )?(?:tengo|padezco|sufro) (?:de )?(?:una )?(?:alergia|intolerancia|aversion) (?:severa |fuerte |grave )?(?:al|a) ", things(4), _AVOIDS),
    ("dislike", r"(?:el|la|los|las) (?P<v>[a-z]{2,20}(?: [a-z]{2,20}){0,3}?) (?:a mi )?(?:no (?:me gustan?|me van?|(?:lo|la|los|las) (?:soporto|aguanto|tolero|como|tomo|pruebo|trago|puedo (?:ni )?(?:ver|comer)))|(?:lo|la|los|las) (?:odio|detesto|evito|aborrezco)|me (?:dan? asco|sientan? (?:mal|fatal)|caen? (?:mal|fatal|pesad[oa]s?)|repelen?|repugnan?|da alergia)|ni (?:verl[oa]s?|en pintura|olerl[oa]s?|probarl[oa]s?))\b(?! (?:como|que|mas|el color|tal)\b)", None, _DISLIKES, "marked"),
    ("dislike", r"[^.\n]{0,200}?\b(?:sin|nada de|ni|no lleve|no tenga|quita(?:me|le)?|fuera) (?:la |el |los |las )?(?P<v>[a-z]{3,20}(?: de [a-z]{3,20})?)(?:,|;| -| porque| ya)? ?(?:que )?(?:no (?:me gustan?|(?:l[oa]s?) (?:soporto|aguanto|como|tolero|puedo))|(?:l[oa]s?) (?:odio|detesto|aborrezco|evito)|me (?:dan? asco|sientan? (?:mal|fatal)|caen? (?:mal|fatal)|dan? alergia)|soy alergic[oa](?=$|,| y\b))\b", None, _DISLIKES, "marked"),
    ("dislike", r"no me (?P<v>[a-z]{3,14}(?:es|as|an|en))(?: nunca| mas| de usted)?,? (?:que |porque )(?:no me gusta|lo odio|me molesta|lo detesto|no lo soporto|me incomoda|odio eso|lo aborrezco)\b", None, _DISLIKES, "request"),
    ("dislike", rf"(?:por favor )?(?:nunca|jamas) (?:mas |por favor ){{0,2}}{_USE_NOT} ", order, _WANTS_NO, "request"),
    ("dislike", rf"(?:por favor )?no {_USE_NOT} (?:nunca |jamas |mas )", order, _WANTS_NO, "request"),
    ("dislike", rf"(?:por favor )?no {_USE_NOT} ", order, _WANTS_NO, "request standing"),
    ("dislike", r"(?:por favor )?(?:deja|dejad|dejen|deje|para) de (?:usar(?:me)?|poner(?:me)?|mandar(?:me)?|meter(?:me)?|anadir|agregar|incluir|escribir|recomendar(?:me)?|sugerir(?:me)?) ", order, _WANTS_NO, "request"),
    ("dislike", r"(?:por favor )?nada de (?P<v>[a-z]{3,20}(?: de [a-z]{3,20})?),? (?:nunca|jamas|en tus respuestas|en las respuestas|conmigo|de ahora en adelante|a partir de ahora|por favor,? nunca)\b", None, _WANTS_NO),
    ("dislike", r"(?:yo )?(?:soy|tengo) (?:celiac[oa]|celiaquia|(?:la )?enfermedad celiaca)\b[^.\n]{0,120}?\b(?P<v>gluten)\b", None, _AVOIDS),
    # --- languages and channels ---
    ("contact_language", rf"{_ASK}{_TALK}(?:,? (?:siempre|solo|solamente|por favor|porfa|a partir de ahora|desde ahora|de ahora en adelante|en adelante|desde hoy|todo|mejor|conmigo|nomas),?){{0,3}} en (?:idioma )?", language, _CONTACT, "request standing"),
    ("contact_language", r"(?:yo )?(?:siempre )?(?:prefiero|preferiria|me gustaria|me siento mas comod[oa]|estoy mas comod[oa]|me manejo mejor|me expreso mejor) (?:hablar(?:te)?|escribir(?:te)?|leer(?:te)?|hablando|escribiendo|que (?:siempre )?(?:me )?(?:habl|respond|contest|escrib|sigamos)[a-z]{0,5}|(?:las|tus) respuestas|las cosas|seguir|todo|comunicarme)?(?: siempre| todo)? ?en ", language, _CONTACT),
    ("contact_language", r"(?:mejor |siempre |solo |todo |siempre todo |de (?:hoy|ahora) en adelante,? |a partir de (?:ahora|hoy),? |desde (?:ahora|hoy),? ){1,2}en ", language, _CONTACT, "standing"),
    ("contact_language", r"(?:yo )?(?:siempre )?prefiero (?:el )?(?=[a-z]+(?: (?:al|a|para|antes|por)\b|$|,))", language, _CONTACT),
    ("contact_language", r"mi idioma (?:preferido|de preferencia) es (?:el )?", language, _CONTACT),
    ("contact_language", rf"{_ASK}{_REACH} (?:siempre |solo |mejor |todo |por favor |las novedades |cualquier cosa |lo que sea |los avisos |cuando [a-z ]{{2,30}} |directo |directamente ){{0,2}}(?:por|al|via|a traves del?|en el|mediante) (?:mi |el |la |un |una )?(?P<v>{_CHANNELS})\b", None, _CHANNEL, "request"),
    ("contact_language", rf"(?:[a-z ]{{0,30}}\b)?(?:mejor|prefiero|preferiria|siempre|solo|solamente|unicamente) (?:que sea )?(?:por|al|via) (?:el |mi )?(?P<v>{_CHANNELS})\b", None, _CHANNEL, "marked"),
    ("contact_language", rf"(?:yo )?(?:siempre )?prefiero (?:el |la |los |las |un |una )?(?P<v>{_CHANNELS})\b", None, _CHANNEL),
    ("contact_language", rf"(?:la |lo )?mejor (?:forma |manera |via |modo )?(?:de|para) (?:contactarme|ubicarme|hablar conmigo|localizarme|comunicarse conmigo|avisarme|encontrarme) es (?:por |al |el |via )?(?:el )?(?P<v>{_CHANNELS})\b", None, _CHANNEL),
    ("contact_language", rf"(?:por|al) (?:el )?(?P<v>{_CHANNELS}) (?:mejor|siempre|por favor siempre|es mejor|me viene mejor|me va mejor)\b", None, _CHANNEL),
    ("contact_language", rf"mejor (?:un |una |con )?(?P<v>{_CHANNELS})\b(?! (?:de|del|que|para)\b)", None, _CHANNEL, "marked"),
    ("contact_language", rf"(?:me (?:localizas|encuentras|ubicas|pillas|hallas)|(?:a mi )?me viene mejor|respondo antes|contesto antes)(?: mejor| siempre| antes)? (?:por|al|en) (?:el |mi |la )?(?P<v>{_CHANNELS})\b", None, _CHANNEL),
)  # fmt: skip

SPANISH = rules(_TABLE)
