"""The strata command as people run it: its own process, a real store, a real server."""

import fcntl
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

COMMAND = [sys.executable, "-c", "from strata.cli import main; main()"]


@pytest.fixture
def environment(tmp_path):
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("STRATA_", "MEMORY_"))
    }
    return {**inherited, "STRATA_DATA": str(tmp_path / "data"), "STRATA_PROJECT": "shop"}


@pytest.fixture
def strata(environment, tmp_path):
    def run(*arguments: str, stdin: str | None = None, code: int = 0, **more: str):
        result = subprocess.run(
            [*COMMAND, *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            env=environment | more,
            cwd=tmp_path,
            timeout=60,
            check=False,
        )
        assert "Traceback" not in result.stderr
        assert result.returncode == code, result.stderr
        return result

    return run


@pytest.fixture
def server(environment, tmp_path):
    """A running server on the same data folder; gives its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", str(port), "--workers", "2"],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 30
        while True:
            try:
                if httpx.get(f"{url}/health", trust_env=False).is_success:
                    break
            except httpx.TransportError:
                assert process.poll() is None, process.communicate()
                assert time.monotonic() < deadline, "the server did not start"
                time.sleep(0.05)
        yield url
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)


def test_a_memory_is_kept_from_one_command_to_the_next(strata):
    saved = json.loads(strata("save", "Deploys need the release lock", "--type", "lesson", "--json").stdout)
    assert saved["action"] == "created"
    again = json.loads(strata("save", "deploys need  the release LOCK", "--type", "lesson", "--json").stdout)
    assert (again["id"], again["action"]) == (saved["id"], "deduplicated")

    hits = json.loads(strata("search", "how", "do", "we", "deploy", "--json").stdout)
    assert [hit["id"] for hit in hits] == [saved["id"]]
    assert "release lock" in strata("search", "deploying").stdout
    assert "[lesson]" in strata("context", "--text").stdout
    assert json.loads(strata("get", str(saved["id"]), "--json").stdout)["duplicate_count"] == 2

    strata("forget", str(saved["id"]))
    assert json.loads(strata("search", "deploy", "--json").stdout) == []
    assert strata("get", str(saved["id"]), code=1).stderr.startswith("strata: ")


def test_a_session_ends_with_a_summary_that_the_next_context_holds(strata):
    talk = "user: fix the login\nassistant: done\nuser: thanks\n"
    ended = json.loads(strata("end", "fix-login", "-", "--json", stdin=talk).stdout)
    assert ended["summary"] == 'Session with 3 messages. Started: "fix the login" — Ended: "thanks"'
    assert ended["summary"] in strata("context").stdout.replace("\n", " ")
    [session] = json.loads(strata("recent", "--sessions", "--json").stdout)
    assert session["id"] == "fix-login"


def test_an_export_of_one_store_fills_another(strata, tmp_path):
    strata("save", "one café", "--tag", "a", "--session", "s1")
    strata("end", "s1")
    strata("export", "all.json")
    elsewhere = {"STRATA_DATA": str(tmp_path / "other")}
    added = json.loads(strata("import", "all.json", "--json", **elsewhere).stdout)
    assert added == {"imported_sessions": 1, "imported_observations": 1}
    assert "one café" in strata("search", "café", **elsewhere).stdout
    again = json.loads(strata("import", "all.json", "--json", **elsewhere).stdout)
    assert again == {"imported_sessions": 0, "imported_observations": 0}


def test_an_export_of_every_kind_is_continued_and_fills_another_store(strata, tmp_path):
    strata("save", "one café", "--tag", "a", "--session", "s1")
    strata("end", "s1")
    strata("export", "all.jsonl")
    whole = (tmp_path / "all.jsonl").read_text().splitlines()
    assert [json.loads(line)["kind"] for line in whole] == ["export", "session", "observation", "end"]

    (tmp_path / "all.jsonl").rename(tmp_path / "all.jsonl.part")
    with (tmp_path / "all.jsonl.part").open("a") as broken_off:
        broken_off.write('{"kind":"obs')
    assert json.loads(strata("export", "all.jsonl", "--json").stdout) == {
        "exported": {"observation": 1, "session": 1}
    }
    assert not (tmp_path / "all.jsonl.part").exists()
    assert (tmp_path / "all.jsonl").read_text().splitlines()[1:] == whole[1:]

    elsewhere = {"STRATA_DATA": str(tmp_path / "other")}
    added = json.loads(strata("import", "all.jsonl", "--json", **elsewhere).stdout)
    assert added == {"imported": {"observation": 1, "session": 1}}
    assert "one café" in strata("search", "café", **elsewhere).stdout
    assert json.loads(strata("import", "all.jsonl", "--json", **elsewhere).stdout) == {"imported": {}}
    strata("export", "not.jsonl", "--kinds", "ghosts", code=1)


def test_a_reindex_finds_everything_again_and_the_doctor_agrees(strata):
    strata("save", "one heron")
    strata("save", "another heron")
    assert json.loads(strata("reindex", "--json").stdout) == {"indexed": 2, "kept": 0, "failed": 0}
    assert len(json.loads(strata("search", "heron", "--json").stdout)) == 2
    checks = json.loads(strata("doctor", "--json", STRATA_PORT="1").stdout)["checks"]
    assert {check["name"]: check["state"] for check in checks}["index"] == "ok"


def test_what_differs_is_told_mended_and_told_no_more(strata, tmp_path):
    strata("save", "one heron")
    strata("save", "another heron")
    assert "no differences" in strata("verify").stdout
    with sqlite3.connect(tmp_path / "data" / "strata.db") as connection:
        connection.execute("DELETE FROM documents WHERE id = (SELECT min(id) FROM documents)")
        connection.execute(
            "UPDATE items SET item = json_set(item, '$.observations', 9) WHERE pk = 'local#STATS'"
        )
    connection.close()
    found = json.loads(strata("verify", "--json", code=1).stdout)
    assert (found["missing"], found["wrong_totals"], found["differences"], found["left"]) == (1, 1, 2, 2)
    assert "1 memories are not in the index" in strata("verify", code=1).stdout
    assert "2 of 2 mended" in strata("verify", "--repair").stdout
    assert json.loads(strata("verify", "--json").stdout)["differences"] == 0
    assert json.loads(strata("stats", "--json").stdout)["total_observations"] == 2


def test_what_was_put_aside_is_processed_again(strata, tmp_path):
    saved = json.loads(strata("save", "one thing", "--project", "p", "--json").stdout)
    body = {"pk": "local#PROJECT#p", "sk": f"OBS#{saved['id']:016d}", "reason": "it was a bad day"}
    with sqlite3.connect(tmp_path / "data" / "strata.db") as connection:
        for each in (body, {"nothing": "useful"}):
            connection.execute(
                "INSERT INTO messages (queue, body, sent_at, visible_at) VALUES ('redrive', ?, 0, 0)",
                (json.dumps(each),),
            )
    connection.close()
    done = json.loads(strata("redrive", "--json", code=1).stdout)
    assert (done["messages"], done["stayed"]) == (1, 1)
    assert "1 stay" in strata("redrive", code=1).stdout


def test_queues_are_counted_and_what_was_given_up_is_put_back(strata, tmp_path):
    assert "redrive" in strata("queues").stdout
    with sqlite3.connect(tmp_path / "data" / "strata.db") as connection:
        connection.execute(
            "INSERT INTO messages (queue, body, sent_at, visible_at, deliveries, reason, died_at)"
            " VALUES ('redrive', '\"words\"', 0, 0, 5, 'a bad day', 1000000),"
            " ('redrive', '1', 0, 0, 0, NULL, NULL)"
        )
    connection.close()
    (row,) = [each for each in json.loads(strata("queues", "--json").stdout) if each["queue"] == "redrive"]
    (letter,) = row.pop("dead_letters")
    assert row == {"queue": "redrive", "waiting": 1, "in_flight": 0, "dead": 1}
    assert (letter["deliveries"], letter["reason"]) == (5, "a bad day")
    listed = strata("queues").stdout
    assert "a bad day" in listed
    assert "words" not in listed
    assert "there is no queue nothing" in strata("queues", "redrive", "nothing", code=1).stderr
    assert json.loads(strata("queues", "redrive", "redrive", "--json").stdout)["revived"] == 1
    (row,) = [each for each in json.loads(strata("queues", "--json").stdout) if each["queue"] == "redrive"]
    assert (row["waiting"], row["dead"]) == (2, 0)


def test_what_waits_is_done_on_demand_unless_a_server_is_at_it(strata, tmp_path):
    assert json.loads(strata("queues", "work", "--json").stdout) == {"delivered": 0}
    with (tmp_path / "data" / "queues.worker").open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert "a server over this store is at it" in strata("queues", "work", code=1).stderr


def test_the_index_is_built_again_while_a_server_writes(strata, server):
    for number in range(5):
        strata("save", f"note {number}", "--url", server)
    with ThreadPoolExecutor(2) as pool:
        rebuilt = pool.submit(strata, "reindex", "--json")
        pool.submit(strata, "save", "meanwhile", "--url", server).result()
        rebuilt.result()
    assert json.loads(strata("verify", "--json").stdout)["differences"] == 0


def test_a_command_shares_the_store_with_a_running_server(strata, server):
    strata("save", "a heron beside the server")
    assert "a heron beside the server" in strata("search", "heron", "--url", server).stdout
    strata("save", "an otter through the server", "--url", server)
    assert "an otter through the server" in strata("search", "otter").stdout
    checks = json.loads(strata("doctor", "--json", "--url", server).stdout)["checks"]
    assert {check["name"]: check["state"] for check in checks}["server"] == "ok"


def test_commands_at_the_same_time_lose_nothing(strata):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: strata("save", f"note number {number}"), range(4)))
    assert json.loads(strata("stats", "--json").stdout)["total_observations"] == 4
    assert len(json.loads(strata("search", "note", "--json", "-n", "50").stdout)) == 4


def test_a_broken_store_is_one_sentence_and_stays_as_it_is(strata, tmp_path):
    file = tmp_path / "data" / "strata.db"
    file.parent.mkdir()
    file.write_bytes(b"somebody's letters " * 1000)
    before = file.read_bytes()
    for command in (["save", "x"], ["reindex"], ["verify"], ["redrive"]):
        result = strata(*command, code=1)
        assert "not a Strata store" in result.stderr
        assert result.stdout == ""
    assert file.read_bytes() == before


def test_a_data_folder_that_cannot_be_made_is_one_sentence(strata, tmp_path):
    (tmp_path / "file").write_text("")
    result = strata("save", "x", code=1, STRATA_DATA=str(tmp_path / "file" / "data"))
    assert str(tmp_path / "file") in result.stderr


def test_output_for_machines_has_no_colour_and_no_log_lines(strata):
    out = strata("save", "the key is AKIAIOSFODNN7EXAMPLE, do not print it", "--json", FORCE_COLOR="1").stdout
    assert json.loads(out)["action"] == "created"
    assert "\x1b" not in strata("recent", NO_COLOR="1").stdout


def test_a_reader_that_leaves_early_is_no_failure(environment, strata, tmp_path):
    strata("save", "-", "--title", "more than a pipe holds", stdin="é" * 50_000)
    with subprocess.Popen(
        [*COMMAND, "recent", "--json"],
        env=environment,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.read(10)
        process.stdout.close()
        errors = process.stderr.read().decode()
    assert "Traceback" not in errors
