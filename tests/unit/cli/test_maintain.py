"""strata maintain: what is said of a run of maintenance."""

import json

import httpx
import pytest
from typer.testing import CliRunner

from strata.cli.app import app

REPORT = {
    "timestamp": 1_795_230_000_000,
    "trigger": "manual",
    "status": "done",
    "durationMs": 42,
    "summary": {"index": {"compared": 7, "repaired": 1}, "dead_letters": {"redrive": 0}},
    "durations": {"index": 40, "dead_letters": 2},
    "errors": {},
}


RUN = ("POST", "/api/memory/maintain")


@pytest.fixture
def maintain(monkeypatch):
    """Runs the command against a server that answers with a report."""
    for name in ("STRATA_URL", "STRATA_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: str, code: int = 0, http: int = 200, asked=RUN, **changes: object) -> str:
        def answer(request: httpx.Request) -> httpx.Response:
            assert (request.method, request.url.path) == asked
            return httpx.Response(http, json=REPORT | changes)

        result = CliRunner().invoke(app, ["maintain", *arguments], obj=httpx.MockTransport(answer))
        assert result.exit_code == code, result.output
        return result.output

    return run


def test_it_says_that_it_is_done(maintain):
    assert maintain().strip() == "Maintained in 42 ms."


def test_verbosely_it_says_what_every_step_counted_and_how_long_it_took(maintain):
    lines = maintain("--verbose").splitlines()

    assert [line.split() for line in lines if "index" in line] == [
        ["index", "compared", "7,", "repaired", "1", "40"]
    ]
    assert any("dead_letters" in line and "redrive 0" in line for line in lines)


def test_what_goes_on_behind_the_answer_is_named(maintain):
    said = maintain(http=202, status="running")

    assert "goes on behind this; strata maintain --report 1795230000000 shows it." in " ".join(said.split())


def test_the_report_of_an_earlier_run_is_shown(maintain):
    read = ("GET", "/api/memory/maintain/history/1795230000000")
    said = maintain("--report", "1795230000000", asked=read)
    assert "compared 7, repaired 1" in said
    assert "Maintained in 42 ms." in said
    maintain("--report", "1795230000000", "--dry-run", code=2)


def test_what_could_not_be_done_is_said_and_ends_in_exit_code_1(maintain):
    said = maintain(code=1, errors={"index": "the index does not answer"})

    assert "index could not be done: the index does not answer" in said


def test_as_json_it_is_what_the_api_answered(maintain):
    assert json.loads(maintain("--json")) == REPORT
