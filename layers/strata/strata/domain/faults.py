"""Describes an exception for logs and dead letters without its message, which may hold private text."""

import traceback
from pathlib import Path

_PACKAGE = Path(__file__).parent.parent


def reason(error: BaseException) -> str:
    """The type and the place of an error, without its message."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(_PACKAGE)
    ]
    name = type(error).__name__
    if not frames:
        return name
    last = frames[-1]
    module = ".".join(("strata", *Path(last.filename).relative_to(_PACKAGE).with_suffix("").parts))
    return f"{name} in {last.name} of {module}, line {last.lineno}"
