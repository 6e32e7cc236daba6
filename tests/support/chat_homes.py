"""Homes in which other tools keep chats, in the forms that they have on disk."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

BROKEN = '{"type": "user", "mess'


def write(path: Path, text: str) -> Path:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def lines(path: Path, records: Iterable[Any], *, half: bool = False) -> Path:
    """Write a file of JSON lines, of which the last may be written by half."""
    text = "".join(json.dumps(each) + "\n" for each in records)
    return write(path, text + BROKEN if half else text)


def said(source: Any) -> dict[str, list[tuple[str, str, str | None]]]:
    """The messages of each conversation: role, text, and time to the second."""
    return {
        each.id: [(m.role, m.text, m.at.strftime("%Y-%m-%d %H:%M:%S") if m.at else None) for m in each.read()]
        for each in source.conversations()
    }
