"""Matches rules to a call: the query to search for, and the observation to save. No I/O."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from strata.client.hooks.patterns import Budget, TooCostly
from strata.client.hooks.rules import FROM_TOOL_ARGS, InjectRule, SaveRule
from strata.client.hooks.text import as_text
from strata.domain.wire.contexts import CONTEXT_QUERY_RUNES
from strata.domain.wire.fields import MAX_CONTENT, MAX_TAG

_TELLING = ("command", "query", "path")
"""The most descriptive arguments of a call, in order (AgentOps)."""
_MEMORY_TOOLS = (
    *("mem_save", "mem_search", "mem_context", "mem_get", "mem_timeline", "memory_ask_about_user"),
    *("mem_update", "mem_delete", "mem_session_summary", "mem_entity", "mem_forget"),
)
_MAX_ARGUMENT = 10_000


@dataclass(frozen=True, slots=True)
class Skip:
    """The reason why a call was not saved; `rule` is the rule's index, `arg` the deciding argument."""

    reason: str
    rule: int | None = None
    arg: str | None = None


@dataclass(frozen=True, slots=True)
class Capture:
    """An observation to be saved."""

    type: str
    scope: str
    title: str
    content: str
    tags: list[str]
    is_cut: bool


Decision = tuple[Capture | None, list[Skip]]
"""The observation to save, if any, and the skipped rules with their reasons."""


def is_memory_tool(tool: str) -> bool:
    """Whether a tool is one of Strata's own, also with a framework's prefix (`mcp__x__`)."""
    return any(
        tool == own or (tool.endswith(own) and tool[-len(own) - 1] in "_.:/-") for own in _MEMORY_TOOLS
    )


def query_of(rule: InjectRule, arguments: Mapping[str, Any]) -> str:
    """The query to search for before the call; empty when its arguments hold no text."""
    if rule.query != FROM_TOOL_ARGS:
        text = rule.query
    else:
        text = _telling(arguments) or " ".join(
            value for value in arguments.values() if isinstance(value, str)
        )
    return " ".join(as_text(text, CONTEXT_QUERY_RUNES).split())


def decide(rules: Sequence[SaveRule], tool: str, arguments: Mapping[str, Any], output: str) -> Decision:
    """Apply the first matching rule to the output, with the reasons why earlier rules were skipped.

    A call is saved at most once.
    """
    skips: list[Skip] = []
    budget = Budget()
    for place, rule in enumerate(rules):
        if rule.tool != tool:
            continue
        try:
            skip = _refusal(rule, place, arguments, output, budget)
        except TooCostly:
            skip = Skip("match_too_costly", place)
        if skip is None:
            return _capture(rule, tool, arguments, output), skips
        skips.append(skip)
    return None, skips or [Skip("no_rule")]


def _refusal(
    rule: SaveRule, place: int, arguments: Mapping[str, Any], output: str, budget: Budget
) -> Skip | None:
    for name, pattern in rule.match_args.items():
        value = as_text(arguments.get(name), _MAX_ARGUMENT)
        if not value:
            return Skip("arg_missing", place, name)
        if not budget.finds(pattern, value):
            return Skip("arg_not_matched", place, name)
    if rule.match_output is not None and not budget.finds(rule.match_output, output[:MAX_CONTENT]):
        return Skip("output_not_matched", place)
    return None


def _capture(rule: SaveRule, tool: str, arguments: Mapping[str, Any], output: str) -> Capture:
    about = " ".join(_telling(arguments).split())[:80]
    return Capture(
        type=rule.type,
        scope=rule.scope,
        title=f"Auto-captured: {tool} — {about}" if about else f"Auto-captured: {tool}",
        content=output[:MAX_CONTENT],
        tags=["auto-capture", "hook", tool[:MAX_TAG]],
        is_cut=len(output) > MAX_CONTENT,
    )


def _telling(arguments: Mapping[str, Any]) -> str:
    for name in _TELLING:
        value = arguments.get(name)
        if isinstance(value, str) and value.strip():
            return as_text(value, _MAX_ARGUMENT)
    return ""
