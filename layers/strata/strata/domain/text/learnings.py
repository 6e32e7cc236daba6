"""Learnings that an agent lists in its report, under a heading of their own (engram)."""

import re

_HEADING = re.compile(
    r"^#{2,3}\s+(?:(?:key\s+)?learnings?|aprendizajes(?:\s+clave)?):?[ \t]*$", re.IGNORECASE | re.MULTILINE
)
_NEXT_HEADING = re.compile(r"^#{1,3} ", re.M)
_ITEM = re.compile(r"^\s*(?:\d+[.)]|[-*])\s+(.+)$", re.M)
_SHORTEST, _FEWEST_WORDS = 20, 4


def learnings(text: str) -> list[str]:
    """The items of the last section of learnings that has some, each once; nothing of other text.

    An item is a numbered or bulleted line of at least 20 characters and 4 words.
    """
    for heading in reversed(list(_HEADING.finditer(text))):
        section = _NEXT_HEADING.split(text[heading.end() :], maxsplit=1)[0]
        items = [item.replace("**", "").strip() for item in _ITEM.findall(section)]
        said = [each for each in items if len(each) >= _SHORTEST and len(each.split()) >= _FEWEST_WORDS]
        if said:
            return list(dict.fromkeys(said))
    return []
