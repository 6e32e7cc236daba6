"""The public keys of a token issuer: a JWK Set (RFC 7517) fetched over HTTPS and kept."""

import json
import logging
from http.client import HTTPException
from typing import Any
from urllib.request import HTTPRedirectHandler, Request, build_opener

from jwt import PyJWK
from jwt.exceptions import PyJWTError

from strata.domain.errors import Unauthenticated, Unavailable
from strata.domain.times import DAY
from strata.ports.clock import Clock
from strata.ports.rows import Json

ALGORITHMS = ("RS256", "ES256")
"""Asymmetric only: with HMAC anybody could sign with the issuer's public key, and with `none` without any."""

KEPT_SECONDS = 3600
"""Seconds until the set is fetched again, so that a key that the issuer revoked stops working."""
STALE_SECONDS = DAY
"""Seconds for which cached keys are still accepted while the issuer does not respond."""
PAUSE_SECONDS = 60
"""Seconds between two fetches: tokens with made-up key ids must not flood the issuer."""
FIRST_PAUSE_SECONDS = 5
"""The same while no key is known at all."""
TIMEOUT_SECONDS = 3
LARGEST_SET = 1_000_000
SMALLEST_RSA_BITS = 2048

_log = logging.getLogger("strata.jwks")


class _NoRedirects(HTTPRedirectHandler):
    """Refuses redirects: keys are fetched only from the configured URL."""

    def redirect_request(self, *args: Any) -> None:
        """Follow nothing."""


class KeySet:
    """The issuer's keys by their id.

    Args:
        url: of the JWK Set; the settings admit https, and http on this machine.
    """

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock
        self._opener = build_opener(_NoRedirects)
        self._keys: dict[str | None, PyJWK] = {}
        self._fetched_at: float | None = None
        self._tried_at: float | None = None

    def find(self, key_id: str | None) -> PyJWK:
        """The key of this id; without an id, the only key there is.

        Raises:
            Unauthenticated: the issuer has no such key.
            Unavailable: it is not cached, and the issuer does not respond.
        """
        now = self._clock.now_us() / 1e6
        if self._known(key_id, now, KEPT_SECONDS) is None:
            self._fetch(now)
        key = self._known(key_id, now, STALE_SECONDS)
        if key is not None:
            return key
        if self._fetched_at is None or self._fetched_at < (self._tried_at or 0):
            raise Unavailable("the token issuer's keys cannot be fetched", retry_after=FIRST_PAUSE_SECONDS)
        raise Unauthenticated("the token is signed with a key that its issuer does not show")

    def _known(self, key_id: str | None, now: float, age: int) -> PyJWK | None:
        if self._fetched_at is None or now - self._fetched_at > age:
            return None
        if key_id is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(key_id)

    def _fetch(self, now: float) -> None:
        pause = PAUSE_SECONDS if self._keys else FIRST_PAUSE_SECONDS
        if self._tried_at is not None and now - self._tried_at < pause:
            return
        self._tried_at = now
        try:
            request = Request(self._url, headers={"Accept": "application/json"})  # noqa: S310 - see settings
            with self._opener.open(request, timeout=TIMEOUT_SECONDS) as response:
                document = json.loads(response.read(LARGEST_SET))
            usable = [(jwk, _usable(jwk)) for jwk in document["keys"]]
        except (OSError, HTTPException, ValueError, LookupError, TypeError, RecursionError) as error:
            _log.error("the token issuer's keys at %s cannot be fetched: %s", self._url, error)
            return
        self._keys = {jwk.get("kid"): key for jwk, key in usable if key is not None}
        self._fetched_at = now


def _usable(jwk: Json) -> PyJWK | None:
    """The key, if it may sign tokens: for signatures, RSA of 2048 bits or P-256."""
    if not isinstance(jwk, dict) or not isinstance(jwk.get("kid", ""), str):
        return None
    kind = {"RSA": "RS256", "EC": "ES256"}.get(str(jwk.get("kty")))
    if kind is None or jwk.get("use", "sig") != "sig" or jwk.get("alg", kind) != kind:
        return None
    try:
        key = PyJWK(jwk, kind)
    except PyJWTError:
        return None
    return key if kind == "ES256" or key.key.key_size >= SMALLEST_RSA_BITS else None
