"""The `<memory:…>` blocks that recalled memory stands in, in a prompt and in what comes back from it."""

import re

_BLOCK = re.compile(r"<(memory:[a-z_-]{1,40})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<(\s{0,3}/?\s{0,3}memory\s{0,3}:)", re.IGNORECASE)
"""What a model may take for one of their tags."""


def without_recalled(text: str) -> str:
    """The text without such blocks, which must not be learnt again; an open one ends with the text."""
    return _BLOCK.sub("", text) if "<memory:" in text.lower() else text


def untagged(text: str) -> str:
    """A text that none of their tags stands in: what is remembered must not end its own block."""
    return _TAG.sub(r"(\1", text)
