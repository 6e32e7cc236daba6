"""A real Chromium without a window: the one that is installed here, or Debian's, installed as root."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from servers import debian

_PACKAGE = "chromium-headless-shell"
_NAMES = (_PACKAGE, "chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--headless",
    "--no-sandbox",  # as root there is none
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-popup-blocking",
    "--no-first-run",
    "--no-proxy-server",
)


def missing() -> str | None:
    """A sentence that says why there is no browser here, or None."""
    obstacle = None if _path() else debian.obstacle()
    return obstacle and f"Chromium is needed, and {obstacle}"


@contextmanager
def showing(url: str, names: str) -> Iterator[None]:
    """A browser that shows a page, until the block ends; host names of `names` are this machine.

    Raises:
        ServerError: it could not be installed.
    """
    if _path() is None:
        debian.install(_PACKAGE)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        rules = f"--host-resolver-rules=MAP {names} 127.0.0.1"
        process = subprocess.Popen(
            [str(_path()), *_FLAGS, rules, f"--user-data-dir={profile}", url],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield
        finally:
            process.terminate()
            process.wait(20)


def document(url: str) -> str:
    """The HTML of a page once its scripts have come to rest.

    Raises:
        ServerError: the browser could not be installed, or did not show the page.
    """
    if _path() is None:
        debian.install(_PACKAGE)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        folder = f"--user-data-dir={profile}"
        return debian.run(str(_path()), *_FLAGS, folder, "--virtual-time-budget=30000", "--dump-dom", url)


def _path() -> str | None:
    return next(filter(None, map(shutil.which, _NAMES)), None)
