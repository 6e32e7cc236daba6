"""A request is followed from its save into its indexing: in the change note, log lines and spans."""

import logging
import sys

import pytest

from strata.domain.scope import Scope
from support.faults import moody
from support.memory import LOCAL, Memory, application


@pytest.fixture
def memory(tmp_path, clock):
    app = application(tmp_path, clock)
    yield Memory(app)
    app.close()


@pytest.fixture
def save(memory):
    """Save a content as a request of this id does."""

    def send(content: str, request: str, project: str = "demo") -> None:
        with memory.app.handlers.observing.invocation({"headers": {"x-request-id": request}}, None):
            memory.save(content, project=project)

    return send


def lines(caplog) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.name == "strata.stream"]


def test_the_indexer_says_at_debug_whose_writes_it_followed(memory, save, caplog):
    caplog.set_level(logging.DEBUG, "strata.stream")
    save("one", "req-1")
    save("two", "req-2", project="other")
    memory.save("of no request")
    memory.follow()
    assert lines(caplog) == ["6 change(s) were followed, of the requests req-1, req-2"]


def test_what_is_put_aside_is_told_with_its_requests_and_costs_others_no_read(
    memory, save, caplog, monkeypatch
):
    caplog.set_level(logging.INFO, "strata.stream")
    monkeypatch.delitem(sys.modules, "opentelemetry.trace")  # no spans are made
    asked = []
    notes = memory.app.search.change_notes
    requests = notes.requests
    monkeypatch.setattr(notes, "requests", lambda scope, keys: asked.extend(keys) or requests(scope, keys))
    save("a fact", "req-1")
    memory.follow()
    assert (lines(caplog), asked) == ([], [])
    embedder = moody(memory)
    for number in range(25):
        save(f"poison {number}", f"req-{number}")
    memory.follow()
    (line,) = lines(caplog)
    assert line.startswith(
        "50 change(s) were not processed and are put aside, the first is of local in PROJECT/"
    )
    assert line.endswith(f", of the requests {', '.join(f'req-{n}' for n in range(20))} and 5 more")
    embedder.bad = "nothing"
    assert memory.app.repair.redriver.redrive().is_whole


def test_a_request_that_cannot_be_named_holds_up_no_indexing(memory, save, caplog, monkeypatch):
    caplog.set_level(logging.DEBUG, "strata.stream")

    def away(scope, keys):
        raise ConnectionError("away")

    monkeypatch.setattr(memory.app.search.change_notes, "requests", away)
    save("one", "req-1")
    memory.follow()
    assert lines(caplog) == ["2 change(s) were followed"]
    assert len(list(memory.app.stores.index.catalog(LOCAL, "observation"))) == 1


def test_the_span_of_the_indexing_names_the_requests(memory, save, spans):
    save("one", "req-1")
    save("two", "req-2")
    Memory(memory.app, Scope("acme")).save("of another tenant")
    memory.follow()
    (indexing,) = spans()
    assert (indexing.name, indexing.attributes["memory.changes"]) == ("memory.index", 6)
    assert indexing.attributes["memory.request_ids"] == ("req-1", "req-2")
