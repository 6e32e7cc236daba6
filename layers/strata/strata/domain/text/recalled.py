"""The `<memory:…>` blocks around recalled memory in prompts and transcripts."""

import re
import unicodedata

from strata.domain.text.visible import visible

_BLOCK = re.compile(r"<(memory:[a-z_-]{1,40})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<(?=[\s/\\]*memory\s*:)", re.IGNORECASE)
"""The beginning of what a model may take for a tag of a block."""
_JOINERS = re.compile("[\u200c\u200d\ufe0e\ufe0f\u0300-\u036f]")
"""Characters that are kept, and that a reader of a tag passes over."""


def without_recalled(text: str) -> str:
    """The text without these blocks, which must not be stored again. An open block ends with the text."""
    return _BLOCK.sub("", text) if "<memory:" in text.lower() else text


def untagged(text: str) -> str:
    """The visible text with its `<memory:` tags defused: a memory must not close its own block.

    A tag is one, too, in full-width or other compatible letters (NFKC), and with anything invisible inside.
    """
    text = visible(text)
    if text.isascii():
        return _TAG.sub("(", text)
    read = [_JOINERS.sub("", unicodedata.normalize("NFKC", character)) for character in text]
    places = [place for place, characters in enumerate(read) for _ in characters]
    written = list(text)
    for tag in _TAG.finditer("".join(read)):
        written[places[tag.start()]] = "("
    return "".join(written)
