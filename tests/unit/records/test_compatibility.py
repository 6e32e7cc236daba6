"""A file that an earlier version left is read, gone on with, exported and imported."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from compatibility import kept
from compatibility.continuation import (
    erasures_end,
    extractions_end,
    known_contents_and_items_are_told,
    maintenance_runs,
)
from compatibility.questions import differences, recorded
from compatibility.store import Store, opened, pages
from compatibility.story import TENANTS
from compatibility.upgrade import upgraded
from strata.adapters.rules import schema
from strata.adapters.sqlite import database, inspection, migrations
from support.memory import observation

DOCUMENT = (Path(__file__).parents[3] / "docs" / "data-model.md").read_text()
KINDS = kept.kinds(DOCUMENT)
STEPS_OF_THE_FIRST = 8
"""Of the file's schema."""
DOCUMENT_KINDS = {"observation", "episode"}


@pytest.fixture(params=kept.VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def told(version: str) -> Any:
    return kept.told(version, "sqlite")


@pytest.fixture
def store(version: str, told: Any, tmp_path: Path) -> Iterator[Store]:
    """A copy of the file, at the time at which it was left."""
    kept.unpack(version, tmp_path)
    with opened(tmp_path, told["now"]) as store:
        yield store


# --- the fixtures are whole


def rows_of_files(folder: Path) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for version in kept.VERSIONS:
        file = sqlite3.connect(kept.unpack(version, folder / version))
        rows += file.execute("SELECT pk, sk FROM items").fetchall()
        file.close()
    return rows


def rows_of_tables() -> list[tuple[str, str]]:
    return [
        (row["pk"]["S"], row["sk"]["S"]) for version in kept.VERSIONS for row in kept.lines(version, "items")
    ]


def test_every_kind_of_row_of_the_document_stands_in_the_fixtures(tmp_path: Path) -> None:
    assert len(KINDS) > 35
    for rows in (rows_of_files(tmp_path), rows_of_tables()):
        keys = [(pk.partition("#")[2], sk) for pk, sk in rows]
        missing = [
            (kind, pk.pattern)
            for kind, patterns in KINDS.items()
            for pk, sk in patterns
            if not any(pk.fullmatch(key[0]) and sk.fullmatch(key[1]) for key in keys)
        ]
        assert missing == [], "make new fixtures: tests/compatibility/README.md"


def test_every_row_of_the_fixtures_is_of_a_kind_of_the_document(tmp_path: Path) -> None:
    patterns = [pair for pairs in KINDS.values() for pair in pairs]
    for stored, sk in rows_of_files(tmp_path) + rows_of_tables():
        pk = stored.partition("#")[2]
        assert any(each.fullmatch(pk) and other.fullmatch(sk) for each, other in patterns), (pk, sk)


def test_documents_and_exports_have_every_kind(version: str, tmp_path: Path) -> None:
    file = sqlite3.connect(kept.unpack(version, tmp_path))
    embedded = {kind for (kind,) in file.execute("SELECT DISTINCT kind FROM spaces")}
    waiting = {(queue, dead) for queue, dead in file.execute("SELECT queue, died_at IS NULL FROM messages")}
    file.close()
    assert (
        embedded == {each["_source"]["kind"] for each in kept.lines(version, "documents")} == DOCUMENT_KINDS
    )
    assert {("extraction", 0), ("extraction", 1), ("erasure", 1), ("redrive", 1)} <= waiting
    for tenant in TENANTS:
        document = kept.export(version, tenant)
        assert min(len(document[name]) for name in ("sessions", "observations")) > 10


# --- they are read


def test_every_answer_is_the_one_that_its_own_version_gave(store: Store, told: Any) -> None:
    answers = recorded(store, told["erasures"])
    assert differences(told["answers"], answers) == []


def test_the_keys_open_and_the_revoked_ones_do_not(store: Store, told: Any) -> None:
    authorize = store.app.handlers.authorizer()
    for tenant in TENANTS:
        for number, made in enumerate(told["keys"][tenant]):
            answer = authorize({"identitySource": [f"Bearer {made['key']}"]}, None)
            assert answer["isAuthorized"] is (number < 2)
            assert answer.get("context", {}).get("tenant") == (tenant if number < 2 else None)
            assert answer.get("context", {}).get("identity") == ("ann" if number == 1 else None)


# --- and gone on with


def test_known_contents_and_items_are_told(store: Store) -> None:
    known_contents_and_items_are_told(store)


def test_maintenance_runs(store: Store) -> None:
    maintenance_runs(store)


def test_unfinished_erasures_end(store: Store, told: Any) -> None:
    erasures_end(store, told["erasures"])


def test_ordered_facts_are_found(store: Store) -> None:
    extractions_end(store)


def test_an_export_is_what_the_store_exports_and_is_imported_into_an_empty_one(
    version: str, store: Store, tmp_path: Path
) -> None:
    with opened(tmp_path / "empty", store.clock.us) as empty:
        for tenant in TENANTS:
            document = kept.export(version, tenant)
            assert (
                differences(document, exported(store, tenant) | {"exported_at": document["exported_at"]})
                == []
            )
            counts = empty(tenant, "POST", "/import", json=document)
            assert counts == {
                "imported_sessions": len(document["sessions"]),
                "imported_observations": len(document["observations"]),
            }
            assert set(empty(tenant, "POST", "/import", json=document).values()) == {0}
            imported = exported(empty, tenant)
            for name in ("sessions", "observations"):
                assert differences(by_id(document[name]), by_id(imported[name])) == []


def exported(store: Store, tenant: str) -> dict[str, Any]:
    found: dict[str, Any] = {"sessions": [], "observations": []}
    for page in pages(store, tenant, "/export"):
        for name in found:
            found[name] += page[name]
    return found


def by_id(rows: list[Any]) -> dict[str, Any]:
    return {str(row["id"]): row for row in rows}


# --- and the other way round


def test_what_a_newer_version_wrote_is_refused_and_taken_in_after_the_upgrade(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = schema.SCHEMA + 1
    with monkeypatch.context() as upgraded:
        upgraded.setattr(schema, "SCHEMA", newer)
        saved = store.of("acme").save("written by the next version", project="next")
    path, asked = f"/observations/{saved.id}", {"q": "who wrote or goes on", "min_relevance": "0"}
    refused = store.ask("acme", "GET", path)
    assert (refused.status_code, refused.json()["code"]) == (503, "newer_row")
    assert "Retry-After" in refused.headers
    assert store.ask("acme", "GET", "/search", params=asked | {"project": "next"}).status_code == 503

    store("acme", "POST", "/observations", json=observation(content="the others go on", project="other"))
    found = store("acme", "GET", "/search", params=asked | {"project": "other"})
    assert found[0]["content"] == "the others go on"

    monkeypatch.setattr(schema, "SCHEMA", newer)
    assert store("acme", "GET", path)["content"] == "written by the next version"
    found = store("acme", "GET", "/search", params=asked | {"project": "next"})
    assert found[0]["id"] == saved.id


# --- it is upgraded, and the upgrade can be taken back


def test_the_first_version_is_upgraded_by_processes_that_die(tmp_path: Path) -> None:
    told = kept.told("v1", "sqlite")
    kept.unpack("v1", tmp_path)
    with opened(tmp_path, told["now"]) as store:
        upgraded(store, told)


def test_a_file_of_this_version_needs_no_migration(tmp_path: Path) -> None:
    newest = kept.VERSIONS[-1]
    kept.unpack(newest, tmp_path)
    with opened(tmp_path, kept.told(newest, "sqlite")["now"]) as store:
        done = store.app.repair.migrator.migrate()
    assert (set(done.rows.values()), done.index) == ({0}, None)


def test_the_version_before_refuses_an_upgraded_file_and_leaves_it_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = kept.unpack("v1", tmp_path)
    with opened(tmp_path, kept.told("v1", "sqlite")["now"]) as store:
        store.app.repair.migrator.migrate()
    upgraded_file = file.read_bytes()
    monkeypatch.setattr(inspection, "MIGRATIONS", migrations.MIGRATIONS[:STEPS_OF_THE_FIRST])
    with pytest.raises(inspection.CorruptStore, match="newer"):
        database.SqliteDatabase(file)
    assert file.read_bytes() == upgraded_file


# --- how answers are compared


def test_a_change_of_an_answer_is_a_difference() -> None:
    before = {"a": [1, {"b": None}], "hits": [{"id": 1, "score": 0.5}, {"id": 2, "score": 0.4}]}
    assert differences(before, before | {"new": 1}) == []
    assert differences(before, before | {"hits": [{"id": 1, "score": 0.1}]}) == []
    for after in ({"a": [1]}, {"a": [1, {}]}, {"a": [2, {"b": None}]}, {"hits": []}, {"hits": [{"id": 2}]}):
        assert len(differences(before, before | after)) == 1
    assert differences(before, {"a": before["a"]}) == [".hits is gone"]
