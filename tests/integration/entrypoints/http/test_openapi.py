"""The API's description: true to the code, and kept by the server whatever is sent to it."""

import json

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from strata.entrypoints.http.api.openapi import document
from strata.local.template import declarations
from support.memory import application
from support.served_api import served

pytestmark = pytest.mark.xdist_group("openapi")

DESCRIPTION = json.loads(document())
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    response_headers_conformance,
]
schema = schemathesis.openapi.from_dict(DESCRIPTION)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """Where a server over a store of its own listens."""
    with served(tmp_path_factory.mktemp("store")) as api:
        yield str(api.base_url).rstrip("/")


def test_the_document_that_ships_is_the_one_that_the_routes_make(tmp_path):
    assert application(tmp_path).handlers.openapi() == DESCRIPTION, "run make openapi"


def test_the_server_serves_that_document(address):
    assert httpx.get(f"{address}/openapi.json", trust_env=False).json() == DESCRIPTION


def test_the_document_and_the_template_name_the_same_routes():
    declared = {
        (route.method, route.path)
        for function in declarations.load().functions.values()
        for route in function.routes
    }
    described = {
        (method.upper(), path) for path, operations in DESCRIPTION["paths"].items() for method in operations
    }
    assert described == declared


@schema.parametrize()
@settings(
    max_examples=40,
    derandomize=True,
    deadline=None,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_whatever_is_sent_is_answered_as_described(case, address):
    case.call_and_validate(base_url=address, checks=CHECKS)
