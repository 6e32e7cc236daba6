"""The server's address and API key, as given or from the environment."""

import os
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from strata.client.errors import StrataClientError

DEFAULT_URL = "http://127.0.0.1:7437"
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server's base URL and its API key; None where none is needed."""

    url: str
    key: str | None

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine, so that no proxy may be used."""
        return urlsplit(self.url).hostname in _LOOPBACK

    @property
    def named(self) -> str:
        """The URL for messages: without its password."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def endpoint(url: str | None = None, key: str | None = None) -> Endpoint:
    """The given values, else `STRATA_URL` and `STRATA_API_KEY`, else the server of this machine.

    Raises:
        StrataClientError: the URL is not http or https (`bad_url`), or the key cannot be sent in a header
            (`bad_key`).
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
