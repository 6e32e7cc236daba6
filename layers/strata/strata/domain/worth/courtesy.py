"""Greetings, thanks and small talk: messages without use for a later conversation."""

import re
from collections.abc import Sequence

from strata.domain.worth.reading import Utterance

_PHRASES = (
    # greetings
    r"hi|hello|hey|hiya|howdy|yo|sup|greetings|long time no see|nice to (?:meet|see) you",
    r"good (?:morning|afternoon|evening|night|day)",
    r"how(?:'s| are| is) (?:it going|things|you|everything|your day|life)(?: (?:doing|going|today|so far))*",
    r"what'?s (?:up|new)|who are you|what(?:'s| is) your name|can you hear me",
    r"(?:are you|anyone|anybody) (?:there|awake|here|around)",
    r"(?:i'?m|i am|we'?re|doing|all) (?:good|fine|great|ok|okay|well|alright)",
    # thanks
    r"(?:thanks|thank you|thx|ty|cheers|many thanks|much appreciated|appreciate it|i appreciate (?:it|that))"
    r"(?: (?:so much|very much|a lot|a bunch|anyway|for (?:that|this|everything|the help|your (?:help|time))))*",
    # answers and praise
    r"no|yes|yep|yeah|nope|nah|sure|ok|okay|k|kk|alright|right|fine|great|cool|nice|perfect|awesome|excellent",
    r"wow|lol|(?:ha){2,}h?|got it|gotcha|i see|understood|makes sense|sounds good|will do|of course|please|tests?",
    r"no problem|no worries|you'?re welcome|my pleasure|never ?mind|nothing|all good|testing",
    r"(?:that|this|it|you)(?:'?s| is| was|'?re| are| were)? (?:so |very |really |all |super |just )*"
    r"(?:great|perfect|awesome|helpful|good|nice|cool|amazing|fine|it|all|lovely|the best|kind|ok|okay|right)",
    r"i (?:really )?(?:like|love) (?:it|this|that|you|your help)",
    # farewells
    r"bye|goodbye|bye bye|later|take care|ciao|(?:see|talk to) (?:you|ya)(?: (?:later|soon|tomorrow|around|then))?",
    r"have a (?:good|nice|great|lovely) (?:day|one|evening|night|weekend|time)",
    # Spanish
    r"hola|buenas|buen(?:os|as) (?:dias|tardes|noches)|que (?:tal|onda|hay)|como (?:estas|esta|va|andas|te va)",
    r"bien|muy bien|estoy bien|todo bien|genial|perfecto|excelente|estupendo|fenomenal|buenisimo",
    r"si|no|ya|vale|okey|claro|de acuerdo|entendido|entiendo|por supuesto|eso es todo|nada(?: mas)?|por favor",
    r"no te preocupes|de nada|con gusto|un placer|encantad[oa]|mucho gusto|te lo agradezco",
    r"(?:(?:muchas|mil|muchisimas) )?gracias(?: (?:por (?:todo|tu ayuda|la ayuda|eso)|de nuevo|igualmente))*",
    r"adios|chao|chau|hasta (?:luego|pronto|manana)|nos vemos|que tengas (?:un )?buen (?:dia|fin de semana)",
)
_AROUND = (
    "there|all|everyone|again|team|friend|buddy|mate|man|dude|sir|assistant|bot|claude|alexa|siri|amig[oa]|"
    "and|so|oh|well|then|now|very much|today|y|bueno|pues|hoy|muy"
)
_COURTESY = re.compile(rf"(?:(?:{_AROUND}) )*(?:{'|'.join(_PHRASES)})(?: (?:{_AROUND}))*")
_LONGEST = 200
"""The most characters of a courtesy; a longer message has content."""
_PART = re.compile(r"[,:()]+|\s-+\s|\s+(?=(?:gracias|thanks|thank you)\b)")


def courteous(said: Sequence[Utterance]) -> bool:
    """Whether a message is nothing but courtesy; a message without words is."""
    if sum(len(each.text) for each in said) > _LONGEST:
        return False
    parts = [part.strip() for each in said for part in _PART.split(each.text)]
    return all(_COURTESY.fullmatch(part) for part in parts if part)
