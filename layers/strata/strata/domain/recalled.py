"""Recalled memory inside a message: what Strata itself has put there, which must not be learnt again."""

import re

_BLOCK = re.compile(r"<(memory:[a-z_-]{1,40})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)


def without_recalled(text: str) -> str:
    """The text without the `<memory:…>` blocks that `GET /context` gives; an open one ends with the text."""
    return _BLOCK.sub("", text) if "<memory:" in text.lower() else text
