"""The file of the embedded store: what is refused at the door, what a full disk and a kill leave behind."""

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.inspection import CorruptStore
from strata.adapters.sqlite.migrations import APPLICATION_ID, MIGRATIONS, migrate, version
from strata.adapters.sqlite.remnants import SqliteRemnants
from strata.adapters.sqlite.search_index import SqliteSearchIndex
from strata.adapters.sqlite.store_file import ROOM, StoreFile
from strata.adapters.sqlite.table import SqliteTable
from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.ports.rows import Delete, Key, Put, Update
from strata.ports.search import Document, SearchQuery
from strata.ports.table import Query
from support.clocks import FrozenClock

SCOPE = Scope("acme")
KEY = Key("p", "s")


def open_table(path: Path) -> tuple[SqliteDatabase, SqliteTable]:
    database = SqliteDatabase(path)
    return database, SqliteTable(database, FrozenClock(1_800_000_000_000_000))


def first_row(path: Path) -> object:
    database, table = open_table(path)
    with closing(database):
        return table.get(SCOPE, Key("p", "000"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "strata.db"


@pytest.fixture
def filled(path: Path) -> Path:
    """A sound file with some rows, closed."""
    database, table = open_table(path)
    for number in range(50):
        table.transact(SCOPE, [Put(Key("p", f"{number:03d}"), {"n": number, "text": "x" * 500})])
    database.close()
    return path


def test_a_row_is_read_in_the_middle_of_a_write_and_while_another_thread_writes(filled: Path) -> None:
    database, table = open_table(filled)
    with closing(database), database.writing() as connection:
        connection.execute("UPDATE items SET item = '{\"n\":-1}' WHERE sk = '000'")
        inside = table.get(SCOPE, Key("p", "000"))
        with ThreadPoolExecutor(1) as pool:
            beside = pool.submit(table.get, SCOPE, Key("p", "001")).result(30)
    assert inside is not None
    assert inside["n"] == 0
    assert beside is not None
    assert beside["n"] == 1


def test_a_consumer_that_advances_moves_what_was_written_from_the_log_into_the_file(filled: Path) -> None:
    database, table = open_table(filled)
    with closing(database):
        before = filled.stat().st_size
        for number in range(11):
            actions = [Put(Key(f"q{number}", f"{each:03d}"), {"text": "x" * 200}) for each in range(100)]
            table.transact(SCOPE, actions)
        assert filled.stat().st_size == before
        table.advance("indexer", table.head())
        assert filled.stat().st_size > before + 1100 * 200


# --- what is refused


def refused(path: Path) -> str:
    """The refusal's sentence; asserts that the file is as it was."""
    before = path.read_bytes()
    with pytest.raises(CorruptStore) as refusal:
        SqliteDatabase(path)
    assert path.read_bytes() == before
    assert str(path) in str(refusal.value)
    return str(refusal.value)


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"these are my notes, not a database\n" * 200)
    assert "Restore a backup" in refused(path)


def test_a_damaged_header_is_refused(filled: Path) -> None:
    filled.write_bytes(b"\xff" * 100 + filled.read_bytes()[100:])
    assert "Restore a backup" in refused(filled)


@pytest.mark.parametrize("lost", [1, 4096, 20_000])
def test_a_file_that_was_cut_short_is_refused(filled: Path, lost: int) -> None:
    filled.write_bytes(filled.read_bytes()[:-lost])
    assert "Restore a backup" in refused(filled)


def test_a_damaged_page_is_found_by_the_check(filled: Path) -> None:
    content = bytearray(filled.read_bytes())
    for start in range(4096, len(content), 4096):
        content[start : start + 16] = b"\xff" * 16
    with closing(SqliteDatabase(filled)) as sound:
        assert sound.problems() == []
    filled.write_bytes(content)
    try:
        with closing(SqliteDatabase(filled)) as database:
            assert database.problems()
    except CorruptStore as refusal:
        assert "Restore a backup" in str(refusal)  # noqa: PT017 - either way of finding it is right


def test_a_page_that_turns_out_damaged_says_what_to_do(filled: Path) -> None:
    content = bytearray(filled.read_bytes())
    for start in range(4096, len(content), 4096):
        content[start : start + 16] = b"\xff" * 16
    filled.write_bytes(content)
    with pytest.raises((CorruptStore, Unavailable), match=r"damaged.*Restore a backup"):
        first_row(filled)


def test_nobody_else_on_the_machine_can_read_the_files(filled: Path) -> None:
    database, _ = open_table(filled)
    with closing(database):
        files = list(filled.parent.iterdir())
        assert len(files) > 1
        assert {oct(file.stat().st_mode & 0o077) for file in files} == {"0o0"}


def test_another_programs_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
        other.commit()
    assert "another program's" in refused(path)


def test_a_newer_schema_is_refused(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as newer:
        newer.execute(
            "INSERT INTO schema_versions (version, name) VALUES (?, 'later')", (len(MIGRATIONS) + 1,)
        )
        newer.commit()
    assert "newer Strata" in refused(filled)


def test_a_damaged_number_of_the_schema_is_no_newer_version(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as damaged:
        damaged.execute("INSERT INTO schema_versions (version, name) VALUES (33899426678, 'x')")
        damaged.commit()
    assert "is damaged" in refused(filled)


def test_a_store_that_was_emptied_is_not_taken_for_a_new_one(filled: Path) -> None:
    filled.write_bytes(b"")
    assert "is empty, and held a store before. Restore a backup" in refused(filled)
    assert filled.read_bytes() == b""


def test_a_store_that_was_moved_away_is_followed_by_a_new_one(filled: Path) -> None:
    filled.rename(filled.with_name("kept.db"))
    StoreFile(filled)  # a start that is killed here
    assert filled.read_bytes() == b""
    assert first_row(filled) is None


def test_first_starts_at_once_are_no_damage(path: Path) -> None:
    for _ in range(15):  # each after the first with the lock file of a store that is gone
        with ThreadPoolExecutor(8) as threads:
            for database in list(threads.map(lambda _: SqliteDatabase(path, wait=30), range(8))):
                database.close()
        for each in path.parent.glob("strata.db*"):
            if each.suffix != ".lock":
                each.unlink()


def test_a_folder_that_cannot_be_made_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(Unavailable):
        SqliteDatabase(tmp_path / "file" / "strata.db")


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    database, table = open_table(path)
    with closing(database):
        table.transact(SCOPE, [Put(KEY, {"a": 1})])
        assert table.get(SCOPE, KEY) == {"a": 1}


# --- migrations


@pytest.mark.parametrize("old", range(1, len(MIGRATIONS)))
def test_a_file_of_any_older_version_keeps_its_rows(path: Path, old: int) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        migrate(connection, MIGRATIONS[:old])
        assert version(connection) == old
        connection.execute("INSERT INTO items (pk, sk, item) VALUES ('acme#p', 's', '{\"a\":1}')")
    database, table = open_table(path)
    with closing(database):
        assert table.get(SCOPE, KEY) == {"a": 1}
        index = SqliteSearchIndex(database)
        index.write(SCOPE, [Document("k", "note", "", "needle")])
        assert [found.key for found in index.search(SCOPE, SearchQuery("note", ("needle",)))] == ["k"]
        with database.reading() as connection:
            assert version(connection) == len(MIGRATIONS)
            assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)


def test_every_written_row_has_its_schema(path: Path) -> None:
    database, table = open_table(path)
    table.transact(
        SCOPE, [Put(Key("p", "a"), {}), Put(Key("p", "b"), {"n": 1}), Update(Key("p", "c"), add={"n": 1})]
    )
    with database.reading() as connection:
        stored = [json.loads(text) for (text,) in connection.execute("SELECT item FROM items ORDER BY sk")]
    database.close()
    assert stored == [{"schema": 1}, {"schema": 1, "n": 1}, {"schema": 1, "n": 1}]


def test_a_migration_that_fails_leaves_the_version_before_it(path: Path) -> None:
    def broken(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        raise sqlite3.OperationalError("out of luck")

    with closing(SqliteDatabase(path)) as database:
        with pytest.raises(Unavailable), database.writing() as connection:
            migrate(connection, (*MIGRATIONS, broken))
        with database.reading() as connection:
            assert version(connection) == len(MIGRATIONS)
            assert connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'half'").fetchone() is None


# --- a full disk


def fill_until_refused(table: SqliteTable) -> int:
    """The number of rows that went in before the store was `Unavailable`."""
    for written in range(1000):
        row = Put(Key("rows", f"{written:05d}"), {"text": "x" * 3000})
        try:
            table.transact(SCOPE, [row, Update(KEY, add={"n": 1})])
        except Unavailable:
            return written
    raise AssertionError("the disk never filled up")


def test_a_full_disk_is_unavailable_and_leaves_nothing_half_written(path: Path) -> None:
    database, table = open_table(path)
    index = SqliteSearchIndex(database)
    with closing(database):
        table.transact(SCOPE, [Put(KEY, {"n": 0})])
        with database.writing() as connection:
            pages = connection.execute("PRAGMA page_count").fetchone()[0]
            connection.execute(f"PRAGMA max_page_count = {pages + 20}")
        written = fill_until_refused(table)
        with pytest.raises(Unavailable):
            index.write(SCOPE, [Document(str(n), "note", "", "needle " + "y" * 3000) for n in range(100)])
        rows = table.query(SCOPE, Query("rows", limit=1000)).rows
        assert len(rows) == written > 0
        row = Put(Key("rows", f"{written:05d}"), {"text": "x" * 3000})
        assert table.get(SCOPE, KEY) == {"n": written}
        assert len(table.read(0, 1000)) == 1 + 2 * written
        assert index.search(SCOPE, SearchQuery("note", ("needle",))) == []
        with database.writing() as connection:
            connection.execute("PRAGMA max_page_count = 1000000")
        table.transact(SCOPE, [row])
        assert table.get(SCOPE, row.key) is not None
        assert database.problems() == []


# --- kill -9

_WRITER = """
import sys
from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.search_index import SqliteSearchIndex
from strata.adapters.sqlite.store_file import ROOM
from strata.adapters.sqlite.table import SqliteTable
from strata.domain.scope import Scope
from strata.ports.rows import Key, Put, Update
from strata.ports.search import Document

class Clock:
    def now_us(self):
        return 1_800_000_000_000_000

start = int(sys.argv[2])
database = SqliteDatabase(sys.argv[1])
table, index, scope = SqliteTable(database, Clock()), SqliteSearchIndex(database), Scope("acme")
for number in range(start, start + 100_000):
    key = f"{number:06d}"
    table.transact(scope, [Put(Key("rows", key), {"n": number}), Update(Key("p", "s"), add={"n": 1})])
    index.write(scope, [Document(key, "note", "", "needle")])
    print(number, flush=True)
"""


def test_what_was_acknowledged_survives_kill_9(path: Path) -> None:
    acknowledged: list[int] = []
    for attempt in range(5):
        with subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), str(attempt * 100_000)],
            stdout=subprocess.PIPE,
            text=True,
        ) as writer:
            assert writer.stdout is not None
            for _ in range(20 + 15 * attempt):
                acknowledged.append(int(writer.stdout.readline()))
            writer.send_signal(signal.SIGKILL)
            acknowledged += [int(line) for line in writer.stdout.read().splitlines()]
    database, table = open_table(path)
    with closing(database):
        stored = {row.item["n"] for row in table.query(SCOPE, Query("rows", limit=100_000)).rows}
        assert set(acknowledged) <= stored
        assert len(stored) <= len(acknowledged) + 5
        assert table.get(SCOPE, KEY) == {"n": len(stored)}
        found = dict(SqliteSearchIndex(database).catalog(SCOPE, "note"))
        assert {f"{number:06d}" for number in acknowledged} <= found.keys()
        assert database.problems() == []


