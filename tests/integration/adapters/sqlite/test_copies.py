"""Copies of a store's file: whole ones only, and never in the place of a store that somebody uses."""

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from strata.adapters.sqlite.copies import (
    BEFORE,
    InUse,
    alone_with,
    alone_with_damaged,
    copy_in,
    copy_out,
    put_in_place,
    seal,
)
from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.inspection import CorruptStore
from strata.domain.errors import Unavailable

OPENED = """
import sys
from pathlib import Path
from strata.adapters.sqlite.database import SqliteDatabase
database = SqliteDatabase(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def store(tmp_path: Path):
    database = SqliteDatabase(tmp_path / "strata.db", wait=30)
    put(database, "first")
    yield database
    database.close()


def put(database: SqliteDatabase, name: str) -> None:
    with database.writing() as connection:
        connection.execute("INSERT INTO items (pk, sk, item) VALUES (?, 'x', '{}')", (f"local#{name}",))


def names(path: Path) -> list[str]:
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return [row[0].partition("#")[2] for row in connection.execute("SELECT pk FROM items ORDER BY pk")]
    finally:
        connection.close()


def damage(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:12288] = bytes(8192)
    path.write_bytes(content)


def test_a_copy_is_one_file_with_what_was_committed(store, tmp_path):
    with store.writing() as connection:
        connection.execute("INSERT INTO items (pk, sk, item) VALUES ('local#under way', 'x', '{}')")
        size = copy_out(store, tmp_path / "copy.db", replacing=False)
    assert size == (tmp_path / "copy.db").stat().st_size
    assert names(tmp_path / "copy.db") == ["first"]
    assert {each.name for each in tmp_path.iterdir() if "copy" in each.name} == {"copy.db"}


def test_a_file_is_replaced_only_on_request(store, tmp_path):
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(FileExistsError):
        copy_out(store, tmp_path / "copy.db", replacing=False)
    assert (tmp_path / "copy.db").read_text() == "mine"
    copy_out(store, tmp_path / "copy.db", replacing=True)
    assert names(tmp_path / "copy.db") == ["first"]


@pytest.mark.parametrize("what", ["damaged", "cut", "other", "empty", "text"])
def test_only_a_whole_backup_is_taken(store, tmp_path, what):
    backup = tmp_path / "copy.db"
    copy_out(store, backup, replacing=False)
    match what:
        case "damaged":
            damage(backup)
        case "cut":
            backup.write_bytes(backup.read_bytes()[:8192])
        case "other":
            backup.unlink()
            other = sqlite3.connect(backup)
            other.execute("CREATE TABLE t (x)")
            other.close()
        case "empty":
            backup.write_bytes(b"")
        case "text":
            backup.write_text("no database at all" * 100)
    with pytest.raises((CorruptStore, FileNotFoundError)):
        copy_in(backup, tmp_path / "inside.db")


def test_a_store_that_another_process_has_open_is_not_replaced(store):
    other = subprocess.Popen(
        [sys.executable, "-c", OPENED, str(store.path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        with pytest.raises(InUse), alone_with(store):
            pass
        with pytest.raises(InUse), alone_with_damaged(store.path):
            pass
        put(store, "and goes on")
    finally:
        other.communicate()
    with alone_with(store):
        pass


def test_nobody_opens_a_store_while_it_is_replaced(store):
    with alone_with(store), pytest.raises(Unavailable, match="busy"):
        SqliteDatabase(store.path, wait=0.01)


def test_the_old_file_is_kept_beside_the_new_one(store, tmp_path):
    copy_out(store, tmp_path / "copy.db", replacing=False)
    put(store, "second")
    copy_in(tmp_path / "copy.db", tmp_path / "inside.db")
    seal(tmp_path / "inside.db")
    store.close()
    again = SqliteDatabase(store.path)
    with alone_with(again):
        kept = put_in_place(tmp_path / "inside.db", store.path)
    assert kept == store.path.with_name(store.path.name + BEFORE)
    assert (names(store.path), names(kept)) == (["first"], ["first", "second"])
    with pytest.raises(Unavailable, match="replaced"):
        put(again, "into the old file")
    again.close()


def test_a_damaged_store_is_kept_with_its_log(store, tmp_path):
    copy_out(store, tmp_path / "copy.db", replacing=False)
    store.close()
    store.path.write_text("damaged")
    log = store.path.with_name("strata.db-wal")
    log.write_text("its log")
    with alone_with_damaged(store.path):
        kept = put_in_place(tmp_path / "copy.db", store.path)
    assert names(store.path) == ["first"]
    assert kept is not None
    assert (kept.read_text(), kept.with_name(kept.name + "-wal").read_text()) == ("damaged", "its log")
    assert not log.exists()
