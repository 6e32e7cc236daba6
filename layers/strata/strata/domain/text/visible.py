"""Text as a reader sees it: for prompts and terminals, which also obey what no reader sees."""

import re

_HIDDEN = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # control characters, escape sequences among them
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"  # no width, direction
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb"  # overrides, fillers, variants
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"  # shorthand, music, tags
)
_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1f\x85\u2028\u2029]")


def visible(text: str) -> str:
    """The text without control characters but newline and tab, and without what has no shape of its own.

    Other line breaks become newlines. Joiners and variants of emoji stay, which scripts and pictures need.
    """
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub("", _BREAKS.sub("\n", text))
