"""Admission: from the Authorization header to what it opens, by way of the authorizer function."""

import json
import logging
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata import settings
from strata.bootstrap import Application, Overrides
from strata.domain.errors import Unauthenticated, Unavailable
from strata.domain.scope import Scope
from strata.entrypoints.authorizer import authorizer_handler
from strata.entrypoints.http.api.identity import authorized
from strata.entrypoints.http.api.openapi import document
from strata.local.template import declarations
from strata.ports.table import Table
from strata.services.credentials.admission import Admission, ClaimNames
from strata.services.credentials.keys import ApiKeys
from support.clocks import HandClock


@pytest.fixture
def app(tmp_path):
    app = Application(settings.load({"STRATA_DATA": str(tmp_path)}), Overrides(clock=HandClock()))
    yield app
    app.close()


@pytest.fixture
def knock(app):
    """Calls the authorizer function with an Authorization header."""
    handler = app.handlers.authorizer()
    return lambda header: handler(question(header), None)


@pytest.fixture
def logged(caplog, monkeypatch):
    """The log lines, also where another test has set up the program's own logging."""
    monkeypatch.setattr(logging.getLogger("strata"), "propagate", True)
    return caplog


def question(header):
    return {"version": "2.0", "type": "REQUEST", "identitySource": [header]}


class Tokens:
    """Knows the claims of every token."""

    def __init__(self, claims):
        self._claims = claims

    def claims(self, token):
        return self._claims


def granted(claims, names=ClaimNames()):  # noqa: B008 - it never changes
    return Admission(None, Tokens(claims), names).admit("Bearer a.b.c").scope


# --- the authorizer function


def test_a_key_is_granted_what_its_row_says(app, knock):
    new = app.credentials.keys.create("acme", scopes=["write", "read"], identity="maria")
    assert knock(f"Bearer {new.key}") == {
        "isAuthorized": True,
        "context": {"tenant": "acme", "scopes": "read write", "identity": "maria", "key_id": new.info.id},
    }


def test_what_is_granted_is_what_the_functions_read(app, knock):
    new = app.credentials.keys.create("acme", scopes=["read"], identity="josé")
    context = json.loads(json.dumps(knock(f"bearer   {new.key} ")["context"]))
    scope = authorized({"requestContext": {"authorizer": {"lambda": context}}})
    assert scope == Scope("acme", frozenset({"read"}), "josé")


def refusals():
    key = "strata_" + "a" * 16 + "_" + "A" * 43
    return [
        "",
        "Bearer",
        "Bearer ",
        key,
        f"Basic {key}",
        f"Bearer {key}",
        f"Bearer {key},Bearer {key}",
        f"Bearer {key} {key}",
        "Bearer " + "x" * 10_000,
        "Bearer ünïcode",
        "Bearer a.b.c",
        "Bearer " + key.replace("A", "\x00"),
    ]


@pytest.mark.parametrize("header", refusals())
def test_what_opens_nothing_is_not_authorized_and_nothing_more_is_said(knock, header):
    assert knock(header) == {"isAuthorized": False}


class Nothing:
    """A table without rows."""

    def get(self, scope, key):
        return None


_ANYTHING = st.text(max_size=200)


@given(_ANYTHING | _ANYTHING.map("Bearer ".__add__) | _ANYTHING.map("Bearer strata_".__add__))
def test_no_header_at_all_makes_it_fail_in_another_way(header):
    admission = Admission(ApiKeys(cast(Table, Nothing()), HandClock()), None, ClaimNames())
    with pytest.raises(Unauthenticated):
        admission.admit(header)


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"x-api-key": "{key}"}, True),
        ({"authorization": "Bearer {key}"}, True),
        ({"authorization": "Bearer {key}", "x-api-key": "nonsense"}, True),
        ({"authorization": "Bearer nonsense", "x-api-key": "{key}"}, False),
        ({"x-api-key": "nonsense"}, False),
        ({"x-api-key": ""}, False),
        ({}, False),
    ],
)
def test_without_an_identity_source_the_headers_hold_the_key(app, headers, allowed):
    key = app.credentials.keys.create("acme", scopes=["read"]).key
    sent = {name: value.replace("{key}", key) for name, value in headers.items()}
    answer = app.handlers.authorizer()({"headers": sent}, None)
    assert answer["isAuthorized"] is allowed
    assert answer.get("context", {}).get("tenant") == ("acme" if allowed else None)


def test_an_answer_that_the_gateway_keeps_depends_on_its_identity_source_alone(app):
    key = app.credentials.keys.create("acme", scopes=["read"]).key
    event = question("Bearer nonsense") | {"headers": {"x-api-key": key, "authorization": f"Bearer {key}"}}
    assert app.handlers.authorizer()(event, None) == {"isAuthorized": False}


