"""Training messages: which words are a value that people state of themselves, marked as `[Dr Osei|now]`."""

import re
from dataclasses import dataclass
from pathlib import Path

from evals.entities.marked import unmarked

FOLDER = Path(__file__).parent / "stated"
COMPARED = Path(__file__).parent / "compared"
"""Authors to whom what compares two statements is fitted, too, but no reader."""
DOUBTFUL = Path(__file__).parent / "doubtful"
"""Authors to whom only the weights of doubtful statements' links are fitted."""
_MARK = re.compile(r"\[([^\[\]|]+)\|(now|new|old)\]")

Values = tuple[tuple[int, int, str], ...]
"""Beginning, end and tense of each value in a message."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message with the values that it states."""

    text: str
    values: Values


@dataclass(frozen=True, slots=True)
class Block:
    """An attribute whose value changed: a message that tells the older one, and one that tells the newer."""

    attribute: str
    older: Message
    newer: Message


@dataclass(frozen=True, slots=True)
class Part:
    """The text of one author: blocks, and messages from which nothing lasting follows."""

    name: str
    blocks: tuple[Block, ...]
    noise: tuple[Message, ...]

    @property
    def messages(self) -> list[Message]:
        """All of its messages."""
        return [*(each for block in self.blocks for each in (block.older, block.newer)), *self.noise]


def parts(folder: Path | None = None) -> list[Part]:
    """The parts of a folder, by default those for training, by their names: `en01`, `es01` and so on.

    Raises:
        OSError: a file cannot be read.
        ValueError: a line is none of a part; the message names file and line.
    """
    return [_part(path) for path in sorted((folder or FOLDER).glob("*.txt"))]


def _part(path: Path) -> Part:
    blocks: list[Block] = []
    noise: list[Message] = []
    attribute, older = "", None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        kind, _, text = line.partition(" ")
        if kind == "#":
            attribute = text
        elif kind == "n":
            noise.append(_message(text))
        elif kind == "-":
            older = _message(text)
        elif kind == "+" and older is not None and attribute:
            blocks.append(Block(attribute, older, _message(text)))
            attribute, older = "", None
        elif line.strip():
            raise ValueError(f"{path}:{number}: begins with none of # - + n, or out of order")
    return Part(path.stem, tuple(blocks), tuple(noise))


def _message(line: str) -> Message:
    return Message(*unmarked(line, _MARK))
