"""LoCoMo's conversations as memories and questions (Maharana et al. 2024).

https://github.com/snap-research/locomo. The data is CC BY-NC 4.0: it is read from a path and never kept here.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}
"""Category 5 asks for what was never said; it has nothing to find and is left out."""

_TURN = re.compile(r"D:?\s*(\d+)\s*:\s*(\d+)")
_SESSION = re.compile(r"session_(\d+)")

TurnId = tuple[int, int]
"""Session and turn, counted from 1."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a conversation, as the memory that is saved."""

    id: TurnId
    speaker: str
    memory: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the turns that hold its evidence."""

    text: str
    category: int
    gold: frozenset[TurnId]


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation's turns in order, and the questions about it that have evidence."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def load(path: Path) -> list[Conversation]:
    """Read a LoCoMo file.

    Raises:
        OSError, ValueError, KeyError: it cannot be read, or is not LoCoMo.
    """
    return [conversation(sample) for sample in json.loads(path.read_text(encoding="utf-8"))]


def conversation(sample: Mapping[str, Any]) -> Conversation:
    """One sample of the file."""
    spoken = sample["conversation"]
    numbers = sorted(int(found[1]) for name in spoken if (found := _SESSION.fullmatch(name)))
    turns = tuple(
        _turn(turn, spoken.get(f"session_{number}_date_time", ""))
        for number in numbers
        for turn in spoken[f"session_{number}"]
    )
    there = {turn.id for turn in turns}
    questions = (_question(asked, there) for asked in sample["qa"] if asked["category"] in CATEGORIES)
    return Conversation(sample["sample_id"], turns, tuple(each for each in questions if each.gold))


def evidence(written: Iterable[str]) -> frozenset[TurnId]:
    """The turns these strings name, one or several each, zero-padded or not; what is no id is dropped."""
    return frozenset((int(session), int(turn)) for text in written for session, turn in _TURN.findall(text))


def _turn(turn: Mapping[str, Any], date: str) -> Turn:
    (turn_id,) = evidence([turn["dia_id"]])
    picture = f" [shares image: {turn['blip_caption']}]" if turn.get("blip_caption") else ""
    return Turn(turn_id, turn["speaker"], f"[{date}] {turn['speaker']}: {turn['text']}{picture}")


def _question(asked: Mapping[str, Any], there: set[TurnId]) -> Question:
    return Question(asked["question"], asked["category"], evidence(asked.get("evidence") or ()) & there)