def test_a_deleted_text_is_gone_from_the_file(path: Path) -> None:
    database, table = open_table(path)
    index = SqliteSearchIndex(database)
    with closing(database):
        table.transact(SCOPE, [Put(KEY, {"text": "rhododendron"})])
        index.write(SCOPE, [Document("a", "note", "", "rhododendron"), Document("b", "note", "", "other")])
        table.transact(SCOPE, [Put(KEY, {"text": "other"})])
        index.write(SCOPE, [], ["a"])
        index.optimize()
        assert database.checkpoint()
        files = [each for each in path.parent.iterdir() if each.is_file()]
        assert not [each.name for each in files if b"rhododendron" in each.read_bytes()]


# --- forks


def test_a_forked_child_writes_and_the_parent_goes_on(path: Path) -> None:
    database, table = open_table(path)
    with closing(database):
        table.transact(SCOPE, [Put(KEY, {"n": 0})])
        for _ in range(5):
            child = os.fork()
            if child == 0:
                try:
                    for _ in range(20):
                        table.update(SCOPE, Update(KEY, add={"n": 1}))
                    os._exit(0)
                finally:
                    os._exit(1)
            table.update(SCOPE, Update(KEY, add={"n": 1}))
            assert os.waitpid(child, 0)[1] == 0
            assert table.get(SCOPE, KEY) is not None
        assert table.get(SCOPE, KEY) == {"n": 105}
        assert database.problems() == []
    again, table = open_table(path)
    with closing(again):
        assert table.get(SCOPE, KEY) == {"n": 105}


