"""A tenant's keys in a store that all tenants share."""

from collections.abc import Sequence

from strata.domain.errors import InvalidRequest
from strata.domain.scope import Scope
from strata.ports.rows import Action, Key

MAX_ACTIONS = 100

KEYS_ONLY = "gsi3"
"""The index that returns keys only."""

StoredKey = tuple[str, str]
"""A key as it is stored: the tenant's partition and the sort key."""


def partition(scope: Scope, pk: str) -> str:
    """The stored partition key. A tenant holds no '#', so no partition of one can look like another's."""
    return f"{scope.tenant}#{pk}"


def stored_key(scope: Scope, key: Key) -> StoredKey:
    """The key as it is stored.

    Raises:
        InvalidRequest: it contains a lone surrogate, which UTF-8 cannot encode.
    """
    try:
        (key.pk + key.sk).encode()
    except UnicodeEncodeError as error:
        raise InvalidRequest.of("key", "holds half a surrogate pair, which is not text") from error
    return partition(scope, key.pk), key.sk


def stored_keys(scope: Scope, actions: Sequence[Action]) -> list[StoredKey]:
    """The keys of a transaction's actions.

    Raises:
        ValueError: more than 100 actions, or two of them on one key.
        InvalidRequest: a key contains a lone surrogate.
    """
    keys = [stored_key(scope, action.key) for action in actions]
    if len(keys) > MAX_ACTIONS or len(set(keys)) < len(keys):
        raise ValueError("a transaction takes up to 100 actions, each on a key of its own")
    return keys
