"""Event filter patterns of Lambda event sources: the subset that the template uses.

See "Filter rule syntax" in the AWS Lambda developer guide: a leaf is a list of alternatives, each a value or
a `prefix`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Predicate = Callable[[Any], bool]

_ABSENT = object()


def compile_filters(patterns: Sequence[Mapping[str, Any]]) -> Predicate:
    """A predicate over records: any pattern matches, or there is none.

    Raises:
        ValueError: a pattern is not supported here.
    """
    predicates = [_pattern(pattern) for pattern in patterns]
    if not predicates:
        return lambda record: True
    return _any(predicates)


def _any(predicates: Sequence[Predicate]) -> Predicate:
    def holds(value: Any) -> bool:
        for predicate in predicates:  # noqa: SIM110 - quicker than a generator
            if predicate(value):
                return True
        return False

    return holds


def _pattern(pattern: Mapping[str, Any]) -> Predicate:
    parts = [(name, _branch(name, branch)) for name, branch in pattern.items()]

    def holds(value: Any) -> bool:
        inner = value if isinstance(value, dict) else {}
        for name, part in parts:  # noqa: SIM110 - quicker than a generator
            if not part(inner.get(name, _ABSENT)):
                return False
        return True

    return holds


def _branch(name: str, branch: Any) -> Predicate:
    if isinstance(branch, Mapping):
        return _pattern(branch)
    if not isinstance(branch, list) or not branch:
        raise ValueError(f"the filter on {name} must be a list of alternatives: {branch!r}")
    alternatives = [_alternative(name, alternative) for alternative in branch]
    return alternatives[0] if len(alternatives) == 1 else _any(alternatives)


def _alternative(name: str, rule: Any) -> Predicate:
    if not isinstance(rule, Mapping):
        return lambda value: type(value) is type(rule) and value == rule
    start = rule.get("prefix")
    if len(rule) == 1 and isinstance(start, str):
        return lambda value: isinstance(value, str) and value.startswith(start)
    raise ValueError(f"the filter on {name} is not understood here: {rule!r}")
