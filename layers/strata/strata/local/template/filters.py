"""Event filter patterns of Lambda event sources: the subset that the template uses.

See "Filter rule syntax" in the AWS Lambda developer guide: a leaf is a list of alternatives, each a value or
a `prefix`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

Predicate = Callable[[Any], bool]

_ABSENT = object()


def compile_filters(patterns: Sequence[Mapping[str, Any]]) -> Predicate:
    """A predicate over records: any pattern matches, or there is none.

    Raises:
        ValueError: a pattern is not supported here.
    """
    all_leaves = [list(_leaves(pattern)) for pattern in patterns] or [[]]

    def passes(record: Any) -> bool:
        for leaves in all_leaves:
            for path, leaf in leaves:
                value = record
                for name in path:
                    value = value.get(name, _ABSENT) if isinstance(value, dict) else _ABSENT
                if not leaf(value):
                    break
            else:
                return True
        return False

    return passes


def _leaves(branch: Mapping[str, Any], path: Sequence[str] = ()) -> Iterator[tuple[Sequence[str], Predicate]]:
    """The paths through a pattern, each with what must hold of the value at its end."""
    for name, inner in branch.items():
        if isinstance(inner, Mapping):
            yield from _leaves(inner, (*path, name))
        elif isinstance(inner, list) and inner:
            yield (*path, name), _leaf(name, inner)
        else:
            raise ValueError(f"the filter on {name} must be a list of alternatives: {inner!r}")


def _leaf(name: str, rules: Sequence[Any]) -> Predicate:
    values = [(type(rule), rule) for rule in rules if not isinstance(rule, Mapping)]
    starts = tuple(_prefix(name, rule) for rule in rules if isinstance(rule, Mapping))
    return lambda value: (
        (isinstance(value, str) and value.startswith(starts)) or (type(value), value) in values
    )


def _prefix(name: str, rule: Mapping[str, Any]) -> str:
    start = rule.get("prefix")
    if len(rule) != 1 or not isinstance(start, str):
        raise ValueError(f"the filter on {name} is not understood here: {rule!r}")
    return start