@pytest.mark.parametrize(
    "event", [{}, {"identitySource": None}, {"identitySource": []}, {"identitySource": [1]}]
)
def test_an_event_without_credentials_opens_nothing(app, event):
    assert app.handlers.authorizer()(event, None) == {"isAuthorized": False}


def test_a_store_that_does_not_answer_turns_nobody_away(app, logged):
    class Away:
        def get(self, scope, key):
            raise Unavailable("the table does not answer")

    away = app.with_overrides(table=Away())
    key = "strata_" + "a" * 16 + "_" + "A" * 43
    with pytest.raises(Unavailable):
        away.handlers.authorizer()(question(f"Bearer {key}"), None)
    assert "the table does not answer" in logged.text


def test_no_credential_reaches_the_log(app, knock, logged):
    logged.set_level(logging.DEBUG)
    revoked = app.credentials.keys.create("acme", scopes=["read"])
    app.credentials.keys.revoke(revoked.info.id)
    made = app.credentials.keys.create("acme", scopes=["read"])
    wrong = made.key[:-1] + ("a" if made.key[-1] != "a" else "b")
    knock(f"Bearer {made.key}")
    for key in (revoked.key, wrong, "eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2lnbmF0dXJl"):
        assert knock(f"Bearer {key}") == {"isAuthorized": False}
    assert revoked.info.id in logged.text
    for key in (revoked.key, made.key, wrong):
        assert key.rpartition("_")[2] not in logged.text
    assert "eyJ" not in logged.text


# --- what a token's claims come to


def test_claims_become_a_scope():
    scope = granted({"tenant": "acme", "scope": "openid read write", "sub": "maria"})
    assert scope == Scope("acme", frozenset({"read", "write"}), "maria")


def test_claims_are_looked_up_under_the_configured_names():
    names = ClaimNames("https://strata/tenant", "permissions", "email")
    claims = {
        "https://strata/tenant": "acme",
        "permissions": ["admin", 7],
        "email": "m@x.org",
        "tenant": "other",
    }
    assert granted(claims, names) == Scope("acme", frozenset({"admin"}), "m@x.org")


@pytest.mark.parametrize(
    "scopes", [None, "", "openid", [], {"read": True}, 7, "reader readwrite strata:admin"]
)
def test_a_token_without_our_scopes_may_do_nothing(scopes):
    assert granted({"tenant": "acme", "scope": scopes}).permissions == frozenset()


@pytest.mark.parametrize("tenant", [None, "", 7, ["acme"], "_directory", "a#b", "a b", "acme\n", "x" * 101])
def test_a_token_that_names_no_usable_tenant_opens_nothing(tenant):
    with pytest.raises(Unauthenticated):
        granted({"tenant": tenant, "scope": "admin"})


@pytest.mark.parametrize("identity", ["", 7, ["m"], "x" * 201, "\ud800"])
def test_a_token_that_speaks_for_nobody_nameable_opens_nothing(identity):
    with pytest.raises(Unauthenticated):
        granted({"tenant": "acme", "sub": identity})


# --- settings


def test_an_issuer_needs_an_audience():
    with pytest.raises(settings.SettingsError, match="STRATA_JWT_AUDIENCE"):
        settings.load({"STRATA_JWT_ISSUER": "https://id.example"})


@pytest.mark.parametrize("url", ["http://id.example/jwks", "ftp://id.example", "file:///etc/passwd", "jwks"])
def test_the_issuers_keys_come_over_https(url):
    named = {"STRATA_JWT_ISSUER": "https://id.example", "STRATA_JWT_AUDIENCE": "strata"}
    with pytest.raises(settings.SettingsError, match="https"):
        settings.load(named | {"STRATA_JWKS_URL": url})
    assert settings.load(named).tokens.jwks_place == "https://id.example/.well-known/jwks.json"


def test_the_apis_description_says_which_routes_need_a_credential():
    described = json.loads(document())["paths"]
    guarded = {
        (method.upper(), path)
        for path, operations in described.items()
        for method, operation in operations.items()
        if operation["security"]
    }
    routes = [route for function in declarations.load().functions.values() for route in function.routes]
    assert guarded == {(route.method, route.path) for route in routes if route.authorizer}


def test_the_token_library_is_loaded_only_where_an_issuer_is_trusted(tmp_path):
    import subprocess
    import sys

    code = (
        "import sys; from strata.bootstrap import application; application().handlers.authorizer();"
        "print([name for name in ('jwt', 'cryptography', 'urllib.request') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code],
        env={"STRATA_DATA": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parent,
    )
    assert ran.stdout.strip() == "[]"


def test_a_key_for_read_alone_is_not_let_write():
    with pytest.raises(Exception, match="'write'"):
        Scope("acme", frozenset({"read"})).require("write")


def test_the_handler_is_made_of_any_admission():
    handler = authorizer_handler(Admission(None, Tokens({"tenant": "acme"}), ClaimNames()))
    assert handler(question("Bearer a.b.c"), None)["context"] == {"tenant": "acme", "scopes": ""}
