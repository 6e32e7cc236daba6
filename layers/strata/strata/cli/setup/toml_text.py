"""TOML edited as text: an entry is a table at the end of the file."""

import json
import re
import tomllib
from collections.abc import Sequence
from typing import Any

from strata.cli.setup.entries import NAME, Edited, Entry, Format, Unreadable, found, is_server

_PATH = "mcp_servers", NAME
_TABLE = re.compile(
    rf'^[ \t]*\[mcp_servers\."?{NAME}"?(?:\.[^\]\n]*)?\][^\n]*(?:\n|\Z)'
    r"(?:(?:[ \t\r]*(?:#[^\n]*)?\n)*[ \t]*[^\s#\[][^\n]*(?:\n|\Z))*",
    re.MULTILINE,
)
"""The table and its subtables, each up to its last line; comments before the next table are not its own."""


def _read(text: str) -> Any:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"is not TOML: {error}") from error


def _add(edited: Edited, entry: Entry) -> None:
    before, newline = edited.text, "\r\n" if "\r\n" in edited.text else "\n"
    lines = [f"[{'.'.join(entry.path)}]"]
    lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.value.items()]
    gap = "" if not before else newline if before.endswith("\n") else newline * 2
    edited.insert((len(before), gap + newline.join(lines) + newline))
    _check(edited.text, before)


def _remove(text: str, made: Sequence[tuple[str, ...]]) -> str:
    if not is_server(found(_read(text), _PATH)):
        return text
    rest = _TABLE.sub("", text)
    _check(rest, text)
    if found(_read(rest), _PATH) is not None:
        raise Unreadable(f"has {'.'.join(_PATH)} in a form that can't be taken out: do it by hand")
    return rest


def _check(text: str, before: str) -> None:
    """Raise unless both say the same but for the entry."""
    try:
        same = _others(_read(text)) == _others(_read(before))
    except Unreadable:
        same = False
    if not same:
        raise Unreadable(f"has {_PATH[0]} in a form that can't be changed: do it by hand")


def _others(document: dict[str, Any]) -> dict[str, Any]:
    servers = document.get(_PATH[0])
    if not isinstance(servers, dict):
        return document
    rest = {name: server for name, server in servers.items() if name != NAME}
    return {key: value for key, value in document.items() if key != _PATH[0]} | ({"": rest} if rest else {})


TOML = Format(_read, _add, _remove)
