"""The sentences of a message for the rules of its worth, without quotations."""

import re
from dataclasses import dataclass

from strata.domain.text.folding import fold
from strata.domain.text.recalled import without_recalled
from strata.domain.text.sentences import NO_WRITTEN_END, sentences

_BEGINNING = 4000
_END = 1000
"""Characters that are read of a long message: comments on a document stand before or after it."""

_BLOCKS = re.compile(r"```.*?(?:```|\Z)|^[ \t]*>[^\n]*", re.DOTALL | re.MULTILINE)
_QUOTED = re.compile(r"`[^`\n]{1,500}`|\"[^\"\n]{1,500}\"|“[^”\n]{1,500}”|«[^»\n]{1,500}»")
_HIDDEN = "\x00"
_PICTURES = re.compile("[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]")
_ENDS = re.compile(
    rf"\n|(?:[!?](?![\w/=&])|[\u3002\uff01\uff1f\uff1b]|\.(?![\w/]){NO_WRITTEN_END})[.!?;\u3002\uff01\uff1f\uff1b]*"
)
_HESITANT = re.compile(r"^(?:(?:h+m+|u+m+|uh|oh|ah|well|pues|bueno|mmm),? )+")
_NO = re.compile(r"(?:no|nope|nah|wrong|incorrect|sorry|actually|incorrecto|perdon)")


@dataclass(frozen=True, slots=True)
class Utterance:
    """One sentence as it was written, the same folded and without quotations, and whether it asks."""

    written: str
    text: str
    asks: bool


def utterances(text: str) -> list[Utterance]:
    """The sentences of a message, without blocks of code, quoted lines and recalled memory.

    What stands in quotation marks ends no sentence. A lone "No." belongs to the sentence after it.
    """
    text = _BLOCKS.sub(" ", without_recalled(text))
    if len(text) > _BEGINNING + _END:
        text = f"{text[:_BEGINNING]}\n{text[-_END:]}"
    text = _PICTURES.sub(" ", text).replace(_HIDDEN, " ")
    own = _QUOTED.sub(lambda quoted: _HIDDEN * len(quoted.group()), text)
    found: list[Utterance] = []
    before: Utterance | None = None
    for each in sentences(own, _ENDS):
        written = " ".join(f"{text[each.start : each.end]}{each.mark}".split())
        said = _plain(f"{own[each.start : each.end]}{each.mark}".replace(_HIDDEN, " "))
        if not said:
            continue
        utterance = Utterance(written, said, each.asks)
        if before is not None:
            utterance = Utterance(f"{before.written} {written}", f"{before.text}, {said}", each.asks)
        lone = before is None and not each.asks and _NO.fullmatch(said)
        before = utterance if lone else None
        if not lone:
            found.append(utterance)
    return [*found, before] if before else found


def _plain(written: str) -> str:
    folded = fold(written).replace("’", "'").strip(" .!?;,:-*_#¿¡\u3002")
    return _HESITANT.sub("", " ".join(folded.replace("¿", " ").replace("¡", " ").split()))
