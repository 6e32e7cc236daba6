"""Work in the background: in order, bounded, and given up when its time is over."""

import contextvars
import gc
import os
import subprocess
import sys
import threading
import weakref

import pytest

from strata.client.hooks.background import Background


@pytest.fixture
def gate():
    """Holds jobs up until it is set."""
    gate = threading.Event()
    yield gate
    gate.set()


def background(threads=1, size=10):
    return Background("test", threads=threads, size=size)


def held(work, gate):
    """A job that has begun and waits at the gate."""
    begun = threading.Event()
    future = work.submit(lambda: begun.set() or gate.wait(30))
    assert begun.wait(30)
    return future


def test_jobs_are_done_in_order_and_give_what_they_give():
    work, done = background(), []
    futures = [work.submit(lambda number=number: done.append(number) or number) for number in range(10)]
    assert [future.result(30) for future in futures] == done == list(range(10))


def test_a_job_that_fails_fails_alone():
    work = background()
    failed, fine = work.submit(lambda: 1 / 0), work.submit(lambda: "fine")
    assert fine.result(30) == "fine"
    assert isinstance(failed.exception(30), ZeroDivisionError)


def test_a_full_queue_refuses_at_once(gate):
    work = background(size=2)
    held(work, gate)
    assert [work.submit(lambda: None) is not None for _ in range(3)] == [True, True, False]
    gate.set()
    assert work.flush(30)
    assert work.submit(lambda: None) is not None


def test_as_many_jobs_run_together_as_there_are_threads(gate):
    work = background(threads=3)
    together = threading.Barrier(3)
    assert {work.submit(lambda: together.wait(30) >= 0) and True for _ in range(3)} == {True}
    assert work.flush(30)
    assert not together.broken


def test_flush_tells_that_the_time_was_too_short(gate):
    work = background()
    held(work, gate)
    assert work.flush(0.0) is False
    gate.set()
    assert work.flush(30) is True


def test_closing_drops_what_has_not_begun_and_takes_no_more(gate):
    work = background()
    held(work, gate)
    waiting = work.submit(lambda: None)
    assert work.close(0.0) is False
    assert waiting.cancelled()
    assert work.submit(lambda: None) is None


def test_retiring_still_does_what_is_queued(gate):
    work = background()
    held(work, gate)
    last = work.submit(lambda: "done")
    work.retire()
    gate.set()
    assert last.result(30) == "done"


def test_a_cancelled_job_is_not_done(gate):
    work, done = background(), []
    held(work, gate)
    work.submit(lambda: done.append(1)).cancel()
    gate.set()
    assert work.flush(30)
    assert done == []


def test_a_job_runs_in_the_context_it_was_given_in():
    variable = contextvars.ContextVar("variable", default="nobody")
    variable.set("ann")
    assert background().submit(variable.get).result(30) == "ann"


def test_a_finished_job_is_not_kept():
    class Held:
        pass

    thing = Held()
    work = background()
    work.submit(lambda thing=thing: thing and None).result(30)
    assert work.flush(30)
    gone = weakref.ref(thing)
    del thing
    gc.collect()
    assert gone() is None


def test_without_another_thread_those_there_are_do_the_work(gate, monkeypatch):
    work = background(threads=2)
    held(work, gate)
    monkeypatch.setattr(
        threading.Thread, "start", lambda self: (_ for _ in ()).throw(RuntimeError("no more"))
    )
    last = work.submit(lambda: "done")
    gate.set()
    assert last.result(30) == "done"


ENDING = """
import threading
from strata.client.hooks import background
background.AT_EXIT = {patience}
work = background.Background("test", threads=1, size=10)
work.submit(lambda: threading.Event().wait({wait}))
work.submit(lambda: print("saved", flush=True))
"""


@pytest.mark.parametrize(
    ("wait", "patience", "printed"), [(0.01, 30, "saved\n"), (600, 0.01, "")], ids=["short", "long"]
)
def test_the_end_of_the_process_waits_a_moment_for_what_is_queued_and_no_longer(wait, patience, printed):
    script = ENDING.format(wait=wait, patience=patience)
    assert ran(script) == printed


FORKING = """
import os, threading
from strata.client.hooks.background import Background
work = Background("test", threads=1, size=2)
gate = threading.Event()
for job in (gate.wait, lambda: print("parent", flush=True)):
    work.submit(job)
child = os.fork()
if child == 0:
    print(work.submit(lambda: "child").result(30), flush=True)
    os._exit(0)
os.waitpid(child, 0)
gate.set()
assert work.flush(30)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system knows no fork")
def test_a_forked_process_has_threads_of_its_own_and_none_of_its_parent_s_jobs():
    assert ran(FORKING) == "child\nparent\n"


def ran(script):
    ended = subprocess.run(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", script],
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert ended.stderr == ""
    return ended.stdout
