"""Verbs and adverbs that begin a clause of its own where a list could go on: "olives and work as a chef".

All are folded. The lists are closed: an ending such as the Spanish -o tells verbs from things ("vino", "kimono") too
seldom.
"""

import re

from strata.domain.facts.patterns.tables.words import word_set


def _any(words: str) -> str:
    return "(?:" + "|".join(sorted(word_set(words))) + ")"


_OFTEN_EN = (
    r"(?:(?:usually|often|rarely|seldom|sometimes|frequently|normally|generally|typically|regularly|occasionally|hardly"
    r"|scarcely|barely|currently|mainly|absolutely|personally|strongly|honestly|recently|almost always|almost never|nearly always)\b)"
)
_OFTEN_ES = (
    r"(?:(?:casi|a menudo|a veces|normalmente|habitualmente|generalmente|raramente|rara vez|raras veces|frecuentemente|a diario"
    r"|de vez en cuando|de cuando en cuando|ultimamente|actualmente|apenas|sinceramente|realmente|personalmente)\b)"
)
_TASTE_EN = _any("hate adore enjoy prefer dislike detest loathe despise abhor avoid refuse tolerate cherish")
_LOVED = _any(
    "songs song stories story letters letters poems poem poetry scenes films movies novels birds triangles handles and or life"
)
_TASTE_ES = _any(
    """
    adoro amo disfruto disfrutamos prefiero preferimos odio odiamos detesto aborrezco repudio evito rehuyo huyo procuro
    intento trato soporto aguanto tolero
    """
)
_DONE_EN = _any(
    """
    go own eat write read teach study spend buy bring take try tend think know believe wear collect speak sing wake
    drive ride sleep grow keep run manage lead cook bake drink play watch listen walk swim travel garden paint dance
    train practise practice volunteer hike ski climb sail cycle
    """
)
"""Verbs that are things without an object: "theatre and dance"."""
_OBJECT_EN = (
    r" (?:an?|the|my|our|his|her|their|to|in|at|on|for|from|with|about|every|each|it|them|that|this|you|some|any|all|most|mostly|daily"
    r"|there|here|out|up|down|off|twice|once|more|less|only|also|together|as|when|whenever|while|until|alone|late|early"
    r"|everything|lots|plenty|too|very|by)\b"
)
_WHERE = r" (?:in|at|on|near|with|alone|here|there|abroad|by|outside|close|between|just|right|across|for|off|next|around)\b"
_HOW_WORKED = (
    r" (?:as|at|in|for|from|with|on|part|full|nights|shifts|weekends|remotely|mostly|hard|out|there|here|freelance|too|late|two"
    r"|three|four|five|six)\b(?!-)"
)
_PAST_EN = _any(
    "grew moved went became bought started stopped lived worked studied spent quit learned learnt ate drank came"
)
_DONE_ES = _any(
    """
    vivo vivimos resido residimos trabajamos suelo solemos nado corro leo escribo toco bailo cocino salgo hago colecciono
    bebo tomo duermo pinto entreno monto enseno dirijo creo pienso escucho veo miro compro sigo viajamos utilizo uso
    naci creci estudie trabaje empece fui hice programo conduzco necesito busco procuro llevo paso
    """
)
_NOUNS_ES = _any("suelo toco monto paso uso creo")
"""Of these, what is a thing, too, where nothing follows that only a verb has."""
_BOTH_ES = _any("juego canto estudio trabajo viajo practico desayuno pesco remo buceo")
_OBJECT_ES = r" (?:los|las|el|la|una?|al?|en|cada|todos|todas|desde|mucho|mis?|por|como|para|casi|siempre|mas|menos|con)\b"
_INFINITIVE = r" [a-z]{0,12}(?:ar|er|ir)(?:me|te|se|lo|la|los|las)?\b"

TASTES = re.compile(
    rf"(?:{_TASTE_EN}\b|love (?!{_LOVED}\b)[a-z]|{_TASTE_ES}\b|me {_any('encanta encantan gusta gustan')}\b)"
)
"""A verb of liking or avoiding, without its subject."""

BEGINS = re.compile(
    rf"(?:{TASTES.pattern}|{_OFTEN_EN}|{_OFTEN_ES}|(?:live|reside|am living){_WHERE}|work{_HOW_WORKED}|{_DONE_EN}{_OBJECT_EN}"
    rf"|{_PAST_EN}\b|(?!{_NOUNS_ES}\b){_DONE_ES}\b|{_NOUNS_ES}(?:{_OBJECT_ES}|{_INFINITIVE})|{_BOTH_ES}{_OBJECT_ES})"
)
"""The beginning of a clause of its own, without its subject."""
