"""JSON, with comments and trailing commas or without, edited as text: nothing but the entries changes."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from strata.cli.setup.entries import Edited, Entry, Format, Unreadable, is_hook, is_server

_GAP = re.compile(r"(?:[ \t\r\n]|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_BLANKS = " \t\r\n"


@dataclass(slots=True)
class _Node:
    """A value and where it stands; `commas` has the place of the comma behind each child, or None."""

    start: int
    end: int = 0
    value: Any = None
    starts: list[int] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    children: list["_Node"] = field(default_factory=list)
    commas: list[int | None] = field(default_factory=list)

    def at(self, key: str) -> "_Node | None":
        return self.children[self.keys.index(key)] if key in self.keys else None


def _constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")


_decode = json.JSONDecoder(parse_constant=_constant).raw_decode


def _parsed(text: str) -> _Node:
    try:
        start = _gap(text, 0)
        root = _value(text, start)
        if _gap(text, root.end) != len(text):
            raise ValueError("something stands behind the document")
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"is not JSON: {error}") from error
    if not isinstance(root.value, dict):
        raise Unreadable("does not hold a JSON object")
    return root


def _gap(text: str, place: int) -> int:
    found = _GAP.match(text, place)
    return found.end() if found else place


def _value(text: str, place: int) -> _Node:
    opening = text[place : place + 1]
    if opening not in ("{", "["):
        value, end = _decode(text, place)
        return _Node(place, end, value)
    node = _Node(place, value={} if opening == "{" else [])
    closing = "}" if opening == "{" else "]"
    place = _gap(text, place + 1)
    while text[place : place + 1] != closing:
        if node.children and node.commas[-1] is None:
            raise ValueError(f"a comma or {closing} is missing at character {place}")
        node.starts.append(place)
        if opening == "{":
            key, place = _decode(text, place)
            place = _gap(text, place)
            if not isinstance(key, str) or key in node.keys or text[place : place + 1] != ":":
                raise ValueError(f"a key of its own with a colon is missing at character {node.starts[-1]}")
            node.keys.append(key)
            place = _gap(text, place + 1)
        child = _value(text, place)
        node.children.append(child)
        if opening == "{":
            node.value[key] = child.value
        else:
            node.value.append(child.value)
        place = _gap(text, child.end)
        comma = text[place : place + 1] == ","
        node.commas.append(place if comma else None)
        place = _gap(text, place + 1) if comma else place
    node.end = place + 1
    return node


def _read(text: str) -> Any:
    return _parsed(text).value if text.strip() else {}


def _read_strictly(text: str) -> Any:
    value = _read(text)
    try:
        return json.loads(text) if text.strip() else value
    except ValueError as error:
        raise Unreadable(f"is not JSON: {error}") from error


def _add(edited: Edited, entry: Entry) -> None:
    if not edited.text.strip():
        edited.insert((len(edited.text), "{}\n"))
    node, path = _parsed(edited.text), entry.path
    for depth, key in enumerate(path):
        child = node.at(key)
        if child is None:
            value = [entry.value] if entry.listed else entry.value
            for inner in reversed(path[depth + 1 :]):
                value = {inner: value}
            made = range(depth + 1, len(path) + (entry.listed or not entry.needed))
            edited.made += [path[:length] for length in made]
            _append(edited, node, value, key)
            return
        node = child
        wanted = list if entry.listed and depth == len(path) - 1 else dict
        if not isinstance(node.value, wanted):
            kind = "a list" if wanted is list else "an object"
            raise Unreadable(f"has a {'.'.join(path[: depth + 1])} that is not {kind}")
    _append(edited, node, entry.value)


def _append(edited: Edited, node: _Node, value: Any, key: str | None = None) -> None:
    """Append a member or an item in the style of those before it."""
    text, close = edited.text, node.end - 1
    newline = "\r\n" if "\r\n" in text else "\n"
    indented = re.search(r"\n([ \t]+)[^\s/*]", text)
    unit = indented[1] if indented else "  "
    last = node.children[-1].end if node.children else node.start + 1
    comma = node.commas[-1] if node.children else None
    place = len(text[:close].rstrip(_BLANKS))
    before = text[: node.starts[-1]] if node.children else text[:close]
    blanks = before[len(before.rstrip(_BLANKS)) :]
    in_lines = (
        "\n" in blanks
        or place > max(last, (comma or 0) + 1)
        or (not node.children and ("\n" in text.strip() or node.start == _gap(text, 0)))
    )
    if in_lines:
        line = text[text.rfind("\n", 0, node.start) + 1 :]
        base = line[: len(line) - len(line.lstrip(" \t"))]
        own = blanks.rpartition("\n")[2] if node.children and "\n" in blanks else base + unit
        said = json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", newline + own)
        lead = newline + own
        tail = "" if "\n" in text[place:close] else newline + base
    else:
        spaced = " " if ": " in text or not node.children else ""
        said = json.dumps(value, ensure_ascii=False, separators=("," + spaced, ":" + spaced))
        lead, tail = (spaced if node.children else ""), ""
    name = "" if key is None else json.dumps(key) + (": " if in_lines or ": " in text else ":")
    piece = lead + name + said + ("," if comma is not None else "") + tail
    if node.children and comma is None and place == last:
        edited.insert((last, "," + piece))
    elif node.children and comma is None:
        edited.insert((last, ","), (place, piece))
    else:
        edited.insert((place, piece))


def _remove(text: str, made: Sequence[tuple[str, ...]]) -> str:
    while text.strip():
        root = _parsed(text)
        place = next(_ours(root, ()), None) or next(_left(root, made), None)
        if place is None:
            return text
        text = _without(text, *place)
    return text


def _ours(node: _Node, path: tuple[str, ...]) -> Iterator[tuple[_Node, int]]:
    """The places of Strata's entries: a container, and the number of its child."""
    for number, child in enumerate(node.children):
        key = node.keys[number] if node.keys else "*"
        server = key == "strata" and len(path) == 1 and is_server(child.value)
        hook = path[:1] == ("hooks",) and not node.keys and is_hook(child.value)
        if server or hook:
            yield node, number
        elif isinstance(child.value, dict | list) and len(path) < 4:
            yield from _ours(child, (*path, key))


def _left(root: _Node, made: Sequence[tuple[str, ...]]) -> Iterator[tuple[_Node, int]]:
    """The places of members made for Strata that nobody needs any more."""
    for path in sorted(made, key=len, reverse=True):
        node: _Node | None = root
        for key in path[:-1]:
            node = node.at(key) if node else None
        child = node.at(path[-1]) if node else None
        if node and child:
            value = child.value
            if not value if isinstance(value, dict | list) else not root.at("hooks"):
                yield node, node.keys.index(path[-1])


def _without(text: str, node: _Node, number: int) -> str:
    start, end = node.starts[number], node.children[number].end
    start = len(text[:start].rstrip(_BLANKS))
    comma = node.commas[number]
    if comma is not None:
        return text[:start] + text[end:comma] + text[comma + 1 :]
    if number and (before := node.commas[number - 1]) is not None:
        return text[:before] + text[before + 1 : start] + text[end:]
    return text[:start] + text[end:]


JSON = Format(_read_strictly, _add, _remove)
JSONC = Format(_read, _add, _remove)
