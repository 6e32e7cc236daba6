"""Summaries by a language model, within a time limit."""

from __future__ import annotations

import logging
import threading
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from inspect import isawaitable, iscoroutinefunction

from strata.client.working_memory.digest import Digest
from strata.client.working_memory.messages import Message
from strata.client.working_memory.parts import Text
from strata.client.working_memory.summaries import LONGEST_TOLD, folded, rendered

logger = logging.getLogger("strata.client")

Summarize = Callable[[Sequence[Message]], str | Awaitable[str]]
"""Writes a summary of these messages; the first may be an earlier summary."""


def summary(messages: Sequence[Message], summarize: Summarize | None, timeout: float) -> Message:
    """One message that replaces these.

    `summarize` runs in its own thread. When it fails, writes nothing, or takes more than `timeout` seconds
    (the thread is then abandoned), the summary is the deterministic one.

    Raises:
        TypeError: `summarize` is asynchronous.
    """
    written: object = None
    if summarize is not None:
        try:
            written = _in_thread(summarize, messages).result(timeout)
        except Exception as error:  # whatever it is: the conversation goes on
            _tell(error)
        if isawaitable(written):
            _dispose(written)
            raise TypeError("an asynchronous summarize needs the asynchronous methods of WorkingMemory")
    return _message(messages, written)


async def async_summary(messages: Sequence[Message], summarize: Summarize | None, timeout: float) -> Message:
    """As `summary` without blocking the event loop; `summarize` may be asynchronous."""
    import asyncio  # noqa: PLC0415 - an agent that never awaits need not load it

    written: object = None
    if summarize is not None:
        task = asyncio.ensure_future(_awaited(summarize, messages))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # also when nobody waits
        try:
            done, _ = await asyncio.wait({task}, timeout=timeout)
        finally:
            task.cancel()
        try:
            if not done:
                raise TimeoutError
            written = task.result()
        except (Exception, asyncio.CancelledError) as error:  # as above; a task that is done cancelled itself
            _tell(error)
    return _message(messages, written)


async def _awaited(summarize: Summarize, messages: Sequence[Message]) -> object:
    import asyncio  # noqa: PLC0415 - as above

    if iscoroutinefunction(summarize):
        return await summarize(messages)
    written = await asyncio.wrap_future(_in_thread(summarize, messages))
    return await written if isawaitable(written) else written


def _in_thread(summarize: Summarize, messages: Sequence[Message]) -> Future[object]:
    """A daemon thread: unlike an executor's, it does not delay the program's end."""
    future: Future[object] = Future()
    future.set_running_or_notify_cancel()
    context = copy_context()

    def run() -> None:
        try:
            future.set_result(context.run(summarize, messages))
        except BaseException as error:  # it is told to whoever waits
            future.set_exception(error)

    threading.Thread(target=run, name="strata-summarize", daemon=True).start()
    return future


def _message(messages: Sequence[Message], written: object) -> Message:
    if isinstance(written, str) and (told := written.strip()):
        count = sum(message.digest.messages if message.digest else 1 for message in messages)
        digest = Digest(messages=count, told=told[:LONGEST_TOLD])
    else:
        digest = folded(messages)
    return Message("user", (Text(rendered(digest)),), digest=digest)


def _tell(error: BaseException) -> None:
    logger.warning("no summary came from the model (%s); a deterministic one stands in", type(error).__name__)


def _dispose(written: object) -> None:
    close = getattr(written, "close", None) or getattr(written, "cancel", None)
    if close:
        close()
