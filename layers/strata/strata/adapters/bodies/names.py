"""How bodies are named: `{tenant}/{name}`."""

import re
from urllib.parse import quote

from strata.domain.scope import Scope

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def path_of(scope: Scope, name: str) -> str:
    """Where a body is: one segment for the tenant, one for the body. A tenant never begins with a dot.

    Raises:
        ValueError: the name holds anything but letters, digits, - and _.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"a body can't be named {name!r}")
    return f"{quote(scope.tenant, safe='')}/{name}"
