"""The `<memory:…>` blocks around recalled memory in prompts and transcripts."""

import re

_BLOCK = re.compile(r"<(memory:[a-z_-]{1,40})>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(r"<(\s{0,3}/?\s{0,3}memory\s{0,3}:)", re.IGNORECASE)
"""Text that a model may take for a tag of a block."""


def without_recalled(text: str) -> str:
    """The text without these blocks, which must not be stored again. An open block ends with the text."""
    return _BLOCK.sub("", text) if "<memory:" in text.lower() else text


def untagged(text: str) -> str:
    """The text with its `<memory:` tags defused: a memory must not close its own block."""
    return _TAG.sub(r"(\1", text)
