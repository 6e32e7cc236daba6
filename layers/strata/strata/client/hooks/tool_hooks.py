"""`ToolHooks`: wraps an agent's tools to save and search memory by rules."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NotRequired, ParamSpec, Self, TypedDict, TypeVar, Unpack, cast
from weakref import finalize

from strata.client.client import Client
from strata.client.hooks.background import Background
from strata.client.hooks.calling import HookedCall, Means
from strata.client.hooks.rules import HookRules
from strata.client.hooks.text import named_arguments

P = ParamSpec("P")
T = TypeVar("T")

_MAX_NAME = 200
_SEARCHES = 4


class HookOptions(TypedDict):
    """The arguments of `ToolHooks` beside the rules."""

    session_id: str
    project: str
    client: NotRequired[Client]
    auto_save: NotRequired[bool]
    search_timeout: NotRequired[float]
    queue_size: NotRequired[int]
    trace_text: NotRequired[bool]


class ToolHooks:
    """Hooks of one agent's session around its tools, as AgentOps's `toolHooks` declare them.

    Before a tool of `contextInjectTools` runs, memory is searched; hits go into the call's span, never into
    the prompt. After a tool of `memorySaveRules`, a matching result is saved as an observation of this
    session, in the background. The span records skipped rules with their reasons. A tool's arguments, result
    and errors are never changed, and no failure here reaches it.

    Args:
        rules: the rules by tool.
        session_id: the session that saved observations belong to.
        project: the project to search and to save to.
        client: by default a new one for `STRATA_URL`.
        auto_save: whether results are saved at all.
        search_timeout: seconds that a search may take; the tool runs meanwhile, and its result waits at most
            for the rest of them.
        queue_size: results that may wait to be saved; more are skipped.
        trace_text: whether spans may carry queries and titles.
    """

    def __init__(
        self,
        rules: HookRules,
        *,
        session_id: str,
        project: str,
        client: Client | None = None,
        auto_save: bool = True,
        search_timeout: float = 1.0,
        queue_size: int = 256,
        trace_text: bool = True,
    ) -> None:
        self._own = Client() if client is None else None
        searches = Background("strata-search", threads=_SEARCHES, size=_SEARCHES)
        saves = Background("strata-save", threads=1, size=queue_size)
        self._means = Means(
            rules=rules,
            client=client or cast("Client", self._own),
            session_id=session_id,
            project=project,
            auto_save=auto_save,
            search_timeout=search_timeout,
            trace_text=trace_text,
            searches=searches,
            saves=saves,
        )
        for background in (searches, saves):
            finalize(self, background.retire).atexit = False

    @classmethod
    def from_yaml(cls, source: str | os.PathLike[str], **options: Unpack[HookOptions]) -> Self:
        """Hooks with the rules from YAML text, or from the file that a `Path` names.

        Raises:
            HooksError: naming every field that is wrong.
            OSError: the file can't be read.
        """
        return cls(HookRules.from_yaml(source), **options)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], **options: Unpack[HookOptions]) -> Self:
        """Hooks with the rules from parsed YAML.

        Raises:
            HooksError: naming every field that is wrong.
        """
        return cls(HookRules.from_dict(document), **options)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *failure: object) -> None:
        self.close()

    def wrap(self, tool: Callable[P, T], *, name: str | None = None) -> Callable[P, T]:
        """Wrap a tool in its hooks; also a decorator.

        The tool is any callable, sync or async; signature and docstring stay. A generator function is
        returned unchanged: it has no result to read.

        Args:
            tool: the callable.
            name: its name in the rules; by default the function's name.
        """
        if inspect.isgeneratorfunction(tool) or inspect.isasyncgenfunction(tool):
            return cast("Callable[P, T]", tool)
        label = (name or getattr(tool, "__name__", None) or type(tool).__name__)[:_MAX_NAME]
        signature = _signature(tool)

        def begun(args: tuple[Any, ...], kwargs: dict[str, Any]) -> HookedCall:
            call = HookedCall(self._means, label)
            call.begin(lambda: named_arguments(signature, args, kwargs))
            return call

        if _is_async(tool):

            @functools.wraps(tool)
            async def hooked_async(*args: P.args, **kwargs: P.kwargs) -> Any:
                return await _awaited(
                    begun(args, kwargs), lambda: cast("Awaitable[Any]", tool(*args, **kwargs))
                )

            return cast("Callable[P, T]", hooked_async)

        @functools.wraps(tool)
        def hooked(*args: P.args, **kwargs: P.kwargs) -> T:
            return _called(begun(args, kwargs), lambda: tool(*args, **kwargs))

        return hooked

    def flush(self, timeout: float = 5.0) -> bool:
        """Wait until every queued result is saved; False after `timeout` seconds."""
        return self._means.saves.flush(timeout)

    def close(self, timeout: float = 5.0) -> bool:
        """Save queued results for at most `timeout` seconds, and nothing from then on.

        Tools keep working, without hooks. The process does the same at its end, within two seconds.

        Returns:
            Whether every result was saved or refused in time.
        """
        self._means.searches.close(0.0)
        done = self._means.saves.close(timeout)
        if self._own is not None:
            self._own.close()
        return done


def _called(call: HookedCall, tool: Callable[[], T]) -> T:
    try:
        with call.span.current():
            result = tool()
    except BaseException as error:
        call.gave(error=error)
        if isinstance(error, Exception):
            call.wait()
        call.end(error)
        raise
    if inspect.iscoroutine(result):  # an async tool behind a sync function
        return cast("T", _awaited(call, lambda: cast("Awaitable[Any]", result)))
    call.gave(result, whole=not _is_promise(result))
    call.wait()
    call.end()
    return result


async def _awaited(call: HookedCall, tool: Callable[[], Awaitable[Any]]) -> Any:
    try:
        with call.span.current():
            result = await tool()
    except BaseException as error:
        call.gave(error=error)
        if isinstance(error, Exception):
            await call.wait_async()
        call.end(error)
        raise
    call.gave(result, whole=not _is_promise(result))
    await call.wait_async()
    call.end()
    return result


def _is_async(tool: Callable[..., Any]) -> bool:
    return inspect.iscoroutinefunction(tool) or inspect.iscoroutinefunction(getattr(tool, "__call__", None))  # noqa: B004


def _is_promise(result: object) -> bool:
    return inspect.isgenerator(result) or inspect.isasyncgen(result) or inspect.isawaitable(result)


def _signature(tool: Callable[..., Any]) -> inspect.Signature | None:
    try:
        return inspect.signature(tool)
    except (TypeError, ValueError):  # some that are written in C have none
        return None
