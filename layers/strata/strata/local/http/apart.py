"""Handles a request in a process of its own, so that a long one keeps no other of its worker waiting."""

import asyncio
import json
import logging
import os
import signal
import stat
from collections.abc import Callable
from contextlib import suppress

from strata.local.http.messages import Response, problem
from strata.local.processes import end_with_parent

_log = logging.getLogger(__name__)

_NICE = 5
_FDS = "/dev/fd"


async def apart(handle: Callable[[], Response]) -> Response:
    """The response that `handle` makes in a forked process, which yields the processor to other requests.

    Only for a process without threads: the child has none of them, and would wait for what they hold.
    """
    parent = os.getpid()
    reads, writes = os.pipe()
    pid = os.fork()
    if not pid:
        _run(handle, parent, writes)
    os.close(writes)
    try:
        content = await _read(reads)
    finally:
        os.close(reads)
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)  # it has answered, or nobody waits for it any more
        with suppress(ChildProcessError):
            os.waitpid(pid, 0)
    if not content.endswith(_END):
        _log.error("the process of a large request ended before it answered")
        return problem(500, "something went wrong inside; the log says what", "internal_error")
    head, _, body = content.removesuffix(_END).partition(b"\n")
    status, headers = json.loads(head)
    return Response(status, [(name, value) for name, value in headers], body)


_END = b"\n."


def _run(handle: Callable[[], Response], parent: int, writes: int) -> None:
    """In the child: handle the request, write the response, end."""
    try:
        end_with_parent(parent)
        _close_sockets()
        os.nice(_NICE)
        response = handle()
        head = json.dumps([response.status, response.headers]).encode()
        with os.fdopen(writes, "wb") as pipe:
            pipe.write(head + b"\n" + response.body + _END)
    except BaseException:
        _log.exception("a large request failed")
    finally:
        os._exit(0)  # nothing of the parent's is to be cleaned up here


def _close_sockets() -> None:
    """Close the worker's connections, which would stay open for their clients until this process ends."""
    for name in os.listdir(_FDS):
        with suppress(OSError):
            if stat.S_ISSOCK(os.fstat(int(name)).st_mode):
                os.close(int(name))


async def _read(pipe: int) -> bytes:
    """Everything that is written to a pipe until its other end is closed."""
    loop = asyncio.get_running_loop()
    ended = loop.create_future()
    parts: list[bytes] = []

    def ready() -> None:
        part = os.read(pipe, 1 << 20)
        if part:
            parts.append(part)
        else:
            ended.set_result(None)

    loop.add_reader(pipe, ready)
    try:
        await ended
    finally:
        loop.remove_reader(pipe)
    return b"".join(parts)
