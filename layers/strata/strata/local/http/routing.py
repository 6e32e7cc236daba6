"""Finds the route of a request as an API Gateway HTTP API does: the most specific one wins.

A literal segment takes precedence over `{name}`, and that over `{name+}`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from urllib.parse import unquote

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Match(Generic[T]):
    """A matching route, its key (`GET /observations/{id}`), and the decoded path parameters."""

    target: T
    route_key: str
    parameters: Mapping[str, str]


@dataclass(slots=True)
class _Node(Generic[T]):
    literal: dict[str, "_Node[T]"] = field(default_factory=dict)
    parameter: "_Node[T] | None" = None
    methods: dict[str, tuple[T, str, tuple[str, ...]]] = field(default_factory=dict)
    greedy: dict[str, tuple[T, str, tuple[str, ...]]] = field(default_factory=dict)


class Router(Generic[T]):
    """Routes by method and path template; a path is split before it is decoded, so `%2F` is no separator."""

    def __init__(self) -> None:
        self._root: _Node[T] = _Node()

    def add(self, method: str, path: str, target: T) -> None:
        """Add a route; raises `ValueError` when the same method and path shape exists already."""
        node, names, greedy = self._root, [], False
        for segment in path.strip("/").split("/") if path != "/" else []:
            if greedy:
                raise ValueError(f"{path}: nothing may follow a greedy parameter")
            if segment.startswith("{") and segment.endswith("+}"):
                names.append(segment[1:-2])
                greedy = True
            elif segment.startswith("{") and segment.endswith("}"):
                names.append(segment[1:-1])
                if node.parameter is None:
                    node.parameter = _Node()
                node = node.parameter
            else:
                node = node.literal.setdefault(segment, _Node())
        leaf = node.greedy if greedy else node.methods
        if method in leaf:
            raise ValueError(f"{method} {path} is declared twice (as {leaf[method][1]})")
        leaf[method] = (target, f"{method} {path}", tuple(names))

    def match(self, method: str, raw_path: str) -> Match[T] | None:
        """The route for a still percent-encoded path, or None."""
        segments = raw_path[1:].split("/") if raw_path not in ("", "/") else []
        found = _find(self._root, method, segments, 0, [])
        if found is None:
            return None
        (target, route_key, names), values = found
        return Match(target, route_key, dict(zip(names, map(unquote, values), strict=True)))


_Leaf = tuple[tuple[T, str, tuple[str, ...]], list[str]]


def _find(node: _Node[T], method: str, segments: list[str], at: int, values: list[str]) -> "_Leaf[T] | None":
    if at == len(segments):
        leaf = node.methods.get(method) or node.methods.get("ANY")
        return None if leaf is None else (leaf, values)
    segment = segments[at]
    # A literal may be asked for percent-encoded too.
    following = node.literal.get(unquote(segment) if "%" in segment else segment)
    if following is not None and (found := _find(following, method, segments, at + 1, values)):
        return found
    if (
        node.parameter is not None
        and segment
        and (found := _find(node.parameter, method, segments, at + 1, [*values, segment]))
    ):
        return found
    greedy = node.greedy.get(method) or node.greedy.get("ANY")
    return None if greedy is None else (greedy, [*values, "/".join(segments[at:])])
