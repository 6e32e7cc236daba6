"""Sentences and clauses of a turn, limited to the speaker's own statements.

All functions keep positions: the folded text has exactly one character for each character of the turn, so that
the basis of a fact can be quoted exactly.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from strata.domain.text.sentences import NO_END, Sentence, sentences

HIDDEN = "\x00"
"""Replaces each character that is not the speaker's own."""

LONGEST = 1500
"""The most characters of a sentence; a longer one was pasted."""

_NOT_SAID = re.compile(
    r"```.{0,100000}?(?:```|\Z)"  # code
    r"|`[^`\n]{0,400}`"
    r"|“[^“”]{0,4000}(?:”|\Z)"  # quotations
    r"|«[^«»]{0,4000}(?:»|\Z)"
    r"|\"[^\"]{1,4000}\""
    r"|(?<![\w'])'(?=\S)[^'\n]{0,400}(?:'(?=\w)[^'\n]{0,400}){0,12}(?<=\S)'(?!\w)"
    r"|^[ \t]{0,8}>[^\n]{0,4000}"  # a quoted mail
    r"|https?://\S{1,2000}",
    re.DOTALL | re.MULTILINE,
)
_END = re.compile(rf"\.{{2,}}|…|\.{NO_END}(?=\s|\Z)|[!?]+|\n")
_CODE = re.compile(r"[{}=<>\[\]\\]|::|\w\(\)|;\s*$")
_JOINT = re.compile(
    r"[,;:()/]\s*|\s-+\s+|[\u2013\u2014]\s*"
    r"|\b(?:and|but|so|because|since|cause|cuz|bc|cos|as|plus|though|although|while|whereas|y|e|pero|porque|pues|ya que"
    r"|como|que|aunque|asi que|o sea|entonces|mientras)\s+|\s&\s+"
)
_OPENERS = re.compile(
    r"(?:[\s¿¡*_\"]+|(?:hi|hello|hey|hiya|yo|ok|okay|well|btw|by the way|also|anyway|anyways|oh|ah|fyi|actually|honestly"
    r"|seriously|personally|look|listen|please|pls|plz|just|sorry|so|and|but|lol|haha|hmm|um|yeah|yes|yep|sure|right|thanks"
    r"|thank you|good morning|morning|evening|(?:just )?so (?:you|u) know|for (?:some )?(?:context|background|reference)"
    r"|for the record|(?:please )?remember(?: that)?|(?:please )?note(?: that)?|keep in mind(?: that)?"
    r"|bear in mind(?: that)?|you should know(?: that)?|(?:please )?don'?t forget(?: that)?|as you know|the thing is"
    r"|fun fact|to be honest|tbh|in my case|given(?: that)?|no (?=i\b|i'm\b|im\b|my\b)|ps|p\.s\.|quick (?:one|question)"
    r"|context|about me|first off|one more thing|heads up|for what it'?s worth|fwiw|in general|generally|usually|mostly"
    r"|hola|buenas(?: tardes| noches)?|buenos dias|buen dia|por cierto|la verdad(?: es)?(?: que)?|(?:lo que pasa )?es que"
    r"|(?:recuerda|recorda|acuerdate(?: de)?|acordate(?: de)?|ten en cuenta|tene en cuenta|tenga en cuenta"
    r"|toma nota(?: de)?|apunta|anota|que sepas|para que sepas|te cuento|te comento|le comento|les cuento|sabe|sepa) que"
    r"|en mi caso|a mi(?= me\b| no me\b| llam| dime\b| decime\b)|bueno|mira|mire|che|oye|oiga|por favor|porfa|porfis|ademas|tambien|en realidad"
    r"|sinceramente|ya(?! no\b)|perdon|perdona|disculpa|gracias|si(?=,)|eh|ay|pues|normalmente|en general|actualmente|ahora"
    r"|hoy en dia|currently|nowadays|these days|corrijo|correccion|correction|a ver|tio|tia|hermano|amigo|dato|contexto"
    r")(?:\b[\s,:]*))"
)


def own(text: str) -> str:
    """The text with code, quotations, quoted mail and URLs hidden, of the same length."""
    return _NOT_SAID.sub(lambda found: HIDDEN * len(found.group()), text)


def spoken(folded: str) -> Iterator[Sentence]:
    """The sentences of a folded turn, without code and without those that are too long."""
    for sentence in sentences(folded, _END):
        start = sentence.start
        while start < sentence.end and folded[start].isspace():
            start += 1
        length = sentence.end - start
        if 0 < length <= LONGEST and not _CODE.search(folded, start, sentence.end):
            yield replace(sentence, start=start)


def clauses(folded: str, sentence: Sentence) -> list[tuple[int, bool]]:
    """Positions where a clause may begin, each with whether it follows the beginning of the sentence or a mark.

    Opening words ("by the way", "hola") are skipped.
    """
    found = dict[int, bool]()
    for start, marked in _joints(folded, sentence):
        found.setdefault(start, marked)
        opened = start
        for _ in range(6):
            opener = _OPENERS.match(folded, opened, sentence.end)
            if opener is None:
                break
            opened = opener.end()
            found.setdefault(opened, marked)
    return sorted(place for place in found.items() if place[0] < sentence.end)


def _joints(folded: str, sentence: Sentence) -> Iterator[tuple[int, bool]]:
    yield sentence.start, True
    for joint in _JOINT.finditer(folded, sentence.start, sentence.end):
        yield joint.end(), not joint.group()[0].isalpha()
