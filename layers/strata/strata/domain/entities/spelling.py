"""Names as they are compared: two spellings of one name have one key. And what is spelt as no name is."""

import re
from collections.abc import Iterator

from strata.domain.facts.patterns.tables.words import word_set
from strata.domain.text.folding import fold

LONGEST_NAME = 200
_WORD = re.compile(r"\w+")
_MOST_ENDINGS = 4
_WRITTEN = re.compile(r"[\w./\\-]+")
_IDENTIFIER = re.compile(r"[^\W_]_+[^\W_]")
_FILES = word_set(
    """
    md txt py pyc ts tsx js jsx json jsonl yaml yml toml csv tsv xls xlsx ods doc docx odt rtf tex pdf ppt pptx epub png jpg
    jpeg gif svg webp heic mp3 mp4 wav mov avi zip tar gz rar html htm css scss sql sqlite db sh bat exe ini cfg conf env
    log xml ipynb java rb php cpp lock bak
    """
)


def name_key(name: str) -> str:
    """The words of a name without case, accents and punctuation, with a space between them."""
    return " ".join(_WORD.findall(fold(name).replace("'", "")))


def endings(key: str) -> list[str]:
    """The key, and what is left of it from further words on, for searches that begin with one of these."""
    words = key.split()
    starts = [start for start, word in enumerate(words) if not start or len(word) > 2]
    return [" ".join(words[start:]) for start in starts[:_MOST_ENDINGS]]


def files_in(text: str) -> Iterator[tuple[int, int]]:
    """Where file names, with their paths, and identifiers stand in a text: "CHANGELOG.md", "main_loop"; not "Node.js"."""
    for written in _WRITTEN.finditer(text):
        told = written.group().rstrip(".-/")
        stem, _, ending = told.rpartition(".")
        file = stem and ending.lower() in _FILES and (ending.islower() or told.isupper())
        program = ending == "js" and stem[:1].isupper() and "/" not in stem
        if (file and not program) or _IDENTIFIER.search(told):
            yield written.start(), written.start() + len(told)
