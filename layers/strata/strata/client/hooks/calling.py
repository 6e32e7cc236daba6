"""One call of a hooked tool: what happens before, beside and after it. Nothing here fails or alters it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from strata.client import calls
from strata.client.client import Client
from strata.client.errors import StrataClientError
from strata.client.hooks.background import Background
from strata.client.hooks.matching import Capture, decide, is_memory_tool, query_of
from strata.client.hooks.rules import HookRules
from strata.client.hooks.spans import UNSEEN, Attribute, ToolSpan, tool_span
from strata.client.hooks.text import MAX_RESULT, as_text
from strata.domain.recalled import without_recalled

if TYPE_CHECKING:
    from strata.domain.models import SearchHit

_log = logging.getLogger("strata.client.hooks")


@dataclass(frozen=True, slots=True)
class Means:
    """What every call of one set of hooks works with. `search_timeout` is in seconds."""

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
    """The hooks around one call: `begin`, the tool itself, `wait` for the search, then `end`."""

    def __init__(self, means: Means, tool: str) -> None:
        self._means = means
        self._tool = tool
        self._arguments: dict[str, Any] = {}
        self._search: Future[list[SearchHit]] | None = None
        self._until = 0.0
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
        self._search = self._means.searches.submit(lambda: client.search(query, project=project, limit=limit))
        self._until = time.monotonic() + self._means.search_timeout
        if self._search is None:
            self._not_injected("too_many_searches")

    def wait(self) -> None:
        """Wait for the search as long as it still may take."""
        if self._search is not None:
            wait([self._search], self._left())

    async def wait_async(self) -> None:
        """`wait`, while the loop goes on."""
        if self._search is None or self._search.done():
            return
        with suppress(RuntimeError, TimeoutError):  # RuntimeError: a loop that is not asyncio's
            loop, done = asyncio.get_running_loop(), asyncio.Event()

            def tell(_search: Future[list[SearchHit]]) -> None:
                with suppress(RuntimeError):  # the loop was closed in the meantime
                    loop.call_soon_threadsafe(done.set)

            self._search.add_done_callback(tell)
            await asyncio.wait_for(done.wait(), self._left())

    def _left(self) -> float:
        return max(0.0, self._until - time.monotonic())

    def end(self, result: object = None, error: BaseException | None = None, *, whole: bool = True) -> None:
        """Record what was found, save what a rule wants saved, and close the span.

        Args:
            result: what the tool gave; of an `error` its text stands for that.
            whole: False when the result is only the promise of one, as a generator is.
        """
        with _harmless("end"):
            self._record_search()
        with _harmless("end"):
            if not whole or not (error is None or isinstance(error, Exception)):
                self._not_saved("no_result")  # streamed, or given up: not what the tool says
            else:
                self._save(result if error is None else f"{type(error).__name__}: {error}")
        with _harmless("end"):
            self.span.end(error)

    def _record_search(self) -> None:
        if self._search is None:
            return
        if not self._search.done():
            self._search.cancel()
            self._not_injected("search_timeout")
        elif error := self._search.exception():
            code = error.code if isinstance(error, StrataClientError) else type(error).__name__
            self._not_injected("search_failed", error=code)
        elif hits := self._search.result():
            self.span.event("hook.context_injected", {"tool": self._tool, "results": len(hits)})
            self.span.found(hits)
        else:
            self.span.event("hook.context_inject_empty", {"tool": self._tool})

    def _save(self, result: object) -> None:
        rules = self._means.rules.save_rules
        if is_memory_tool(self._tool):
            self._not_saved("memory_tool")
        elif not self._means.auto_save:
            self._not_saved("auto_save_off")
        elif not any(rule.tool == self._tool for rule in rules):
            self._not_saved("no_rule")
        elif not (output := without_recalled(as_text(result, MAX_RESULT)).strip()):
            self._not_saved("empty_output")
        else:
            capture, skips = decide(rules, self._tool, self._arguments, output)
            for skip in skips:
                self._not_saved(skip.reason, rule=skip.rule, arg=skip.arg)
            if capture is not None:
                self._queue(capture)

    def _queue(self, capture: Capture) -> None:
        means, tool = self._means, self._tool
        with self.span.current():  # the save belongs to this trace
            queued = means.saves.submit(lambda: _save(means, tool, capture))
        if queued is None:
            self._not_saved("queue_full")
            return
        about: dict[str, Attribute] = {
            "tool": tool,
            "type": capture.type,
            "content_length": len(capture.content),
            "content_cut": capture.is_cut,
        }
        self.span.event("hook.memory_saved", about, title=capture.title)

    def _not_saved(self, reason: str, *, rule: int | None = None, arg: str | None = None) -> None:
        about = {"tool": self._tool, "reason": reason, "rule": rule, "arg": arg}
        self.span.event("hook.memory_save_skipped", about)

    def _not_injected(self, reason: str, *, error: str | None = None) -> None:
        about = {"tool": self._tool, "reason": reason, "error": error}
        self.span.event("hook.context_inject_skipped", about)


def _save(means: Means, tool: str, capture: Capture) -> None:
    """Save one capture. It may be sent twice: the server knows the same content, and only counts it."""
    call = calls.save(
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
        code = error.code if isinstance(error, StrataClientError) else type(error).__name__
        _log.warning("a result of the tool %s was not saved: %s", tool, code)


@contextmanager
def _harmless(step: str) -> Iterator[None]:
    """What goes wrong inside is told, without words of users, and ends there."""
    try:
        yield
    except Exception as error:
        _log.warning("a tool hook failed in its %s: %s", step, type(error).__name__)
