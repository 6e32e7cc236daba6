"""The key as Fyso's clients send it, on Fyso's routes and on no others."""

import httpx
import pytest

from strata import settings
from strata.bootstrap import Application
from strata.local.http.authorization import Authorizer
from strata.local.http.gateway import Gateway
from strata.local.template import declarations
from strata.local.transport import InProcessTransport
from support.api import called_functions
from support.api_calls import data

FYSO = "/api/agents-config/helper"


@pytest.fixture
def keys(tmp_path):
    """A call with the keys of two tenants: `keys("acme", path, header)`."""
    app = Application(settings.load({"STRATA_DATA": str(tmp_path), "STRATA_AUTH": "required"}))
    spec, functions = declarations.load(), called_functions(app)
    authorizers = {
        name: Authorizer(each, functions[each.function]) for name, each in spec.authorizers.items()
    }
    transport = InProcessTransport(Gateway(spec, functions, authorizers))
    made = {
        name: app.credentials.keys.create(name, scopes=["read", "write", "admin"]).key
        for name in ("acme", "beta")
    }
    with httpx.Client(transport=transport, base_url="http://localhost") as api:
        yield lambda tenant, method, path, header, **sent: api.request(
            method, path, headers={header[0]: header[1].replace("{key}", made[tenant])}, **sent
        )
    app.close()


BEARER, KEY = ("authorization", "Bearer {key}"), ("x-api-key", "{key}")


def test_both_headers_open_fysos_routes_each_to_its_own_tenant(keys):
    keys("acme", "PUT", FYSO, KEY, json={"name": "Acme's"})
    keys("beta", "PUT", FYSO, BEARER, json={"name": "Beta's"})
    for tenant, name in (("acme", "Acme's"), ("beta", "Beta's")):
        for header in (KEY, BEARER):
            assert data(keys(tenant, "GET", FYSO, header))["name"] == name


def test_other_routes_want_the_authorization_header(keys):
    assert keys("acme", "GET", "/stats", BEARER).status_code == 200
    assert keys("acme", "GET", "/stats", KEY).status_code == 401


@pytest.mark.parametrize(
    "header", [("x-api-key", "strata_no_key"), ("authorization", "{key}"), ("x-other", "{key}")]
)
def test_who_sends_no_key_is_refused_in_fysos_words(keys, header):
    response = keys("acme", "GET", FYSO, header)
    assert response.status_code == 401
    assert (response.json()["success"], response.json()["error"]["code"]) == (False, "UNAUTHENTICATED")


def test_an_unknown_route_of_fyso_is_refused_in_fysos_words(keys):
    response = keys("acme", "POST", FYSO, KEY)
    assert (response.status_code, response.json()["error"]["code"]) == (405, "METHOD_NOT_ALLOWED")
    assert keys("acme", "GET", "/api/auth/none", KEY).json()["error"]["code"] == "NOT_FOUND"
