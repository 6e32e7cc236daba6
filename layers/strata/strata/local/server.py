"""`strata serve`: the HTTP server of one machine, N worker processes behind one socket.

gunicorn keeps the processes (start, respawn, graceful stop), uvicorn speaks HTTP in each. The code is loaded
once, before the workers are forked, and shared between them; stores are opened in each worker.
"""

import errno
import gc
import logging
import os
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.errors import HaltServer

from strata.bootstrap import application
from strata.entrypoints.observing import logs
from strata.local import tracing
from strata.local.http.asgi import AsgiApp
from strata.local.http.docs import PATH
from strata.local.http.guard import Guard, is_loopback
from strata.local.http.limits import capacity
from strata.local.http.worker import Worker
from strata.local.processes import end_with_parent
from strata.local.queues.background import Background
from strata.local.runtime import Runtime, on_this_machine
from strata.settings import Settings

_log = logging.getLogger(__name__)

GRACE = 10
"""Seconds that requests in flight have to finish after SIGTERM."""
HANG = 300
"""Seconds after which an unresponsive worker is replaced."""
KEEP_ALIVE = 75
"""Seconds that an idle connection stays open; longer than in the clients' own pools."""

_FAILED, _REFUSED = 1, 2


def serve(settings: Settings, template_path: Path | None = None) -> int:
    """Serve until SIGTERM or SIGINT. Returns the exit code of the process: 0, 1 (failed) or 2 (refused).

    The functions read their settings from the environment, so `settings` must be the same. By default this
    installation's template is served.
    """
    # one process a core already: more threads for the small products of a search only get in each other's way
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    logs.set_up(settings.observing.log_format, settings.observing.log_level)
    if settings.auth != "required" and not is_loopback(settings.server.host):
        return _give_up(
            f"Strata does not serve {settings.server.host} without keys: others could read the memories. "
            "Set STRATA_AUTH=required and make a key with 'strata keys create', "
            "or set STRATA_HOST=127.0.0.1.",
            _REFUSED,
        )
    try:
        listener = _bind(settings.server.host, settings.server.port)
    except OSError as error:
        place = f"{settings.server.host}:{settings.server.port}"
        return _give_up(f"Strata cannot listen on {place}: {_reason(error)}.", _FAILED)
    try:
        runtime = on_this_machine(settings, template_path)
        runtime.preload()
        runtime.check()
        _invite(settings)
        application().close()  # a connection must not be carried over a fork
    except Exception as error:
        listener.close()
        _log.debug("the template cannot be run", exc_info=True)
        return _give_up(f"Strata cannot start: {error}", _FAILED)
    return _Server(settings, listener, runtime).serve()


