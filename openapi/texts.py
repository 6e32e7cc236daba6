"""Texts and examples of the OpenAPI document, read from the files beside this module."""

from pathlib import Path
from typing import Any

import yaml


def _read(name: str) -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load(Path(__file__).with_name(name).read_text(encoding="utf-8"))
    return read


_TEXTS = _read("texts.yaml")
TAGS: dict[str, dict[str, str]] = _TEXTS["tags"]
ERRORS: dict[int, dict[str, str]] = _TEXTS["errors"]
PARAMETERS: dict[str, dict[str, Any]] = {
    name: text for names, text in _TEXTS["parameters"].items() for name in names.split(", ")
}
EXAMPLES: dict[str, tuple[Any, Any]] = {
    operation: (example.get("request"), example.get("answer"))
    for operation, example in _read("examples.yaml")["operations"].items()
}
"""A request body and an answer, by operation; None where there is none."""
