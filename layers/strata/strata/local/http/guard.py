"""Keeps web pages away from the server: only its own pages, and those of allowed origins, may call it.

A page can rebind its own host name to 127.0.0.1 and would then send that name as Host; a page of another
origin sends its Origin, or, with reads that need none, `Sec-Fetch-Site`. See "DNS rebinding" in the OWASP
testing guide, RFC 6454, and Fetch Metadata (https://www.w3.org/TR/fetch-metadata/). Programs send neither
Origin nor `Sec-Fetch-Site`, and are not affected.
"""

import ipaddress
import re
import socket
from collections.abc import Collection, Mapping

from strata.entrypoints.http.api.requests import declares_json
from strata.local.http.messages import Response, problem

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

PAGES = frozenset({"/", "/docs", "/docs/", "/openapi.json"})
"""Static pages, and what leads to them: a link on any page may lead there."""

# RFC 9110, 7.2: a name and perhaps a port, read by everybody alike.
_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[^\s\[\]:/@?#\\,]+)(?::\d{1,5})?")

_OWN_SITES = ("same-origin", "none")  # none: the user typed the address, or opened a bookmark
_NAVIGATION = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
_METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE"
_PREFLIGHT_SECONDS = "600"

Headers = Mapping[str, str]
"""Header values by name in lower case; those of a repeated header are joined with commas."""


class Guard:
    """Checks Host, Origin and `Sec-Fetch-Site`, and answers CORS for allowed origins.

    Args:
        host: the configured host.
        names: further names that Host may have, separated by commas.
        origins: origins of web pages that may call the server, as browsers send them.
    """

    def __init__(self, host: str, names: str = "", origins: Collection[str] = ()) -> None:
        further = (name.strip().strip("[]").lower() for name in names.split(","))
        self._names = LOOPBACK_NAMES | {host.strip("[]").lower()} | {name for name in further if name}
        self._origins = frozenset(origins)

    def answer(self, method: str, path: str, headers: Headers) -> Response | None:
        """The refusal of a request, or the answer to a preflight; None where the request may go on."""
        objection = self._objection(method, path, headers)
        if objection is not None:
            return problem(403, objection, "forbidden")
        if method == "OPTIONS" and self.cors(headers) and "access-control-request-method" in headers:
            return _preflight(headers)
        if (
            _from_browser(headers)
            and _has_body(headers)
            and not declares_json(headers.get("content-type", ""))
        ):
            return problem(
                415, "a web page must declare its body as application/json", "unsupported_media_type"
            )
        return None

    def cors(self, headers: Headers) -> list[tuple[str, str]]:
        """The headers that let the page of an allowed origin read the response; none for others."""
        origin = headers.get("origin")
        if origin not in self._origins:
            return []
        return [
            ("access-control-allow-origin", origin),
            ("access-control-expose-headers", "*"),
            ("vary", "Origin"),
        ]

    def _objection(self, method: str, path: str, headers: Headers) -> str | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not host or _name(host) not in self._names:
            return f"the Host header {host!r} is not this server's; STRATA_ALLOWED_HOSTS adds names"
        if origin is not None:
            if origin in self._origins or origin == _own_origin(host):
                return None
            return f"requests from pages of {origin!r} are refused; STRATA_ALLOWED_ORIGINS adds origins"
        site = headers.get("sec-fetch-site")
        if site is None or site in _OWN_SITES or _opens_page(method, path, headers):
            return None
        return f"{site} requests of web pages are refused; STRATA_ALLOWED_ORIGINS adds origins"


def is_loopback(host: str) -> bool:
    """Whether a server bound to `host` is reachable from this machine only."""
    try:
        addresses = {info[4][0] for info in socket.getaddrinfo(host or None, None, type=socket.SOCK_STREAM)}
    except OSError:
        return False
    return bool(host) and all(
        ipaddress.ip_address(str(address).partition("%")[0]).is_loopback for address in addresses
    )


def _name(host: str) -> str | None:
    found = _HOST.fullmatch(host)
    return found["name"].strip("[]").lower() if found else None


def _own_origin(host: str) -> str:
    """The origin of the server's own pages, which it serves over plain HTTP."""
    return f"http://{host.lower().removesuffix(':80')}"


def _opens_page(method: str, path: str, headers: Headers) -> bool:
    """Whether a link leads to a static page: opened as a whole page, not inside another one."""
    return (
        method in ("GET", "HEAD")
        and path in PAGES
        and all(headers.get(name) == value for name, value in _NAVIGATION.items())
    )


def _from_browser(headers: Headers) -> bool:
    """Whether a browser sent it; `Sec-Fetch-Mode` alone is no sign, since Node's fetch sends it, too."""
    return "origin" in headers or "sec-fetch-site" in headers


def _has_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"


def _preflight(headers: Headers) -> Response:
    return Response(
        204,
        [
            ("access-control-allow-methods", _METHODS),
            ("access-control-allow-headers", headers.get("access-control-request-headers", "")),
            ("access-control-max-age", _PREFLIGHT_SECONDS),
        ],
    )
