"""The order in which waiting writers write."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.table import SqliteTable
from strata.adapters.sqlite.write_lock import WriteLock
from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.ports.rows import Key, Put
from support.clocks import FrozenClock

_HOLD = """
import fcntl, os, sys
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "strata.db.lock"


@contextmanager
def held_by_another_process(path: Path) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen(
        [sys.executable, "-c", _HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        try:
            yield holder
        finally:
            holder.kill()


def test_a_writer_gives_up_after_its_wait_and_gets_in_later(path: Path) -> None:
    with closing(WriteLock(path)) as lock:
        with held_by_another_process(path) as holder:
            assert not lock.acquire(0.2)
            assert not lock.acquire(0.01)
            holder.kill()
        assert lock.acquire(10)
        lock.release()


def test_a_wait_that_was_given_up_does_not_take_the_lock_from_a_later_writer(path: Path) -> None:
    with closing(WriteLock(path)) as lock, closing(WriteLock(path)) as rival:
        assert rival.acquire(1)
        assert not lock.acquire(0.2)  # its helper still stands in the kernel's queue
        rival.release()
        assert lock.acquire(10)
        assert not rival.acquire(0.1)
        lock.release()
        assert rival.acquire(10)
        rival.release()


def test_a_writer_that_waits_in_line_gets_in_when_the_holder_leaves(path: Path) -> None:
    with closing(WriteLock(path)) as lock, closing(WriteLock(path)) as holder:
        assert holder.acquire(1)
        threading.Timer(0.3, holder.release).start()
        assert lock.acquire(20)
        assert not holder.acquire(0.05)
        lock.release()
        assert holder.acquire(10)
        holder.release()


def test_a_fork_neither_drops_its_parents_lock_nor_keeps_it_alive(tmp_path: Path) -> None:
    with closing(SqliteDatabase(tmp_path / "strata.db", wait=0.2)) as database:
        with database.writing():
            child = os.fork()
            if child == 0:
                try:
                    with database.writing():
                        os._exit(2)
                except Unavailable:
                    os._exit(0)
                finally:
                    os._exit(1)
            assert os.waitpid(child, 0)[1] == 0
            with closing(WriteLock(tmp_path / "strata.db.lock")) as rival:
                assert not rival.acquire(0.01)
        with closing(WriteLock(tmp_path / "strata.db.lock")) as rival:
            assert rival.acquire(0.01)


def test_a_forked_child_that_writes_keeps_its_parent_waiting(tmp_path: Path) -> None:
    with closing(SqliteDatabase(tmp_path / "strata.db", wait=0.2)) as database:
        inside, entered = os.pipe()
        done, leave = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                with database.writing():
                    os.write(entered, b"x")
                    os.read(done, 1)
                os._exit(0)
            finally:
                os._exit(1)
        os.read(inside, 1)
        with pytest.raises(Unavailable, match="busy"), database.writing():
            pass
        os.write(leave, b"x")
        assert os.waitpid(child, 0)[1] == 0
        with database.writing():
            pass
        for descriptor in (inside, entered, done, leave):
            os.close(descriptor)


def test_at_most_one_of_many_threads_and_locks_is_inside(path: Path) -> None:
    inside: list[int] = []
    crowds: list[int] = []

    def enter(number: int) -> None:
        lock = locks[number % len(locks)]
        assert lock.acquire(60)
        inside.append(number)
        crowds.append(len(inside))
        time.sleep(0.0005)
        inside.remove(number)
        lock.release()

    locks = [WriteLock(path) for _ in range(4)]
    with ThreadPoolExecutor(16) as threads:
        list(threads.map(enter, range(300)))
    assert crowds == [1] * 300
    for lock in locks:
        lock.close()


def test_a_store_that_others_keep_busy_is_unavailable_to_writers_and_open_to_readers(tmp_path: Path) -> None:
    with closing(SqliteDatabase(tmp_path / "strata.db", wait=0.1)) as database:
        table, scope, key = SqliteTable(database, FrozenClock(0)), Scope("acme"), Key("p", "s")
        table.transact(scope, [Put(key, {"n": 1})])
        with held_by_another_process(tmp_path / "strata.db.lock"):
            with pytest.raises(Unavailable):
                table.transact(scope, [Put(key, {"n": 2})])
            assert table.get(scope, key) == {"n": 1}
        table.transact(scope, [Put(key, {"n": 3})])
        assert table.get(scope, key) == {"n": 3}
