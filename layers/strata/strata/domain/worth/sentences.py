"""A message as the rules for its worth read it: plain sentences, without what it only quotes."""

import re
from dataclasses import dataclass

from strata.domain.analysis import fold
from strata.domain.recalled import without_recalled

_BEGINNING = 4000
_END = 1000
"""Characters of a long message that are read: what somebody says of a document stands before or after it."""

_QUOTED = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]{1,500}`|\"[^\"\n]{1,500}\"|“[^”\n]{1,500}”|«[^»\n]{1,500}»|^[ \t]*>[^\n]*",
    re.DOTALL | re.MULTILINE,
)
_PICTURES = re.compile("[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]")
_SENTENCE = re.compile(r"([^.!?;\n]|[.](?=[\w/]))+([.!?;]*)")
_NO = re.compile(r"(?:no|nope|wrong|incorrect|sorry|actually|incorrecto|perdon)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, folded to lower case without accents, and whether it asks."""

    text: str
    asks: bool


def sentences(text: str) -> list[Sentence]:
    """The sentences of a message; quotations, code and recalled memory are left out.

    A lone "No." belongs to the sentence after it.
    """
    text = _QUOTED.sub(" ", without_recalled(text))
    if len(text) > _BEGINNING + _END:
        text = f"{text[:_BEGINNING]}\n{text[-_END:]}"
    plain = fold(_PICTURES.sub(" ", text)).replace("’", "'").replace("¿", " ").replace("¡", " ")
    found: list[Sentence] = []
    before = ""
    for match in _SENTENCE.finditer(plain):
        sentence = " ".join(match.group().rstrip(".!?; \t").split()).strip(" ,:-*_#")
        if not sentence:
            continue
        if before:
            sentence, before = f"{before}, {sentence}", ""
        asks = "?" in match.group(2)
        if _NO.fullmatch(sentence) and not asks:
            before = sentence
        else:
            found.append(Sentence(sentence, asks))
    if before:
        found.append(Sentence(before, asks=False))
    return found
