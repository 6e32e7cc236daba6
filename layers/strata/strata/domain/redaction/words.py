"""Values that are no secrets: names made of words and numbers, variables, placeholders."""

import re
from functools import cache

compiled = cache(re.compile)
"""Compiles a pattern once: few of so many are needed, and none at the start of a process."""

_SEPARATORS = re.compile(r"[-_./:+=,~@]+")
_TERM = re.compile(
    r"(?i)(?:sha|base|oauth|ed|utf|argon|pbkdf|[rhe]s|aes|md|x|ipv|http|v|python|node|rsa|tls|ssl|es|k\d?s|s|ec|b|i|u?int"
    r"|float|bf|fp|win|amd|arm|py|cp|gpt|t|q|p|h|w|d)-?\d{1,5}[a-z]{0,2}"
)
_RUN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_CAPITALIZED = re.compile("[A-Z][a-z]{2,}")
_MIXED = 0.25
"""Runs of one class of letters for each character: words have fewer, random letters have more."""


def is_name(value: str) -> bool:
    """Whether a value is made of words, numbers and technical terms, as names, dates and versions are."""
    if mixture(value) >= _MIXED:
        return False
    return all(
        part.isalpha()
        or part.isdigit()
        or _numbered(part)
        or _TERM.fullmatch(part)
        or len(_CAPITALIZED.findall(part)) > 1
        for part in _SEPARATORS.split(value)
        if part
    )


def mixture(value: str) -> float:
    """Changes between digits, words and capitals for each character of a value, 0 to 1."""
    runs, length = 0, 0
    for part in _SEPARATORS.split(value):
        if part:
            found = _RUN.findall(part)
            runs += max(len(found) - 1, 0)
            length += len(part)
    return runs / length if length else 0.0


def _numbered(part: str) -> bool:
    """Whether a part is a word with a short number, such as `node18`."""
    word = part.rstrip("0123456789")
    return word.isalpha() and len(word) >= 3 and len(part) - len(word) <= 2
