"""The round trips that a call costs, counted where requests leave for the stores.

Every request is held up for a moment, so that requests which are sent together overlap. The rounds of a call
are the longest chain of requests of which each began after the one before had ended.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from opensearchpy import Transport

from servers.tables import CREDENTIALS, table_settings
from strata.adapters.opensearch.search_index import OpenSearchIndex
from strata.bootstrap import Application
from strata.domain.scope import Scope
from strata.domain.wire.episodes import NewEpisode
from strata.domain.wire.observations import NewObservation
from strata.domain.wire.sessions import NewSession, SessionEnd
from strata.domain.wire.working_memory import WorkingMemoryChange
from strata.local.template.dynamodb import create_table
from strata.ports.search import SearchQuery
from strata.services.context.assemble import ContextOptions
from strata.services.context.layers.layer import ContextQuery
from strata.services.records.observations import OBSERVATION_KIND
from strata.services.search.filters import ObservationFilter
from support.clocks import HandClock
from support.memory import LOCAL, application, observation, record, unique

HELD_UP = 0.15
"""Seconds: far more than two threads' starts lie apart."""


@dataclass
class Wire:
    """The requests that went over it: name, start and end of each request."""

    requests: list[tuple[str, float, float]] = field(default_factory=list)
    counting: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def request(self, name: str) -> Iterator[None]:
        started = time.monotonic()
        if self.counting:
            time.sleep(HELD_UP)
        yield
        if self.counting:
            with self._lock:
                self.requests.append((name, started, time.monotonic()))

    @contextmanager
    def counted(self) -> Iterator[None]:
        self.requests.clear()
        self.counting = True
        yield
        self.counting = False

    def names(self) -> list[str]:
        return sorted(name for name, _, _ in self.requests)

    def rounds(self) -> int:
        """The longest chain of requests of which each began after the one before had ended."""
        chains: list[tuple[float, int]] = []
        for _, started, ended in sorted(self.requests, key=lambda each: each[2]):
            before = max((length for end, length in chains if end <= started), default=0)
            chains.append((ended, before + 1))
        return max((length for _, length in chains), default=0)


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    """Both clients' transports, watched."""
    from botocore.httpsession import URLLib3Session

    wire = Wire()
    send, perform = URLLib3Session.send, Transport.perform_request

    def sent(self: Any, request: Any) -> Any:
        name = request.headers["X-Amz-Target"]
        with wire.request((name if isinstance(name, str) else name.decode()).rpartition(".")[2]):
            return send(self, request)

    def performed(self: Any, method: str, url: str, *given: Any, **named: Any) -> Any:
        with wire.request(f"{method} {url.rpartition('/')[2]}"):
            return perform(self, method, url, *given, **named)

    monkeypatch.setattr(URLLib3Session, "send", sent)
    monkeypatch.setattr(Transport, "perform_request", performed)
    return wire


@pytest.fixture
def app(
    opensearch: str, dynamodb_local: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Application]:
    """The services over both engines, with a few memories that are indexed."""
    for name, value in CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    app = application(
        tmp_path,
        HandClock(),  # by a running one the marker of the index would be read again after some seconds
        INDEX="opensearch",
        **table_settings(dynamodb_local, unique("rounds-")),
        OPENSEARCH_URL=opensearch,
        OPENSEARCH_ALIAS=unique("rounds-"),
        OPENSEARCH_REFRESH="true",
        OPENSEARCH_TIMEOUT="20",
    )
    app.stores.make_table(create_table)
    app.sessions.catalog.start(LOCAL, NewSession(id="s1", project="demo"))
    for number in range(5):
        save(app, f"The heron stood in pond number {number}")
    follow(app)
    app.sessions.ender.end(
        LOCAL, "s1", SessionEnd.model_validate({"messages": [{"role": "user", "content": "a"}]})
    )
    for _ in range(3):  # every connection is open
        app.context.plain.assemble(LOCAL, project="demo", scope_name=None, query="heron", limit=50)
    yield app
    cast(OpenSearchIndex, app.stores.engine).drop()
    app.close()


def save(app: Application, content: str, **fields: Any) -> Any:
    return app.observations.saver.save(
        LOCAL, NewObservation.model_validate(observation(content=content, **fields))
    )


def follow(app: Application) -> None:
    log = app.stores.change_log
    position = log.position("test")
    log.fetch()
    changes = log.read(position, 1000)
    app.handlers.indexer()({"Records": [record(each.tenant, each.key) for each in changes]}, None)
    log.advance("test", changes[-1].sequence)


@pytest.mark.parametrize("project", ["demo", None])
@pytest.mark.parametrize("fresh", [False, True], ids=["indexed", "not indexed yet"])
def test_a_search_takes_two_rounds(app: Application, wire: Wire, project: str | None, fresh: bool) -> None:
    if fresh:
        save(app, "A heron flew over")
    with wire.counted():
        answer = app.search.observations.search(LOCAL, "heron", ObservationFilter(project=project), limit=10)
    assert (len(answer.hits), answer.degraded) == (5 + fresh, False)
    assert wire.rounds() == 2, wire.requests
    assert wire.names().count("POST _msearch") == 1
    assert wire.names().count("BatchGetItem") == 1


