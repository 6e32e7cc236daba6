"""Tokens of an issuer: signed here, its keys served from a real HTTP server."""

import base64
import hashlib
import hmac
import json
import logging
import time
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from strata import settings
from strata.adapters.jwks import FIRST_PAUSE_SECONDS, KEPT_SECONDS, PAUSE_SECONDS, STALE_SECONDS, KeySet
from strata.adapters.jwt_tokens import LEEWAY_SECONDS, JwtVerifier
from strata.bootstrap import Application
from strata.domain.errors import Unauthenticated, Unavailable
from support.token_issuer import AUDIENCE, ISSUER, Issuer

pytestmark = pytest.mark.xdist_group("tokens")


@pytest.fixture(scope="module")
def keys_of_an_issuer():
    return Issuer()


@pytest.fixture
def issuer(keys_of_an_issuer, monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    keys_of_an_issuer.serve()
    yield keys_of_an_issuer
    keys_of_an_issuer.stop()


@pytest.fixture
def verifier(issuer, clock):
    return JwtVerifier(issuer=ISSUER, audience=AUDIENCE, keys=KeySet(issuer.url, clock))


@pytest.fixture
def logged(caplog, monkeypatch):
    """The log lines, also where another test has set up the program's own logging."""
    monkeypatch.setattr(logging.getLogger("strata"), "propagate", True)
    return caplog


def refused(verifier, token):
    try:
        verifier.claims(token)
    except Unauthenticated:
        return True
    return False


# --- what is let in


@pytest.mark.parametrize(("key", "algorithm"), [("r1", "RS256"), ("ec", "ES256")])
def test_a_token_of_the_issuer_is_read(issuer, verifier, key, algorithm):
    token = issuer.sign(key=key, kid=key, algorithm=algorithm, sub="maria")
    claims = verifier.claims(token)
    assert (claims["tenant"], claims["sub"]) == ("acme", "maria")


def test_a_token_for_several_audiences_is_let_in_when_one_is_ours(issuer, verifier):
    assert not refused(verifier, issuer.sign(aud=["billing", AUDIENCE]))
    assert refused(verifier, issuer.sign(aud=["billing", "search"]))


def test_clocks_may_differ_a_little(issuer, verifier):
    now = int(time.time())
    assert not refused(verifier, issuer.sign(exp=now - LEEWAY_SECONDS + 10))
    assert not refused(verifier, issuer.sign(nbf=now + LEEWAY_SECONDS - 10))
    assert refused(verifier, issuer.sign(exp=now - LEEWAY_SECONDS - 1))
    assert refused(verifier, issuer.sign(nbf=now + LEEWAY_SECONDS + 60))


def test_a_token_without_key_id_is_checked_by_the_only_key(issuer, verifier, clock):
    issuer.shown = ["r1"]
    assert not refused(verifier, issuer.sign(kid=None))
    issuer.shown = ["r1", "r2"]
    clock.forward(KEPT_SECONDS + 1)
    assert refused(verifier, issuer.sign(kid=None))


# --- what is not


@pytest.mark.parametrize(
    "claims",
    [
        {"iss": "https://evil.example"},
        {"iss": ISSUER + "/"},
        {"aud": "billing"},
        {"exp": 1},
        {"exp": "soon"},
        {"exp": float("inf")},
        {"nbf": 2**40},
        {"without": ["exp"]},
        {"without": ["iss"]},
        {"without": ["aud"]},
        {"key": "foreign"},
        {"key": "r2", "kid": "r2"},
        {"kid": "ec"},
        {"algorithm": "RS512"},
        {"algorithm": "PS256"},
        {"header": {"crit": ["x"], "x": 1}},
        {"kid": "enc", "key": "enc"},
        {"kid": "weak", "key": "weak"},
        {"kid": "p384", "key": "p384", "algorithm": "ES384"},
    ],
    ids=str,
)
@pytest.mark.filterwarnings("ignore::jwt.warnings.InsecureKeyLengthWarning")
def test_any_other_token_is_refused(issuer, verifier, claims):
    issuer.shown = ["r1", "ec", "enc", "weak", "p384", "oct"]
    assert refused(verifier, issuer.sign(**claims))
    assert not refused(verifier, issuer.sign())


def segment(value) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def test_an_unsigned_token_is_refused(issuer, verifier):
    _, payload, signature = issuer.sign().split(".")
    for algorithm in ("none", "None", "NONE", "", None, 7):
        head = segment({"alg": algorithm, "typ": "JWT", "kid": "r1"})
        for tail in ("", signature):
            assert refused(verifier, f"{head}.{payload}.{tail}")


def test_one_token_has_one_spelling(issuer, verifier):
    token = issuer.sign(sub="maria")
    assert not refused(verifier, token)
    assert refused(verifier, f"{token}==")
    assert refused(verifier, token.replace(".", "=.", 1))


def test_the_public_key_is_no_shared_secret(issuer, verifier):
    _, payload, _ = issuer.sign().split(".")
    public = issuer.rsa["r1"].public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    signed = f"{segment({'alg': 'HS256', 'typ': 'JWT', 'kid': 'r1'})}.{payload}"
    signature = hmac.new(public, signed.encode(), hashlib.sha256).digest()
    assert refused(verifier, f"{signed}.{base64.urlsafe_b64encode(signature).decode().rstrip('=')}")


def test_a_key_that_the_token_brings_along_is_not_used(issuer, verifier):
    brought = {"jwk": issuer.jwk("foreign"), "jku": issuer.url, "x5u": issuer.url}
    assert refused(verifier, issuer.sign(key="foreign", header=brought))


def test_a_changed_claim_breaks_the_signature(issuer, verifier):
    head, payload, signature = issuer.sign().split(".")
    claims = json.loads(base64.urlsafe_b64decode(payload + "=="))
    assert refused(verifier, f"{head}.{segment(claims | {'tenant': 'bravo'})}.{signature}")


@hypothesis_settings(
    max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(at=st.integers(0, 300), cut=st.integers(0, 9), put=st.text(max_size=3), text=st.text(max_size=50))
def test_no_text_at_all_makes_it_fail_in_another_way(verifier, issuer, at, cut, put, text):
    token = issuer.sign()
    body = token.rpartition(".")[0]  # the last bits of a signature's Base64 may stand for nothing
    broken = body[:at] + put + token[at + cut :]
    deep = f"{segment({'alg': 'RS256', 'kid': 'r1'})}.{'[' * 9000}.c2ln"
    for wrong in ({broken} - {token}) | {text, deep, "[" * 5000 + ".x.x"}:
        assert refused(verifier, wrong)


# --- the issuer's keys


def test_keys_are_fetched_once_for_many_tokens(issuer, verifier):
    for _ in range(10):
        verifier.claims(issuer.sign())
    assert issuer.asked == 1


def test_a_new_key_is_found_when_a_token_names_it(issuer, verifier, clock):
    verifier.claims(issuer.sign())
    issuer.shown = ["r1", "r2"]
    clock.forward(PAUSE_SECONDS + 1)
    assert not refused(verifier, issuer.sign(key="r2", kid="r2"))
    assert issuer.asked == 2


def test_made_up_key_ids_ask_the_issuer_once_a_minute(issuer, verifier, clock):
    for number in range(50):
        assert refused(verifier, issuer.sign(kid=f"made-up-{number}"))
    assert issuer.asked == 1
    clock.forward(PAUSE_SECONDS + 1)
    for number in range(50):
        assert refused(verifier, issuer.sign(kid=f"made-up-{number}"))
    assert issuer.asked == 2


def test_a_key_that_the_issuer_took_back_stops_working(issuer, verifier, clock):
    issuer.shown = ["r1", "r2"]
    token = issuer.sign(key="r2", kid="r2")
    verifier.claims(token)
    issuer.shown = ["r1"]
    clock.forward(KEPT_SECONDS + 1)
    assert refused(verifier, token)


def test_kept_keys_go_on_working_while_the_issuer_is_down(issuer, verifier, clock, logged):
    verifier.claims(issuer.sign())
    issuer.stop()
    clock.forward(KEPT_SECONDS + 1)
    assert verifier.claims(issuer.sign())["tenant"] == "acme"
    assert issuer.url in logged.text
    clock.forward(STALE_SECONDS)
    with pytest.raises(Unavailable):
        verifier.claims(issuer.sign())


def test_without_keys_nobody_can_be_let_in_or_turned_away_until_the_issuer_is_back(
    issuer, verifier, clock, logged
):
    issuer.status = 500
    for _ in range(3):
        with pytest.raises(Unavailable):
            verifier.claims(issuer.sign())
    assert issuer.asked == 1
    assert "cannot be fetched" in logged.text
    issuer.status = 200
    clock.forward(FIRST_PAUSE_SECONDS + 1)
    assert not refused(verifier, issuer.sign())


@pytest.mark.parametrize("document", [b"", b"no json", b"[]", b"{}", b'{"keys": 7}', b"[" * 5000, b"\xff"])
def test_a_set_that_is_none_is_as_no_answer(issuer, verifier, document):
    issuer.raw = document
    with pytest.raises(Unavailable):
        verifier.claims(issuer.sign())


def test_a_key_of_no_use_does_not_spoil_the_others(issuer, verifier):
    broken: list[Any] = [
        {"kty": "RSA", "kid": "x", "n": "!", "e": "AQAB"},
        {"kty": "EC", "kid": "y", "crv": "P-1"},
    ]
    broken += [{}, "r1", None, {"kty": []}, {"kid": []}, {"kty": "RSA", "kid": "z"}]
    issuer.raw = json.dumps({"keys": [*broken, issuer.jwk("r1")]}).encode()
    assert not refused(verifier, issuer.sign())


def test_a_redirect_is_not_followed(issuer, verifier):
    issuer.status = 302
    with pytest.raises(Unavailable):
        verifier.claims(issuer.sign())
    assert issuer.asked == 1


# --- the whole way


def test_the_authorizer_function_lets_in_keys_and_tokens_alike(issuer, tmp_path):
    named = {
        "STRATA_DATA": str(tmp_path),
        "STRATA_JWT_ISSUER": ISSUER,
        "STRATA_JWT_AUDIENCE": AUDIENCE,
        "STRATA_JWKS_URL": issuer.url,
    }
    app = Application(settings.load(named))
    handler = app.handlers.authorizer()

    def answer(credential):
        return handler({"identitySource": [f"Bearer {credential}"]}, None)

    def context(credential):
        return answer(credential)["context"]

    assert context(issuer.sign(sub="maria", scope="read write")) == {
        "tenant": "acme",
        "scopes": "read write",
        "identity": "maria",
    }
    assert context(app.credentials.keys.create("bravo", scopes=["read"]).key)["tenant"] == "bravo"
    assert answer(issuer.sign(without=["tenant"])) == {"isAuthorized": False}
    app.close()
