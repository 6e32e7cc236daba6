"""What the doctor says of stores on other machines."""

import json

from typer.testing import CliRunner

from strata.bootstrap import application
from strata.cli.app import app
from support.served_stores import settings_of


def test_a_table_and_an_engine_that_answer_are_told_and_compared(request, monkeypatch, tmp_path):
    settings = settings_of(request, "dynamodb", "opensearch") | {
        "OPENSEARCH_TIMEOUT": "30",
        "OPENSEARCH_REFRESH": "true",
    }
    for name, value in settings.items():
        monkeypatch.setenv(f"STRATA_{name}", value)
    monkeypatch.setenv("STRATA_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("STRATA_PORT", "1")
    monkeypatch.delenv("STRATA_URL", raising=False)

    def examined():
        application.cache_clear()
        result = CliRunner().invoke(app, ["doctor", "--json"])
        checks = {check["name"]: check for check in json.loads(result.stdout)["checks"]}
        application.cache_clear()
        return [(checks[name]["state"], checks[name]["found"]) for name in ("store", "index")]

    named = f"{settings['TABLE']} at {settings['DYNAMODB_ENDPOINT']}"
    assert examined() == [
        ("ok", f"no table {named} yet; the first save will make it"),
        ("ok", "nothing to find yet"),
    ]
    assert CliRunner().invoke(app, ["save", "Herons fish at the weir"]).exit_code == 0
    assert examined() == [("ok", f"{named} answers"), ("ok", "1 of 1 memories can be searched")]
