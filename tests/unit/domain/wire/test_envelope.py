"""Fyso's envelope: which answers have it, and that nothing is lost in it."""

import json

import pytest

from strata.client.call import opened
from strata.client.errors import refused
from strata.domain.wire.envelope import enveloped, has_envelope


@pytest.mark.parametrize(
    "path",
    ["/api/agents-config/a", "/api/agents/a/users/b/facts", "/api/rgpd/audit-log", "/api/auth", "/api/rgpd"],
)
def test_fysos_answers_have_an_envelope(path):
    assert has_envelope(path)


@pytest.mark.parametrize(
    "path", ["/api/memory/search", "/api/agentsmith", "/sessions", "/rgpd/users", "/api/health"]
)
def test_other_answers_have_none(path):
    assert not has_envelope(path)


def test_data_comes_out_as_it_went_in():
    answer = {"facts": [{"fact": "ü \ud800 \u2028", "n": 12345678901234567890.5}], "success": False}
    assert json.loads(opened(enveloped(200, json.dumps(answer)))) == answer


@pytest.mark.parametrize(
    "text", ['{"facts":[]}', "[]", "", "null", '{"success":true}', '{"success":false,"data":1}']
)
def test_what_has_no_envelope_stays_as_it_is(text):
    assert opened(text) == text


def test_the_client_reads_errors_in_both_forms_alike():
    details = [{"field": "limit", "message": "no"}]
    for body in (
        {"error": "limit: no", "code": "invalid_request", "details": details},
        {"error": "it is gone", "code": "not_found"},
    ):
        bare, inside = (refused(400, text) for text in (json.dumps(body), enveloped(400, json.dumps(body))))
        assert bare.__reduce__() == inside.__reduce__()
        assert (bare.code, bare.message) == (body["code"], body["error"])
    assert json.loads(enveloped(400, json.dumps({"error": "no", "code": "invalid_request"}))) == {
        "success": False,
        "error": {"code": "VALIDATION_ERROR", "message": "no"},
    }
