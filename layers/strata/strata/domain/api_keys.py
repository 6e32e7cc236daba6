"""API keys: `strata_<id>_<secret>`, stored as a digest only.

The id (16 letters and digits) finds the key's row and may be shown. The secret is 43 random letters and
digits, 256 bits. Nobody can try 2^256 secrets, so one fast SHA-256 of the whole key is enough (NIST SP
800-63B asks for a slow, salted hash only below 112 bits of entropy).
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
    """The whole key, which its owner sees once."""
    return f"{PREFIX}{key_id}_{secret}"


def id_of(key: str) -> str | None:
    """The id inside a key; None if it is not a key."""
    found = _KEY.fullmatch(key)
    return found and found[1]


def digest(key: str) -> str:
    """SHA-256 of the whole key in hex, the only part of it that is stored."""
    return hashlib.sha256(key.encode()).hexdigest()


def is_of(key: str, stored: str) -> bool:
    """Whether the key has this digest, compared in constant time."""
    return hmac.compare_digest(digest(key), stored)


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The stored properties of a key; times in microseconds since 1970."""

    id: str
    tenant: str
    scopes: tuple[str, ...]
    name: str
    created_at: int
    identity: str | None = None
    """The default end user of calls with this key. It is no restriction: the key opens its whole tenant."""
    lifetime: int | None = None
    """Seconds from creation to expiry; None for a key that does not expire."""
    ends_at: int | None = None
    last_used_at: int | None = None
    """To the hour."""
    revoked_at: int | None = None

    def state(self, now_us: int) -> str:
        """`active`, `expired` or `revoked`."""
        if self.revoked_at is not None:
            return "revoked"
        return "expired" if self.ends_at is not None and self.ends_at <= now_us else "active"
