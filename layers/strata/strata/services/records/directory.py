"""Rows of the directory of API keys and tenants, which belongs to no tenant, see `Scope.directory`."""

from strata.ports.rows import Key
from strata.services.records.parts import part

KEY_LIST_PK = "KEYS"


def api_key_row(key_id: str) -> Key:
    """The row of an API key with its digest, by the id inside the key."""
    return Key(f"KEY#{part(key_id)}", "KEY")


def api_key_line(tenant: str, key_id: str) -> Key:
    """An API key's line in the list of all keys, by tenant: `{id}`."""
    return Key(KEY_LIST_PK, f"{tenant}#{key_id}")


TENANTS_PK = "TENANTS"
LIMITS_PREFIX = "LIMITS#"


def limits_key(tenant: str) -> Key:
    """The limits that an operator set for a tenant."""
    return Key(TENANTS_PK, f"{LIMITS_PREFIX}{tenant}")


def request_rate_key(tenant: str) -> Key:
    """The row of the requests that a tenant's processes have told: `{empty_at}`."""
    return Key(f"REQUESTS#{part(tenant)}", "RATE")
