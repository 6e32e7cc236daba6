"""Erasing a person on real servers over each pair of stores: no byte of what they said is left anywhere.

Every item of the table, every document of the engine, every file beside them, and what the server says.
"""

import json
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from servers.tables import dynamodb_client
from support.person import Person, files_with
from support.served_stores import client_of, eventually, served, settings_of

LARGE = 200_000
"""Characters of a turn; for a transcript of four of them a row of DynamoDB has no room."""


def all_items(settings: dict[str, str]) -> str:
    """Every item of the DynamoDB table."""
    client = dynamodb_client(settings["DYNAMODB_ENDPOINT"])
    pages = client.get_paginator("scan").paginate(TableName=settings["TABLE"], ConsistentRead=True)
    return json.dumps([page["Items"] for page in pages], default=str).lower()


def all_documents(settings: dict[str, str]) -> str:
    """Every document of the index, deleted ones expunged."""
    with httpx.Client(base_url=settings["OPENSEARCH_URL"], trust_env=False, timeout=60) as engine:
        alias = settings["OPENSEARCH_ALIAS"]
        for operation in ("_refresh", "_forcemerge?max_num_segments=1", "_refresh"):
            assert engine.post(f"/{alias}/{operation}").status_code == 200
        found = engine.post(f"/{alias}/_search", json={"size": 1000}).json()["hits"]["hits"]
        return json.dumps(found).lower()


def traces(word: str, folder: Path, settings: dict[str, str]) -> list[str]:
    """The places where a word still stands."""
    found = files_with(folder, word)
    if settings["STORE"] == "dynamodb" and word in all_items(settings):
        found.append("the table")
    if settings["INDEX"] == "opensearch" and word in all_documents(settings):
        found.append("the index")
    return found


def done(person: Person, erasure: str) -> dict[str, Any]:
    """The receipt, once there is one."""
    end = time.monotonic() + 90
    while (receipt := person.receipt(erasure))["status"] != "done":
        assert time.monotonic() < end, receipt
        time.sleep(0.2)
    return receipt


@pytest.mark.parametrize(
    ("store", "index"), [("sqlite", "sqlite"), ("dynamodb", "opensearch")], ids=["embedded", "deployed"]
)
def test_a_person_leaves_no_trace_and_another_loses_nothing(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    store: str,
    index: str,
) -> None:
    settings = settings_of(request, store, index)
    chosen = settings | {"ERASURE_SETTLE": "1", "LOG_LEVEL": "DEBUG"}
    with served(tmp_path, monkeypatch, **chosen) as server, client_of(server, 60) as api:
        ann, bob = Person(api, "ann"), Person(api, "bob")
        for each in (ann, bob):
            each.fills()
            long = [{"role": "user", "content": f"{each.word} {'x' * LARGE}"}] * 4
            each("POST", f"/sessions/{each.session}/end", json={"messages": long, "agent_id": "helper"})
        assert traces(ann.word, tmp_path, settings)
        eventually(lambda: not bob.data().get("words_to_consolidate"), 60)
        before = bob.data()

        receipt = done(ann, ann.asks_to_be_erased())

        counts = receipt["erased"]
        assert (counts["observations"], counts["sessions"], counts["events"]) == (3, 2, 2)
        assert traces(ann.word, tmp_path, settings) == []
        after = bob.data()
        assert {kind: after[kind] for kind in after if kind != "transcripts"} == {
            kind: before[kind] for kind in before if kind != "transcripts"
        }  # a transcript goes once facts were looked for in it
        assert traces(bob.word, tmp_path, settings)
    told = capfd.readouterr()
    assert ann.word not in told.out + told.err
