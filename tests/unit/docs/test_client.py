"""docs/client.md names every method of the client."""

import re
from pathlib import Path

from strata.client import AsyncClient, Client

DOCUMENT = (Path(__file__).parents[3] / "docs" / "client.md").read_text(encoding="utf-8")
OF_NO_ROUTE = {"close", "aclose", "send"}
"""Calls that `with` makes at its end, or that all the others use."""


def methods(kind: type) -> set[str]:
    return {
        name for name in dir(kind) if not name.startswith("_") and callable(getattr(kind, name))
    } - OF_NO_ROUTE


def test_every_method_is_in_the_document():
    table = DOCUMENT.partition("\n## What there is\n")[2].partition("```")[0]
    assert methods(Client) == set(re.findall("`([a-z_]+)`", table.partition("| for |")[2]))


def test_both_clients_have_the_same_methods():
    assert methods(Client) == methods(AsyncClient)
