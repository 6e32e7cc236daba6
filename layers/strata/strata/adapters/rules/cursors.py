"""Opaque cursors: where a page ended, bound to the query it belongs to."""

import base64
import binascii
import hashlib
import json

from strata.domain.errors import InvalidRequest
from strata.domain.scope import Scope
from strata.ports import Query


def encode_cursor(scope: Scope, query: Query, place: tuple[str, ...]) -> str:
    """The cursor that continues after `place`, the sort key and what breaks its ties."""
    text = json.dumps([_fingerprint(scope, query), *place])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def decode_cursor(scope: Scope, query: Query, parts: int) -> tuple[str, ...] | None:
    """The place that the query's cursor names, None when it has none.

    Raises:
        InvalidRequest: the cursor was not made by this query.
    """
    if query.cursor is None:
        return None
    try:
        padded = query.cursor + "=" * (-len(query.cursor) % 4)
        fingerprint, *place = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, TypeError) as error:
        raise InvalidRequest.of("cursor", "is not one that this listing gave") from error
    whole = len(place) == parts and all(isinstance(each, str) for each in place)
    if not whole or fingerprint != _fingerprint(scope, query):
        raise InvalidRequest.of("cursor", "is not one that this listing gave")
    return tuple(place)


def _fingerprint(scope: Scope, query: Query) -> str:
    """Tenant, partition and direction; the filter may move with the time between two pages."""
    named = json.dumps([scope.tenant, query.pk, query.index, query.newest_first])
    return hashlib.blake2b(named.encode(), digest_size=8).hexdigest()
