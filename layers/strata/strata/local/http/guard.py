"""Rejects requests of web pages: a browser must address the server by its own name.

A page can rebind its own host name to 127.0.0.1 and would then send that name as Host; a page of another site
sends its own Origin. Both are rejected (see "DNS rebinding" in the OWASP testing guide, and RFC 6454).
"""

import ipaddress
import re
import socket

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

# RFC 9110, 7.2, and RFC 6454, 7.1: a name and perhaps a port, read by everybody alike.
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[^\s\[\]:/@?#\\,]+)(?::\d{1,5})?")
_ORIGIN = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*://" + _HOST.pattern)


class Guard:
    """Checks the Host and Origin headers against the server's names.

    Args:
        host: the configured host.
        allowed: further names, separated by commas.
    """

    def __init__(self, host: str, allowed: str = "") -> None:
        further = (name.strip().strip("[]").lower() for name in allowed.split(","))
        self._names = LOOPBACK_NAMES | {host.strip("[]").lower()} | {name for name in further if name}

    def objection(self, host: str | None, origin: str | None) -> str | None:
        """The reason to reject a request with these headers, or None."""
        if not host or _name(_HOST, host) not in self._names:
            return f"the Host header {host or ''!r} is not this server's; STRATA_ALLOWED_HOSTS adds names"
        if origin is not None and _name(_ORIGIN, origin) not in self._names:
            return f"requests from pages of {origin!r} are refused; STRATA_ALLOWED_HOSTS adds names"
        return None


def is_loopback(host: str) -> bool:
    """Whether a server bound to `host` is reachable from this machine only."""
    try:
        addresses = {info[4][0] for info in socket.getaddrinfo(host or None, None, type=socket.SOCK_STREAM)}
    except OSError:
        return False
    return bool(host) and all(
        ipaddress.ip_address(str(address).partition("%")[0]).is_loopback for address in addresses
    )


def _name(form: re.Pattern[str], value: str) -> str | None:
    found = form.fullmatch(value)
    return found["name"].strip("[]").lower() if found else None
