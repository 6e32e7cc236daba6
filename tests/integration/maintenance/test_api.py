"""The routes of maintenance, and its schedule on a running server."""

import time

import pytest

from support.api_calls import refused, save
from support.served_api import in_process, served

PATH = "/api/memory/maintain"


def test_a_run_answers_its_report_and_is_in_the_history(api, project):
    save(api, project)

    report = api.post(PATH).json()

    assert set(report) == {
        "timestamp",
        "trigger",
        "status",
        "durationMs",
        "summary",
        "durations",
        "errors",
        "flagged",
        "dryRun",
    }
    assert (report["trigger"], report["status"], report["errors"]) == ("manual", "done", {})
    assert report["summary"]["dead_letters"]["redrive"] == 0
    assert api.get(f"{PATH}/history").json()["reports"][0] == report
    assert api.get(f"{PATH}/history/{report['timestamp']}").json() == report


def test_the_history_is_newest_first_and_as_long_as_was_asked_for(api):
    stamps = [api.post(PATH).json()["timestamp"] for _ in range(3)]

    found = [report["timestamp"] for report in api.get(f"{PATH}/history?limit=2").json()["reports"]]

    assert found == stamps[:0:-1]
    assert stamps == sorted(set(stamps))


@pytest.mark.parametrize("limit", ["0", "101", "many"])
def test_any_limit_is_answered(api, limit):
    assert api.get(f"{PATH}/history?limit={limit}").status_code == 200


@pytest.mark.parametrize("timestamp", ["x", "-1", "9007199254740992", "1.5"])
def test_what_is_no_timestamp_is_refused(api, timestamp):
    assert refused(api.get(f"{PATH}/history/{timestamp}"), 400, "invalid_request") == ["timestamp"]


def test_an_unknown_report_is_not_found(api):
    refused(api.get(f"{PATH}/history/7"), 404, "not_found")


def test_a_body_is_passed_over(api):
    assert api.post(PATH, json={"anything": True}).status_code == 200


def test_what_takes_longer_goes_on_behind_a_202(tmp_path, monkeypatch):
    monkeypatch.setattr("strata.entrypoints.http.maintenance.ANSWER_WITHIN", 0)
    with in_process(tmp_path) as api:
        answer = api.post(PATH)
        assert (answer.status_code, answer.json()["status"]) == (202, "running")
        assert answer.json()["durationMs"] >= 0
        shown = api.get(f"{PATH}/history/{answer.json()['timestamp']}")
        assert shown.json() == answer.json()


def test_where_it_is_switched_off_it_is_refused_and_the_history_stays(tmp_path):
    with in_process(tmp_path) as api:
        api.post(PATH)
    with served(tmp_path, AGTOS_MAINTENANCE_ENABLED="false") as api:
        refused(api.post(PATH), 409, "switched_off")
        assert len(api.get(f"{PATH}/history").json()["reports"]) == 1
        assert api.get("/health").json()["services"]["maintenance"]["status"] == "ok"


def test_a_server_runs_it_on_schedule_and_takes_a_missed_one_up_once(tmp_path):
    with served(tmp_path, STRATA_MAINTENANCE_SCHEDULE="rate(1 minute)") as api:
        save(api, "demo")
        first = waited_for(api)
    assert (first["trigger"], first["status"], first["errors"]) == ("schedule", "done", {})
    assert first["summary"]["index"]["places"] == 1


def waited_for(api):
    """The first report, once it is done."""
    end = time.monotonic() + 100
    while time.monotonic() < end:
        for report in api.get(f"{PATH}/history").json()["reports"]:
            if report["status"] == "done":
                return report
        time.sleep(0.5)
    pytest.fail("no run on schedule within the time")
