"""docs/client.md names every method of the client."""

import re
from pathlib import Path

import pytest

from strata.client import AsyncClient, Client
from strata.domain.errors import StrataError
from strata.entrypoints.http.api.errors import status_of

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


def codes() -> dict[str, int]:
    """The status of every code, whatever adapters with errors of their own are loaded."""
    kinds = [StrataError]
    for kind in kinds:
        kinds += [each for each in kind.__subclasses__() if each.__module__ == StrataError.__module__]
    return {kind.code: status_of(kind("no")) for kind in kinds}


@pytest.mark.parametrize(("code", "status"), sorted(codes().items()))
def test_every_error_code_is_in_the_document_with_its_status(code: str, status: int):
    assert f"\n| {status} | `{code}` |" in DOCUMENT


def test_both_clients_have_the_same_methods():
    assert methods(Client) == methods(AsyncClient)
