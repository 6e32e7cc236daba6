"""Names of bodies: `{tenant}/{name}`."""

import re

from strata.domain.scope import Scope

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ESCAPED = re.compile(r"[^a-z0-9._-]")


def is_name(name: str) -> bool:
    """Whether this is a valid name of a body."""
    return _NAME.fullmatch(name) is not None


def path_of(scope: Scope, name: str) -> str:
    """The path of a body: one segment for the tenant, one for the body.

    A tenant never begins with a dot. Capitals are escaped, because some file systems don't tell them apart.

    Raises:
        ValueError: the name holds anything but letters, digits, - and _.
    """
    if not is_name(name):
        raise ValueError(f"a body can't be named {name!r}")
    tenant = _ESCAPED.sub(lambda found: f"%{ord(found.group()):02X}", scope.tenant)
    return f"{tenant}/{name}"
