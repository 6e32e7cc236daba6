"""Everyday words of English, Spanish and German: they occur in talk about anything.

A memory that shares nothing else with a message seldom answers it. All are folded.
"""

EVERYDAY = frozenset(
    """
    able abril abrir acht across actual actually add agosto agua air aire aktuell allow along already
    alrededor alt alte alto always andere anderen anderer anderes anderung anfangen ano anos another
    answer antwort antworten appear aprender april arbeit area around art aufhoren aufzahlen auge august
    auto available bajo bastante become begin beginnen beginnt behalten behind beispiel bekommen bekommt
    believe benutzen benutzt beschreiben bevor bewegen big bleiben bleibt bloss body book brauchen braucht
    brief bring bringen bringt buch build business buy cabeza call called cambio car cara carta casa case
    caso change changes child children cien cinco city ciudad clear coche comes comida coming company
    compara compare completo consider contra corta corto country crear create creer cuatro cuerpo current
    cut dado dame dan dar debajo december define definieren deja dejar dejo denken denkt dentro describe
    describir detras dezember dibuja dice dicen diciembre dienstag diez diferencia diferente difference
    different dificil dijo dinero dio distinto domingo donnerstag door draw drei dritte durante early easy
    echt eher eigentlich eight einfach ejemplo empezar empfehlen empfiehl empieza encima encontrar end
    ende enden enero enough entender entlang entonces enviar erklar erklare erklaren erste ersten erster
    erstes escribe escribir escrito esperar essen even every example explain explica explicame explicar
    eye face facil fact fall familia familie family fangt febrero februar february feliz fin final find
    finden findet finds first five follow food forma found four frase frau free frei freitag friday fruh
    fuhlen full funcion funciona funciono funf funktioniert ganz ganze ganzen geben gebraucht gedacht
    gefunden gegangen gegeben gehen geld gemacht genommen gente genug gesagt geschichte geschrieben
    gesehen gesicht gets getting ging given gives glauben gleiche gleichen goes gone government gran
    grande gross grosse grosser group grow grund grupo gruppe habla hacen hacia halb halbe half halt
    halten hand happen happened happens hard haupt haus head hecho heissen heisst high historia hoch hohe
    hombre home hora horas hour hours house hundert hundred idea idee immer important importante include
    incluso informacion information innerhalb ir jahr jahre jahren jamas januar january joven jueves juli
    julio july june jung juni junio kam kaufen keeps kept kid kids kill kinder klappt klein kleine known
    kommen kommt kopf korper kurz kurze lado land lang lange large largo lassen lasst last late laufen
    lead learn least leave leben lebt leer left leicht lernen lesen less letter letzte letzten letzter
    leute libre libro liest life line linea linie list liste little live llama llamaba llamar lleva llevar
    long lose low luft lugar lunes mai main making mal manchmal manera mann mano march martes marz marzo
    mayo media medio meet mehrere meisten meistens men menos mensch menschen mes meses miercoles mil
    minuten minutes minutos mirar misma mismo mittwoch moglich monat monate monaten monday money montag
    month months mostrar move mover mucha muchas mucho muchos mujer mundo nachdem nachste nachsten name
    namen names neben necesita necesitar needed needs nehmen nennen nennt neu neue neuen neuer neues neun
    never new nie niedrig niemals nimmt nina nine nino ninos noche nombre nombres november noviembre nueva
    nuevas nueve nuevo nuevos number numbers numero nummer nunca ocho october octubre offer offnen oft
    often ojo oktober old one open orden order ort others otras otros page pagina pais palabra palabras
    parar part parte pasa pasar paso passieren passiert pay pensar people pequeno person persona personas
    personen piensa place play point pone poner posible possible pregunta primera primero principal probar
    probieren problem problema program provide prueba puerta puesto punkt punto put queda quedar querer
    question quiere quieren quite razon reach read real realmente reason recomienda recomiendame recommend
    reihe reihenfolge remain remember respuesta resume resumeme resumir room run running runs sabado sabe
    saber samstag saturday satz schauen schicken schreiben schreibt schwer sechs seconds seen seguir
    segunda segundo segundos seguro sehen seis seite sekunden selbe semanas send senden sentence sentir
    september septiembre serve service set seven several short show shows side sieben sieht siempre siete
    siguiente simple sit six small sogar solamente sometimes sonntag spat speak spend spielen spielt
    sprechen spricht stadt stand started starts state stay stellen stellt still stunde stunden suggest
    summarize sunday system tage tagen takes taking tarde tausend teil temprano ten tercero terminar text
    texto third thought thousand three thursday times tipo toda todas todavia tomar tonight took toward
    town trabajo traduce traducir translate traves tres tried tuesday tur turn turned turns two typ type
    uberhaupt ubersetze ubersetzen ultima ultimo unterschied usa usado usar use used uses using usually
    vamos van varios veces venir verdad vergleiche vergleichen verschieden versuchen versucht verwenden
    vez vida viejo viele viene vier viernes visto vivir voll wahr wahrend walk wants warten wasser watch
    water ways wechsel wednesday weeks weise welt wenig weniger whole wichtig wieder win wirklich wochen
    woman women word words world wort worte worter write written year years young zahl zehn zeigen zeigt
    zimmer zusammenfassen zwei zweite zweiten
    """.split()  # noqa: SIM905 - a page of words reads better than a page of quotes
)
"""Words of time, number and order, and the commonest verbs, nouns and adverbs."""
