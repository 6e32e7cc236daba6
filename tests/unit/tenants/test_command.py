"""strata tenants: limits of tenants."""

import json

import pytest
from typer.testing import CliRunner

from strata.bootstrap import application
from strata.cli.app import app


@pytest.fixture
def strata(monkeypatch, tmp_path):
    monkeypatch.setenv("STRATA_DATA", str(tmp_path))
    monkeypatch.setenv("STRATA_TENANT_REQUESTS", "7")
    application.cache_clear()

    def run(*arguments, code=0):
        result = CliRunner().invoke(app, ["tenants", *arguments])
        assert result.exit_code == code, result.output
        return result.output

    yield run
    application().close()
    application.cache_clear()


def test_limits_are_set_listed_and_given_back(strata):
    assert "No tenant has limits of its own" in strata("list")
    strata("limit", "acme", "--requests", "20", "--items", "5000")
    assert json.loads(
        strata("limit", "globex", "--requests", "none", "--daily-dollars", "0.5", "--json")
    ) == [
        {"tenant": "globex", "requests": None, "items": None, "daily_tokens": 1_000_000, "daily_dollars": 0.5}
    ]
    strata("limit", "acme", "--requests", "default", "--daily-tokens", "1000")
    listed = {each.pop("tenant"): each for each in json.loads(strata("list", "--json"))}
    assert listed["acme"] == {"requests": 7, "items": 5000, "daily_tokens": 1000, "daily_dollars": None}
    assert listed["globex"]["requests"] is None
    assert "7" in strata("list")
    strata("limit", "acme", "--items", "1234567")
    assert "1234567" in strata("list")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("acme", "--requests", "many"), "must be a number, none or default"),
        (("acme", "--items", "1.5"), "must be a number, none or default"),
        (("acme", "--requests", "-1"), "requests: must be a number from 0 on"),
        (("#acme", "--items", "1"), "tenant: must be"),
    ],
)
def test_a_malformed_limit_changes_nothing(strata, arguments, told):
    failed = CliRunner().invoke(app, ["tenants", "limit", *arguments])
    assert failed.exit_code != 0
    assert told in " ".join(failed.output.split())
    assert json.loads(strata("list", "--json")) == []