class _Server(BaseApplication):  # type: ignore[misc]
    """The configuration and application for gunicorn."""

    def __init__(self, settings: Settings, listener: socket.socket, runtime: Runtime) -> None:
        self._settings = settings
        self._address = _url(listener)
        self._descriptor = listener.detach()  # gunicorn's from here on
        self._runtime = runtime
        self._announces = False
        self._background = Background(self._work, runtime.watch)
        self._stop_tracing: Callable[[], None] = lambda: None
        super().__init__()

    def load_config(self) -> None:
        """Configure gunicorn; nothing is read from files, arguments or the environment."""
        configuration: dict[str, Any] = {
            "bind": f"fd://{self._descriptor}",
            "backlog": capacity(),
            "workers": self._settings.server.workers or max(2, os.cpu_count() or 1),
            "worker_class": Worker,
            "preload_app": True,
            "timeout": HANG,
            "graceful_timeout": GRACE,
            "keepalive": KEEP_ALIVE,
            "loglevel": "error",
            "control_socket_disable": True,
            "when_ready": _share_memory,
            "post_fork": self._forked,
        }
        for name, value in configuration.items():
            self.cfg.set(name, value)

    def load(self) -> AsgiApp:
        """The application, loaded before the workers are forked."""
        chosen = self._settings.server
        guard = Guard(chosen.host, chosen.allowed_hosts, chosen.allowed_origins)
        threads = self._settings.remote or bool(self._settings.observing.otlp_endpoint)
        return AsgiApp(self._runtime.gateway, guard, self._start, self._stop, threads=threads)

    def serve(self) -> int:
        """Run until stopped; return the exit code."""
        parent = os.getpid()
        try:
            _Arbiter(self, self._background).run()
        except SystemExit as stop:
            if os.getpid() != parent:  # a worker's end: its code tells the parent whether it ever started
                raise
            return 0 if stop.code in (0, None) else _FAILED
        except HaltServer:  # more than one worker did not start
            return _FAILED
        return 0

    def _forked(self, arbiter: Arbiter, worker: Worker) -> None:
        end_with_parent(arbiter.pid)
        self._announces = worker.age == 1

    def _start(self) -> None:
        """In a worker, before its first request: open the stores."""
        if self._settings.observing.otlp_endpoint:
            self._stop_tracing = tracing.start()
        self._runtime.check()
        if self._announces:
            data, docs = self._settings.data_dir, f"{self._address}{PATH}"
            sys.stdout.write(
                f"Strata listens on {self._address} (data in {data}; docs: {docs}; Ctrl+C stops it)\n"
            )
            sys.stdout.flush()

    def _work(self, wait: Callable[[float], bool]) -> None:
        """In the background process: follow the stream, run queues and schedules."""
        if self._settings.observing.otlp_endpoint:
            self._stop_tracing = tracing.start()
        self._runtime.work(wait)
        self._runtime.stop()
        self._stop()

    def _stop(self) -> None:
        self._stop_tracing()
        application().close()


class _Arbiter(Arbiter):  # type: ignore[misc]
    """gunicorn's master, with a background process beside the workers; Ctrl+C also stops gracefully."""

    def __init__(self, app: BaseApplication, background: Background) -> None:
        self._background = background
        super().__init__(app)

    def manage_workers(self) -> None:
        """Called about once a second."""
        super().manage_workers()
        self._background.keep(self._let_go)

    def reap_workers(self) -> None:
        """Reap our process first; gunicorn reaps every child."""
        self._background.is_alive()
        super().reap_workers()

    def stop(self, graceful: bool = True) -> None:
        """Stop all processes within `GRACE` seconds."""
        limit = time.monotonic() + GRACE
        self._background.ask_to_end()
        super().stop(graceful)
        self._background.end(max(limit - time.monotonic(), 0.0))

    def _let_go(self) -> None:
        """In a new child: close the sockets, which would keep the port in use after the parent's end."""
        for listener in self.LISTENERS:
            listener.close()

    def handle_int(self) -> None:
        """Treat Ctrl+C like SIGTERM."""
        self.handle_term()

    handle_quit = handle_int


def _share_memory(arbiter: Arbiter) -> None:
    """Keep the garbage collector from touching, and so copying, memory pages shared by the workers."""
    gc.collect()
    gc.freeze()


def _invite(settings: Settings) -> None:
    """Tell how to create a key while there is none."""
    if (
        settings.auth == "required"
        and settings.tokens.jwt_issuer is None
        and not application().credentials.keys.any()
    ):
        sys.stderr.write("There is no API key yet; 'strata keys create' makes the first one.\n")
        sys.stderr.flush()


def _bind(host: str, port: int) -> socket.socket:
    family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(capacity())
    except OSError:
        listener.close()
        raise
    return listener


def _url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _reason(error: OSError) -> str:
    match error.errno:
        case errno.EADDRINUSE:
            return "the port is in use, perhaps by another Strata; STRATA_PORT chooses another one"
        case errno.EACCES:
            return "this user may not use that port; STRATA_PORT chooses another one"
        case _:
            return error.strerror or str(error)


def _give_up(message: str, code: int) -> int:
    sys.stderr.write(message + "\n")
    return code
