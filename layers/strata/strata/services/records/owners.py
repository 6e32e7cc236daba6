"""The listing of rows by their owner, by which all data of a person is found, given out and erased."""

from strata.ports.rows import Item
from strata.services.records.parts import part


def owner_pk(owner: str) -> str:
    """gsi3: all rows of a person, by kind; keys only."""
    return f"USER#{part(owner)}"


def owned(owner: str | None, kind: str) -> Item:
    """The attributes that list a row under its owner; none where there is no owner."""
    return {} if owner is None else {"gsi3pk": owner_pk(owner), "gsi3sk": kind}
