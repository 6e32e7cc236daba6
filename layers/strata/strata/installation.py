"""The origin of this installation of Strata, and the command that adds an extra to it.

Strata is not on a package index yet, and a name there may belong to another project. Advice therefore names
the checkout, wheel or repository that is installed, never the name alone.
"""

from pathlib import Path
from typing import Any

DISTRIBUTION = "agent-strata"


def adding(extra: str) -> str:
    """The shell command that adds the extra; in words where the origin is unknown, as in a Lambda layer."""
    import shlex  # noqa: PLC0415 - for advice only: a cold start never pays for it
    import sys  # noqa: PLC0415

    origin = _origin()
    if origin is None:
        return f"the extra '{extra}' of Strata's checkout or wheel"
    path = _path(origin)
    if path is None:
        return f"pip install {shlex.quote(f'{DISTRIBUTION}[{extra}] @ {_address(origin)}')}"
    if not _is_editable(origin):
        return f"pip install {shlex.quote(f'{path}[{extra}]')}"
    if Path(sys.prefix) == path / ".venv" and (path / "Makefile").is_file():
        return f"make -B -C {shlex.quote(str(path))} extras EXTRAS={extra}"
    return f"pip install -e {shlex.quote(f'{path}[{extra}]')}"


def _origin() -> dict[str, Any] | None:
    """The record of the installer (PEP 610); None for an installation from an index, or none at all."""
    import json  # noqa: PLC0415
    from importlib.metadata import PackageNotFoundError, distribution  # noqa: PLC0415

    try:
        noted = distribution(DISTRIBUTION).read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    return None if noted is None else dict(json.loads(noted))


def _path(origin: dict[str, Any]) -> Path | None:
    from urllib.parse import urlsplit  # noqa: PLC0415
    from urllib.request import url2pathname  # noqa: PLC0415

    place = urlsplit(origin["url"])
    return Path(url2pathname(place.path)) if place.scheme == "file" and "vcs_info" not in origin else None


def _is_editable(origin: dict[str, Any]) -> bool:
    return bool(origin.get("dir_info", {}).get("editable"))


def _address(origin: dict[str, Any]) -> str:
    vcs = origin.get("vcs_info")
    return f"{vcs['vcs']}+{origin['url']}@{vcs['commit_id']}" if vcs else str(origin["url"])
