"""The rows that say which search index is whole."""

from strata.ports.rows import Key
from strata.services.records.parts import part


def index_marker_key(place: str) -> Key:
    """The marker of the index at a place: `{index, next}`, identities.

    Several machines may each have an index of their own of one table. Not a tenant's row, see
    `Scope.maintenance`.
    """
    return Key("INDEX", f"MARKER#{part(place)}")