@pytest.mark.parametrize("project", ["demo", None])
@pytest.mark.parametrize("limit", [5, 50], ids=["enough found", "filled up with recent ones"])
def test_a_context_takes_three_rounds_at_most(
    app: Application, wire: Wire, project: str | None, limit: int
) -> None:
    with wire.counted():
        assembled = app.context.plain.assemble(
            LOCAL, project=project, scope_name=None, query="heron", limit=limit
        )
    assert (len(assembled.hits), assembled.degraded) == (5, False)
    assert wire.rounds() <= 3, wire.requests


def test_a_context_of_every_layer_takes_few_rounds(app: Application, wire: Wire) -> None:
    """One for the conversation and its ledger where there is one, three for the layers, one to mark."""
    app.episodes.catalog.store(
        LOCAL, NewEpisode(conversation_id="e", agent_id="a1", summary="A heron was seen")
    )
    follow(app)
    conversation = unique("conversation-")
    app.conversations.working_memory.put(
        LOCAL, conversation, WorkingMemoryChange.model_validate({"a": 1}), "ann"
    )

    def rounds(user_id: str | None = None, **wished: Any) -> int:
        asked = ContextQuery("heron", "demo", agent_id="a1", user_id=user_id)
        # reads the marker, which is due every few seconds only
        app.stores.index.search(LOCAL, SearchQuery(OBSERVATION_KIND, terms=("heron",), limit=1))
        with wire.counted():
            assembled = app.context.assembler.assemble(LOCAL, asked, ContextOptions(**wished))
        assert assembled.fitting
        assert (assembled.unavailable, assembled.degraded) == ([], False)
        return wire.rounds()

    assert rounds() <= 3, wire.requests
    assert rounds("ann", conversation_id=conversation, turn_id="t1") <= 5, wire.requests
    assert rounds("ann", conversation_id=conversation, turn_id="t1") <= 4, wire.requests
    assert rounds(conversation_id=conversation, turn_id="t1") <= 4, wire.requests
    assert rounds(conversation_id=unique("conversation-")) <= 5, wire.requests


def test_the_newest_sessions_take_two_rounds_however_many_projects_there_are(
    app: Application, wire: Wire
) -> None:
    for project in ("pond", "river", "sea"):
        app.sessions.catalog.start(LOCAL, NewSession(id=project, project=project))
    follow(app)
    with wire.counted():
        newest = app.sessions.catalog.recent(LOCAL, None, 3)
    assert [session.id for session in newest] == ["sea", "river", "pond"]
    assert wire.rounds() == 2, wire.requests


def test_an_uncontended_save_is_a_read_and_a_transaction(app: Application, wire: Wire) -> None:
    with wire.counted():
        save(app, "A grebe dived", topic_key="birds/grebe", scope="personal")
    assert wire.names() == ["BatchGetItem", "TransactWriteItems"]


def test_working_memory_and_ledger_take_a_read_and_a_write(app: Application, wire: Wire) -> None:
    def asked(call: Callable[[], object]) -> list[str]:
        with wire.counted():
            call()
        return wire.names()

    change = WorkingMemoryChange.model_validate({"a": 1, "b": 2})
    conversation = unique("conversation-")
    put = partial(app.conversations.working_memory.put, LOCAL, conversation, change)
    mark = partial(app.conversations.ledger.mark, LOCAL, conversation)

    assert asked(put) == ["BatchGetItem", "PutItem"]
    assert asked(put) == ["BatchGetItem", "UpdateItem"]
    assert asked(partial(app.conversations.working_memory.get, LOCAL, conversation)) == ["GetItem"]
    assert asked(partial(mark, "item")) == ["BatchGetItem", "PutItem"]
    assert asked(partial(mark, "item")) == ["BatchGetItem"]
    assert asked(partial(app.conversations.ledger.check, LOCAL, conversation, "item")) == ["BatchGetItem"]
    assert asked(partial(app.conversations.ledger.mark, LOCAL, unique("c"), "item")) == [
        "BatchGetItem",
        "TransactWriteItems",
    ]
    assert asked(partial(app.conversations.ledger.mark_many, LOCAL, conversation, ["a", "b", "item"])) == [
        "BatchGetItem",
        "TransactWriteItems",
    ]
    assert asked(partial(put, "ann")) == ["BatchGetItem", "BatchGetItem", "GetItem", "TransactWriteItems"]
    # her wishes are asked with each write, since she may opt out at any time
    assert asked(partial(put, "ann")) == ["BatchGetItem", "BatchGetItem", "UpdateItem"]


def test_many_rows_are_read_in_one_round(app: Application, wire: Wire) -> None:
    keys = [key for _, key in app.stores.census.keys("OBS#")]
    many = [type(keys[0])(keys[0].pk, f"OBS#{number:016d}") for number in range(250)]
    with wire.counted():
        found = app.stores.table.get_many(Scope("local"), [*many, *keys])
    assert len(found) == 5
    assert wire.names() == ["BatchGetItem"] * 3
    assert wire.rounds() == 1


def test_the_indexer_asks_for_all_predecessors_at_once(app: Application, wire: Wire) -> None:
    for number in range(6):
        save(app, f"An egret, the {number}th")
    keys = [key for _, key in app.stores.census.keys("OBS#")]
    with wire.counted():
        app.stream.indexer.follow(LOCAL, keys[:8])
    assert wire.names() == ["BatchGetItem", "POST _bulk", "Query"]  # one query for all of a session
    assert wire.rounds() == 3, wire.requests  # rows, predecessors, bulk
