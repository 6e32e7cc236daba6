"""Describes an exception for logs and dead letters without its message, which may hold private text."""

import re
import traceback
from pathlib import Path

_KIND = re.compile(r"[a-z_]+(, [a-z_]+)*")
"""Names alone: a kind that is anything else may be a sentence."""

_PACKAGE = Path(__file__).parent.parent


def reason(error: BaseException) -> str:
    """The type and the place of an error, without its message.

    An error that comes from another program may have a `kind`, that program's own name for it.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(_PACKAGE)
    ]
    kind = getattr(error, "kind", "")
    told = f" ({kind})" if isinstance(kind, str) and _KIND.fullmatch(kind) else ""
    name = type(error).__name__ + told
    if not frames:
        return name
    last = frames[-1]
    module = ".".join(("strata", *Path(last.filename).relative_to(_PACKAGE).with_suffix("").parts))
    return f"{name} in {last.name} of {module}, line {last.lineno}"
