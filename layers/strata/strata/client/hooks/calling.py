"""The hooks around one tool call. Nothing here makes the call fail or changes it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from strata.client.calls import observations
from strata.client.client import Client
from strata.client.errors import StrataClientError
from strata.client.hooks.background import Background, Pending, pending
from strata.client.hooks.matching import Capture, Decision, Skip, decide, is_memory_tool, query_of
from strata.client.hooks.rules import HookRules
from strata.client.hooks.spans import UNSEEN, Attribute, ToolSpan, tool_span
from strata.client.hooks.text import MAX_RESULT, as_text
from strata.domain.text.recalled import without_recalled
from strata.domain.wire.fields import MAX_CONTENT

if TYPE_CHECKING:
    from strata.domain.wire.observations import SearchHit

_log = logging.getLogger("strata.client.hooks")


@dataclass(frozen=True, slots=True)
class Means:
    """Shared state of all calls of one `ToolHooks`. `search_timeout` is in seconds."""

    rules: HookRules
    client: Client
    session_id: str
    project: str
    auto_save: bool
    search_timeout: float
    trace_text: bool
    searches: Background
    saves: Background


class HookedCall:
    """The hooks around one call: `begin`, the tool itself, `gave`, `wait` for the search, `end`."""

    def __init__(self, means: Means, tool: str) -> None:
        self._means = means
        self._tool = tool
        self._arguments: dict[str, Any] = {}
        self._search: Pending[list[SearchHit]] | None = None
        self._decision: Decision = (None, [])
        self.span: ToolSpan = UNSEEN

    def begin(self, arguments: Callable[[], dict[str, Any]]) -> None:
        """Open the span and start the search; the tool does not wait for it."""
        with _harmless("begin"):
            self.span = tool_span(self._tool, with_text=self._means.trace_text)
            self._arguments = arguments()
            with self.span.current():
                self._start_search()

    def _start_search(self) -> None:
        rule = next((rule for rule in self._means.rules.inject_rules if rule.tool == self._tool), None)
        if rule is None:
            return
        query = query_of(rule, self._arguments)
        if not query:
            self._not_injected("empty_query")
            return
        client, project, limit = self._means.client, self._means.project, rule.limit
        self._search = pending(
            self._means.searches,
            lambda: client.search(query, project=project, limit=limit),
            self._means.search_timeout,
        )
        if self._search is None:
            self._not_injected("too_many_searches")

    def gave(self, result: object = None, error: BaseException | None = None, *, whole: bool = True) -> None:
        """Read the tool's result before others can change it.

        Args:
            result: the return value.
            error: the exception; its text is used as the result.
            whole: False for a result that is still to be produced, such as a generator.
        """
        with _harmless("rules"):
            if not whole or not (error is None or isinstance(error, Exception)):
                self._decision = _nothing("no_result")  # streamed, or given up: not what the tool says
            else:
                self._decision = self._decide(result if error is None else f"{type(error).__name__}: {error}")

    def _decide(self, result: object) -> Decision:
        tool, arguments, rules = self._tool, self._arguments, self._means.rules.save_rules
        if is_memory_tool(tool):
            return _nothing("memory_tool")
        if not self._means.auto_save:
            return _nothing("auto_save_off")
        if not any(rule.tool == tool for rule in rules):
            return _nothing("no_rule")
        limit = MAX_RESULT if isinstance(result, str) else MAX_CONTENT + 1  # JSON takes time to make
        output = without_recalled(as_text(result, limit)).strip()
        if not output:
            return _nothing("empty_output")
        return decide(rules, tool, arguments, output)

    def wait(self) -> None:
        """Wait for the search, up to its deadline."""
        if self._search is not None:
            self._search.wait()

    async def wait_async(self) -> None:
        """`wait` without blocking the event loop."""
        if self._search is not None:
            await self._search.wait_async()

    def end(self, error: BaseException | None = None) -> None:
        """Record the outcomes and close the span."""
        with _harmless("search"):
            self._record_search()
        with _harmless("rules"):
            self._carry_out(*self._decision)
        with _harmless("end"):
            self.span.end(error)

    def _record_search(self) -> None:
        if self._search is None:
            return
        if self._search.given_up():
            self._not_injected("search_timeout")
        elif error := self._search.future.exception():
            self._not_injected("search_failed", error=_code(error))
        elif hits := self._search.future.result():
            self.span.event("hook.context_injected", {"tool": self._tool, "results": len(hits)})
            self.span.found(hits)
        else:
            self.span.event("hook.context_inject_empty", {"tool": self._tool})

    def _carry_out(self, capture: Capture | None, skips: list[Skip]) -> None:
        for skip in skips:
            self._not_saved(skip)
        if capture is None:
            return
        means, tool = self._means, self._tool
        with self.span.current():  # the save belongs to this trace
            queued = means.saves.submit(lambda: _save(means, tool, capture))
        if queued is None:
            self._not_saved(Skip("queue_full"))
            return
        about: dict[str, Attribute] = {
            "tool": tool,
            "type": capture.type,
            "content_length": len(capture.content),
            "content_cut": capture.is_cut,
        }
        self.span.event("hook.memory_saved", about, title=capture.title)

    def _not_saved(self, skip: Skip) -> None:
        about = {"tool": self._tool, "reason": skip.reason, "rule": skip.rule, "arg": skip.arg}
        self.span.event("hook.memory_save_skipped", about)

    def _not_injected(self, reason: str, *, error: str | None = None) -> None:
        about = {"tool": self._tool, "reason": reason, "error": error}
        self.span.event("hook.context_inject_skipped", about)


def _nothing(reason: str) -> Decision:
    return None, [Skip(reason)]


def _save(means: Means, tool: str, capture: Capture) -> None:
    """Save one capture. It is safe to retry: the server counts the same content as a duplicate."""
    call = observations.save(
        capture.content,
        project=means.project,
        session_id=means.session_id,
        title=capture.title,
        type=capture.type,
        tags=capture.tags,
        scope=capture.scope,
    )
    try:
        means.client.send(replace(call, idempotent=True))
    except Exception as error:
        _log.warning("a result of the tool %s was not saved: %s", tool, _code(error))


def _code(error: BaseException) -> str:
    """The code of an error; its message might quote a user."""
    return error.code if isinstance(error, StrataClientError) else type(error).__name__


@contextmanager
def _harmless(step: str) -> Iterator[None]:
    """Log errors inside, without users' texts, and suppress them."""
    try:
        yield
    except Exception as error:
        _log.warning("a tool hook failed in its %s: %s", step, type(error).__name__)
