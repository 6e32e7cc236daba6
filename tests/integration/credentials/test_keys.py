"""Keys as an operator and an agent meet them: the command, a server that asks for keys, the client."""

import json
import os
import select
import subprocess
import sys

import httpx
import pytest

from strata.client import Client
from strata.client.errors import StrataClientError

pytestmark = pytest.mark.xdist_group("keys-served")

COMMAND = [sys.executable, "-c", "from strata.cli import main; main()"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("STRATA_", "MEMORY_"))
    }
    return inherited | {"STRATA_DATA": str(tmp_path_factory.mktemp("data"))}


@pytest.fixture(scope="module")
def strata(environment):
    def run(*arguments, code=0, **more):
        ran = subprocess.run(
            [*COMMAND, *arguments],
            env=environment | more,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert ran.returncode == code, ran.stderr
        assert "Traceback" not in ran.stderr
        return ran

    return run


@pytest.fixture(scope="module")
def server(environment):
    """A server that asks for keys, over a store without any; its address and what it said at its start."""
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", "--workers", "1"],
        env=environment | {"STRATA_AUTH": "required"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        ready, _, _ = select.select([process.stdout], [], [], 30)
        line = process.stdout.readline() if ready else ""
        assert line.startswith("Strata listens on "), (line, process.poll())
        yield line.split()[3], process.stderr.readline()
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.fixture(scope="module")
def key(server, strata):
    return strata("keys", "create", "--tenant", "acme", "--name", "agent").stdout.strip()


def ask(server, path, **headers):
    return httpx.get(server[0] + path, headers=headers, trust_env=False)


def test_a_server_without_keys_says_how_to_make_the_first(server):
    assert "strata keys create" in server[1]


def test_without_a_key_the_memories_are_closed_and_the_health_is_open(server):
    refused = ask(server, "/stats")
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"] == "Bearer"
    assert refused.json()["code"] == "unauthenticated"
    assert "strata keys create" in refused.json()["error"]
    assert ask(server, "/health").status_code == 200
    assert ask(server, "/openapi.json").status_code == 200


def test_a_key_that_was_just_made_opens_the_running_server(server, key):
    assert ask(server, "/stats", authorization=f"Bearer {key}").status_code == 200
    assert ask(server, "/stats", authorization=f"Bearer {key[:-2]}").status_code == 401


def test_the_client_and_the_command_send_the_key(server, key, strata, monkeypatch):
    monkeypatch.setenv("STRATA_API_KEY", key)
    with Client(server[0]) as memory:
        memory.save("Deploys need the lock", project="shop", session_id="s1", title="Deploys", type="lesson")
    told = strata(
        "search", "deploys", "--project", "shop", "--json", "--url", server[0], STRATA_API_KEY=key
    ).stdout
    assert json.loads(told)[0]["title"] == "Deploys"
    said = strata("stats", "--url", server[0], code=1).stderr
    assert "credentials" in said


def test_tenants_do_not_see_each_other(server, strata):
    mine, other = (strata("keys", "create", "--tenant", name).stdout.strip() for name in ("mine", "other"))
    with Client(server[0], key=mine) as memory:
        memory.save("Only here", project="shop", session_id="s1", title="Mine", type="note")
    totals = [ask(server, "/stats", authorization=f"Bearer {key}").json() for key in (mine, other)]
    assert [total["total_observations"] for total in totals] == [1, 0]


def test_a_key_for_reading_is_told_that_it_may_not_write(server, strata):
    key = strata("keys", "create", "--tenant", "acme", "--scopes", "read").stdout.strip()
    with Client(server[0], key=key) as memory, pytest.raises(StrataClientError, match="'write'") as refusal:
        memory.save("no", project="shop", session_id="s1", title="no", type="note")
    assert refusal.value.code == "forbidden"


def test_a_key_does_not_open_a_page_of_another_site(server, key):
    page = {"authorization": f"Bearer {key}", "origin": "https://evil.example"}
    assert ask(server, "/stats", **page).status_code == 403


def test_keys_are_listed_rotated_and_revoked(server, strata):
    made = json.loads(
        strata("keys", "create", "--tenant", "ops", "--expires", "90d", "--name", "ci", "--json").stdout
    )
    assert made["key"].startswith(f"strata_{made['id']}_")
    new = json.loads(strata("keys", "rotate", made["id"], "--grace", "1h", "--json").stdout)
    assert (new["tenant"], new["name"], new["scopes"]) == ("ops", "ci", ["read", "write"])
    for each in (made, new):
        assert ask(server, "/stats", authorization=f"Bearer {each['key']}").status_code == 200

    ended = json.loads(strata("keys", "revoke", new["id"], "--json").stdout)
    assert ended["state"] == "revoked"
    listed = strata("keys", "list", "--tenant", "ops", "--json").stdout
    assert {row["id"]: row["state"] for row in json.loads(listed)} == {
        made["id"]: "active",
        new["id"]: "revoked",
    }
    table = strata("keys", "list").stdout
    assert made["id"] in table
    for secret in (made["key"], new["key"]):
        assert secret.rpartition("_")[2] not in listed + table


def test_what_cannot_be_done_is_said_in_a_sentence(strata):
    assert "no such key" in strata("keys", "revoke", "nobody", code=1).stderr
    assert "no such key" in strata("keys", "rotate", "nobody", code=1).stderr
    assert "must be some of" in strata("keys", "create", "--scopes", "root", code=1).stderr
    assert "--expires" in strata("keys", "create", "--expires", "soon", code=2).stderr


def test_only_the_key_stands_on_the_standard_output(strata):
    made = strata("keys", "create")
    assert len(made.stdout.split()) == 1
    assert made.stdout.strip() not in made.stderr


def test_an_issuer_without_its_audience_is_refused_at_the_start(strata):
    said = strata("serve", code=1, STRATA_AUTH="required", STRATA_JWT_ISSUER="https://id.example").stderr
    assert "STRATA_JWT_AUDIENCE" in said
