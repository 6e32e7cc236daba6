"""One server process: uvicorn under gunicorn's care, speaking HTTP errors in our own shape."""

import asyncio
import ctypes
import os
import signal
import sys
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn_worker import UvicornWorker

from strata.local.messages import problem

_PR_SET_PDEATHSIG = 1


class Protocol(HttpToolsProtocol):
    """uvicorn's, with our error body for what is not HTTP."""

    def send_400_response(self, msg: str) -> None:
        """Answer what could not be parsed, and hang up."""
        response = problem(400, "this is not a valid HTTP/1.1 request", "invalid_request")
        headers = "".join(f"{name}: {value}\r\n" for name, value in response.headers)
        self.transport.write(
            STATUS_LINE[400] + headers.encode("latin-1") + b"connection: close\r\n\r\n" + response.body
        )
        self.transport.close()


class Worker(UvicornWorker):  # type: ignore[misc]
    """gunicorn's worker class."""

    CONFIG_KWARGS: ClassVar[dict[str, Any]] = {
        "loop": "uvloop",
        "http": Protocol,
        "ws": "none",
        "lifespan": "on",
        "access_log": False,
        "server_header": False,
        "proxy_headers": False,
        "timeout_graceful_shutdown": 9,
    }

    async def _serve(self) -> None:
        watch = None if sys.platform == "linux" else asyncio.create_task(self._watch_parent())
        await super()._serve()
        if watch is not None:
            watch.cancel()

    async def _watch_parent(self) -> None:
        while os.getppid() == self.ppid:
            await asyncio.sleep(0.5)
        os._exit(1)


def end_with_parent(parent: int) -> None:
    """Have the kernel end this process when its parent ends, however that happens (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it went before we could ask
            os._exit(1)
