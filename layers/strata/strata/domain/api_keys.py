"""API keys: `strata_<id>_<secret>`, known to the service by their hash only.

The id (16 letters and digits) finds the key's row and may be shown; the secret is 43 letters and digits drawn
evenly, 256 bits. A slow hash protects what people make up; nobody can try 2^256 secrets however fast the
hash is, so one SHA-256 of the whole key is enough and costs a call nothing (NIST SP 800-63B asks for a slow,
salted hash below 112 bits of a look-up secret's entropy).
"""

import hashlib
import hmac
import re
import string
from dataclasses import dataclass

ID_ALPHABET = string.ascii_lowercase + string.digits
ID_LENGTH = 16
SECRET_ALPHABET = string.ascii_letters + string.digits
SECRET_LENGTH = 43

PREFIX = "strata_"

_KEY = re.compile(rf"{PREFIX}([a-z0-9]{{{ID_LENGTH}}})_[A-Za-z0-9]{{{SECRET_LENGTH}}}")


def compose(key_id: str, secret: str) -> str:
    """The key as its owner gets it, once."""
    return f"{PREFIX}{key_id}_{secret}"


def id_of(key: str) -> str | None:
    """The id inside a key, None when it is no key at all."""
    found = _KEY.fullmatch(key)
    return found and found[1]


def digest(key: str) -> str:
    """What is stored of a key: SHA-256 of the whole, in hex."""
    return hashlib.sha256(key.encode()).hexdigest()


def is_of(key: str, stored: str) -> bool:
    """Whether the key has this digest; the time it takes tells nothing of how much of it agrees."""
    return hmac.compare_digest(digest(key), stored)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """What is known of a key; times in microseconds since 1970."""

    id: str
    tenant: str
    scopes: tuple[str, ...]
    name: str
    created_at: int
    identity: str | None = None
    """The end user it speaks for where a call names none; it opens its whole tenant all the same."""
    lifetime: int | None = None
    """Seconds it was made for; None for a key that does not expire."""
    ends_at: int | None = None
    last_used_at: int | None = None
    """To the hour."""
    revoked_at: int | None = None

    def state(self, now_us: int) -> str:
        """`active`, `expired` or `revoked`."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.ends_at is not None and self.ends_at <= now_us else "active"
