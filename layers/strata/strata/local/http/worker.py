"""One server process: uvicorn under gunicorn."""

import asyncio
import os
import sys
from typing import Any, ClassVar

from uvicorn_worker import UvicornWorker

from strata.local.http.protocol import Protocol


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