# --- what is left of deleted rows


def shuffled_away(path: Path) -> SqliteDatabase:
    """A store whose rows came in any order, so that pages were divided; every second one was deleted."""
    database, table = open_table(path)
    rows = [(Key(f"p{number * 7919 % 499:03d}", "s"), f"heron {number}" * 30) for number in range(499)]
    for key, text in rows:
        table.transact(SCOPE, [Put(key, {"text": text if int(key.pk[1:]) % 2 else "somebody else's"})])
    for key, _ in rows:
        if int(key.pk[1:]) % 2:
            table.transact(SCOPE, [Delete(key)])
    return database


def bytes_beside(path: Path) -> bytes:
    return b"".join(each.read_bytes() for each in path.parent.iterdir())


def test_no_byte_of_deleted_rows_is_left_in_the_gaps_of_pages(path: Path) -> None:
    with closing(shuffled_away(path)) as database:
        assert b"heron" in bytes_beside(path)
        assert SqliteRemnants(database).expunge()
        assert b"heron" not in bytes_beside(path)
        assert bytes_beside(path).count(b"somebody else's") == 250
        assert database.problems() == []


def test_the_file_is_not_written_anew_while_a_reader_uses_the_log(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(shuffled_away(path)) as database:
        monkeypatch.setattr(database, "checkpoint", lambda: False)
        before = bytes_beside(path)
        assert not SqliteRemnants(database).expunge()
        assert bytes_beside(path) == before


# --- a file that is no longer there, and what health knows of writes


def moved_away(path: Path) -> Path:
    """Move the folder away, as a user does who tidies up."""
    return path.parent.rename(path.parent.with_name("elsewhere")) / path.name


def test_nothing_is_acknowledged_once_the_file_is_gone_or_another_one(filled: Path) -> None:
    database, table = open_table(filled)
    with closing(database):
        away = moved_away(filled)
        for _ in range(2):
            with pytest.raises(Unavailable, match="deleted or replaced"):
                table.transact(SCOPE, [Put(KEY, {"n": 1})])
            with pytest.raises(Unavailable, match="deleted or replaced"):
                database.check_writes()
            assert not filled.exists()
            filled.parent.mkdir(exist_ok=True)
        first_row(filled)  # another process makes a new store there
        with pytest.raises(Unavailable, match="deleted or replaced"):
            table.transact(SCOPE, [Put(KEY, {"n": 1})])

        shutil.rmtree(filled.parent)
        away.parent.rename(filled.parent)
        table.transact(SCOPE, [Put(KEY, {"n": 1})])
        database.check_writes()
    with closing(SqliteDatabase(filled)) as again:
        assert SqliteTable(again, FrozenClock(1_800_000_000_000_000)).get(SCOPE, KEY) == {"n": 1}


def test_reads_notice_within_a_second_and_make_no_new_file(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, table = open_table(filled)
    with closing(database):
        assert table.get(SCOPE, Key("p", "000"))
        moved_away(filled)
        now = time.monotonic() + 1
        monkeypatch.setattr(time, "monotonic", lambda: now)
        with pytest.raises(Unavailable, match="deleted or replaced"):
            table.get(SCOPE, Key("p", "000"))
        with pytest.raises(Unavailable, match="deleted or replaced"), database.reading(), database.reading():
            pass  # the second one opens a connection
        assert not filled.exists()


def test_health_knows_of_the_failed_write_of_another_process_until_one_succeeds(filled: Path) -> None:
    database, table = open_table(filled)
    other, _ = open_table(filled)  # as in another worker: what it knows comes from the lock file
    with closing(database), closing(other), file_size(4 * ROOM):  # of the log, too
        other.check_writes()
        fill_until_refused(table)
        for each in (database, other):
            with pytest.raises(Unavailable):
                each.check_writes()
    other, table = open_table(filled)
    with closing(other):
        other.check_writes()
        table.transact(SCOPE, [Put(KEY, {"n": 1})])
        assert other.problems() == []


@contextmanager
def file_size(most: int) -> Iterator[None]:
    """No file of this process may grow beyond this size, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


def test_health_knows_of_a_full_disk_before_a_write_fails(filled: Path) -> None:
    database, _ = open_table(filled)
    with closing(database):
        database.check_writes()
        with file_size(ROOM // 2), pytest.raises(Unavailable):
            database.check_writes()
        database.check_writes()


def test_health_knows_of_damage_until_the_whole_file_is_sound(filled: Path) -> None:
    sound = filled.read_bytes()
    content = bytearray(sound)
    for start in range(8192, len(content), 4096):
        content[start : start + 16] = b"\xff" * 16
    database, table = open_table(filled)
    other, _ = open_table(filled)
    with closing(database), closing(other):
        filled.write_bytes(content)
        with pytest.raises(Unavailable, match="damaged"):
            table.query(SCOPE, Query("p", limit=1000))
        for each in (database, other):
            with pytest.raises(Unavailable, match="damaged"):
                each.check_writes()
        assert other.problems()
        filled.write_bytes(sound)
        with pytest.raises(Unavailable, match="damaged"):
            other.check_writes()  # damage may be in a page that few requests need
    fresh, _ = open_table(filled)
    with closing(fresh):
        assert fresh.problems() == []
        fresh.check_writes()
