"""`strata serve` over each pair of stores: the loop of a memory, whole."""

from pathlib import Path

import httpx
import pytest
from benchmarks.server import SERVE, running

from servers.tables import dynamodb_client
from strata.local.template.dynamodb import create_table
from strata.services.records.observations import OBSERVATION_KIND
from support.api_calls import end, save, start
from support.memory import LOCAL, application, unique
from support.served_stores import PAIRS, client_of, eventually, served, settings_of


@pytest.mark.parametrize(("store", "index"), PAIRS, ids=["-".join(pair) for pair in PAIRS])
def test_the_loop_of_a_memory(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    store: str,
    index: str,
) -> None:
    project, other = unique("loop-"), unique("other-")
    settings = settings_of(request, store, index)  # an OpenSearch shows its writes by its usual interval
    with served(tmp_path, monkeypatch, **settings) as server, client_of(server) as api:
        session = start(api, project)
        kept = save(api, project, "The deploy script needs the staging credentials first")
        again = save(api, project, "The deploy script needs the staging credentials first")
        assert (again["id"], again["action"]) == (kept["id"], "deduplicated")
        changed = save(api, project, "Lunch is at noon")
        gone = save(api, project, "The lighthouse keeper retired")
        start(api, other, f"{other}-s", user_id="ben")
        elsewhere = save(api, other, "Credentials of the deploy are Ben's")

        # at once, whatever the index shows
        assert found(api, project, "credentials for the deploy")[0] == kept["id"]
        api.patch(f"/observations/{changed['id']}", json={"content": "Lunch is a picnic by the river"})
        assert found(api, project, "picnic by the river")[0] == changed["id"]
        assert api.delete(f"/observations/{gone['id']}").status_code == 204
        assert gone["id"] not in found(api, project, "lighthouse keeper")
        assert found(api, other, "credentials for the deploy") == [elsewhere["id"]]
        assert found(api, other, "credentials for the deploy", user_id="ann") == []
        assert elsewhere["id"] not in found(api, project, "credentials for the deploy")

        ended = end(api, session, "Where were we?", "We deployed to staging.")
        assert ended.json()["message_count"] == 2
        context = api.get("/context", params={"project": project, "query": "picnic"}).json()
        assert "picnic" in context["recent_observations"][0]["content"]
        assert context["recent_sessions"]

        eventually(lambda: [total(api, each) for each in (project, other, None)] == [2, 1, 3])
        here = {str(kept["id"]), str(changed["id"]), str(elsewhere["id"])}
        app = application(tmp_path, **settings)
        eventually(lambda: {key for key, _ in app.stores.index.catalog(LOCAL, OBSERVATION_KIND)} == here)
        app.close()
        assert found(api, project, "credentials for the deploy")[0] == kept["id"]
        assert found(api, project, "picnic by the river")[0] == changed["id"]
        assert gone["id"] not in found(api, project, "lighthouse keeper")
        assert api.get("/health").json()["status"] == "ok"


def test_what_was_written_while_no_server_ran_is_indexed_by_the_next(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = unique("later-")
    settings = settings_of(request, "dynamodb", "sqlite")
    with served(tmp_path, monkeypatch, **settings) as server, client_of(server) as api:
        save(api, project, "written just before the crash")
        server.kill()
    with served(tmp_path, monkeypatch, **settings) as server, client_of(server) as api:
        eventually(lambda: api.get("/stats").json()["total_observations"] == 1)


def test_a_table_without_a_stream_is_refused_at_the_start(
    dynamodb_local: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    client, name = dynamodb_client(dynamodb_local), unique("no-stream-")
    create_table(client, name)
    client.update_table(TableName=name, StreamSpecification={"StreamEnabled": False})
    settings = {
        "STORE": "dynamodb",
        "TABLE": name,
        "DYNAMODB_ENDPOINT": dynamodb_local,
        "DYNAMODB_REGION": "r",
    }
    with pytest.raises(RuntimeError), running(tmp_path, SERVE, **settings):
        pass
    assert f"the table {name} has no stream" in capfd.readouterr().err


def total(api: httpx.Client, project: str | None) -> int:
    return int(api.get("/stats", params={"project": project} if project else {}).json()["total_observations"])


def found(api: httpx.Client, project: str, query: str, **filters: str) -> list[int]:
    response = api.get("/search", params={"q": query, "project": project} | filters)
    assert "strata-degraded" not in response.headers
    return [hit["id"] for hit in response.json()]
