"""Where the server is and what opens it: the one place where the client reads the environment."""

import os
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from strata.client.errors import StrataClientError

DEFAULT_URL = "http://127.0.0.1:7437"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server's base address and the key to it, None where none is needed."""

    url: str
    key: str | None

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine, where no proxy has a place in between."""
        return urlsplit(self.url).hostname in _LOOPBACK

    @property
    def named(self) -> str:
        """The address as sentences name it: without a password that stands in it."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def endpoint(url: str | None = None, key: str | None = None) -> Endpoint:
    """What was given, else `STRATA_URL` and `STRATA_API_KEY`, else the server of this machine.

    Raises:
        StrataClientError: the address is not one of http or https, code `bad_url`; or the key holds what no
            header can carry, code `bad_key`.
    """
    address = (url or os.environ.get("STRATA_URL") or DEFAULT_URL).strip().rstrip("/")
    try:
        parts = urlsplit(address)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
        usable = usable and address.isprintable()
    except ValueError:
        usable = False
    if not usable:
        raise StrataClientError(
            None, "bad_url", f"'{address}' is not the address of a server, which looks like {DEFAULT_URL}"
        )
    secret = (key or os.environ.get("STRATA_API_KEY") or "").strip()
    if not (secret.isascii() and secret.isprintable()):
        raise StrataClientError(None, "bad_key", "a key consists of plain letters, digits and signs")
    return Endpoint(address, secret or None)
