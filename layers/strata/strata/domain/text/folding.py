"""Folding: text without the differences that a comparison ignores, such as case and European accents."""

import re
import unicodedata

_ACCENTS = re.compile("[\u0300-\u036f]+")
# Pictures; skin tones, joiners and variants only change how one looks.
_EMOJI = re.compile("[\u2600-\u27bf\u2b50\u2b55\U0001f300-\U0001f3fa\U0001f400-\U0001faff]")


def fold(text: str, *, keep_length: bool = False) -> str:
    """The text in NFKC, lower case and without the accents of European scripts; an emoji becomes its name.

    Args:
        text: any text.
        keep_length: give one character for each of the text's, so that positions hold in both. Then a symbol
            becomes a comma, an apostrophe straight and a tab a space, and compatibility forms stay.
    """
    if keep_length:
        return text.translate(_BY_CHARACTER)
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", name_emoji(text)).casefold()
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", unicodedata.normalize("NFKD", folded)))


def name_emoji(text: str) -> str:
    """The text with the Unicode name of each emoji in its place."""
    return _EMOJI.sub(_name, text)


def _name(emoji: re.Match[str]) -> str:
    return f" {unicodedata.name(emoji.group(), '').lower()} "


class _ByCharacter(dict[int, str]):
    """A table for `str.translate` that works out each character when it first occurs."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        if unicodedata.category(char) in {"So", "Sk", "Cs"}:
            plain = ","
        else:
            plain = unicodedata.normalize("NFD", char)[0].lower()[:1] or char
        self[code] = plain
        return plain


_BY_CHARACTER = _ByCharacter(
    dict.fromkeys(map(ord, "\u2018\u2019\u00b4"), "'") | dict.fromkeys(map(ord, "\t\u00a0"), " ")
)
