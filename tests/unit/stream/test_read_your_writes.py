"""A client reads what it wrote, however far behind the consumers of the stream are."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from strata.bootstrap import Application
from strata.domain.retrieval import Candidate
from strata.domain.scope import Scope
from strata.ports.search import SearchIndex, SearchQuery
from strata.ports.table import Query
from strata.services.search.filters import ObservationFilter
from strata.services.stream import current_totals
from strata.services.stream.current_totals import CurrentTotals
from support.api import ClaimsFromHeader, client, stream
from support.memory import LOCAL, Memory, application, observation


@pytest.fixture
def app(tmp_path) -> Iterator[Application]:
    app = application(tmp_path, AUTH="required")
    yield app
    app.close()


@pytest.fixture
def memory(app) -> Memory:
    return Memory(app)


def write(api: httpx.Client, tenant: str) -> None:
    """Two sessions, two projects, three observations and three events of a tenant."""
    api.headers["x-tenant"] = tenant
    for session, project in (("s1", "demo"), ("s2", "other")):
        assert api.post("/sessions", json={"id": session, "project": project}).status_code == 201
        event = {"event_type": "user_message", "content": "hello"}
        assert api.post(f"/memory/sessions/{session}/events", json=event).status_code == 201
    api.post("/memory/sessions/s1/events", json={"event_type": "user_message", "content": "again"})
    gone = api.post("/observations", json=observation(content=f"Of no use to {tenant}")).json()
    for content, project in (("WAL mode", "demo"), ("Herons", "demo"), ("Lighthouses", "other")):
        api.post("/observations", json=observation(content=f"{content} of {tenant}", project=project))
    assert api.delete(f"/observations/{gone['id']}").status_code == 204


def read(api: httpx.Client, tenant: str) -> dict[str, object]:
    api.headers["x-tenant"] = tenant
    hits = api.get("/search", params={"q": f"herons {tenant}"})
    recent, sessions = api.get("/observations/recent"), api.get("/sessions/recent")
    stats = api.get("/stats")
    assert not any("strata-degraded" in answer.headers for answer in (hits, recent, sessions, stats))
    return {
        "first hit": hits.json()[0]["content"],
        "recent": [each["content"] for each in recent.json()],
        "sessions": [each["id"] for each in sessions.json()],
        "stats": stats.json(),
        "of one": api.get("/stats", params={"project": "demo"}).json()["total_observations"],
        "events": api.get("/memory/stats").json(),
        "exported": len(api.get("/export").json()["observations"]),
    }


def expected(tenant: str) -> dict[str, object]:
    return {
        "first hit": f"Herons of {tenant}",
        "recent": [f"{what} of {tenant}" for what in ("Lighthouses", "Herons", "WAL mode")],
        "sessions": ["s2", "s1"],
        "stats": {"total_sessions": 2, "total_observations": 3, "projects": ["demo", "other"]},
        "of one": 2,
        "events": {"total_sessions": 2, "total_events": 3, "avg_events_per_session": 1},
        "exported": 3,
    }


def test_every_read_shows_what_was_written_before_during_and_after_the_stream_is_followed(
    app: Application, tmp_path: Path
):
    followed = stream(app, tmp_path)
    with client(app, ClaimsFromHeader()) as api:
        write(api, "acme")
        assert read(api, "acme") == expected("acme")
        followed.drain()
        write(api, "other")
        for _ in range(2):  # with the first tenant's changes processed, then with all of them
            assert read(api, "acme") == expected("acme")
            assert read(api, "other") == expected("other")
            followed.drain()


def test_what_is_counted_during_a_read_is_not_counted_twice(app: Application, memory: Memory):
    memory.start()
    memory.save("a fact")
    memory.save("another", project="other")

    class FoldedMeanwhile:
        """The table, where the consumer counts everything just before the totals are read."""

        def __getattr__(self, name):
            return getattr(app.stores.table, name)

        def query(self, scope, query):
            memory.count()
            return app.stores.table.query(scope, query)

    totals = CurrentTotals(FoldedMeanwhile(), app.stores.backlog)

    stats = totals.stats(LOCAL, None)
    assert (stats.total_sessions, stats.total_observations) == (1, 2)


def test_a_backlog_too_long_to_count_is_told_and_what_is_newest_is_counted_still(
    app: Application, memory: Memory, monkeypatch
):
    monkeypatch.setattr(current_totals, "MOST", 3)
    for number in range(4):
        memory.save(f"fact {number}")
    memory.save("the newest", project="newest")
    with client(app, ClaimsFromHeader()) as api:
        api.headers["x-tenant"] = LOCAL.tenant
        for path in ("/stats", "/sessions/recent", "/observations/recent"):
            assert api.get(path).headers["strata-degraded"] == "totals"
        assert "newest" in api.get("/stats").json()["projects"]
        assert len(api.get("/export").json()["observations"]) == 5
    assert not app.stream.current_totals.is_behind(Scope("another"))


class _IndexedMeanwhile:
    """An index that answers a search as it was before the stream was followed."""

    def __init__(self, index: SearchIndex, follow: Callable[[], None]) -> None:
        self._index = index
        self._follow = follow

    def search(self, scope: Scope, query: SearchQuery) -> list[Candidate]:
        found = self._index.search(scope, query)
        self._follow()
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self._index, name)


def test_a_memory_that_is_indexed_during_a_search_is_found(memory):
    for tenant, project in (("a", "demo"), ("a", "other"), ("b", "demo")):
        memory.scope = Scope(tenant)
        memory.save(f"Herons of {tenant}", project=project, title="Herons")
    memory.scope = Scope("a")
    memory.use(index=_IndexedMeanwhile(memory.app.stores.index, memory.follow))
    wanted = ObservationFilter(project="demo")
    found = memory.app.search.observations.search(memory.scope, "herons", wanted, limit=5)
    assert [hit.content for hit in found.hits] == ["Herons of a"]
    changes = Query("PROJECT#demo", prefix="CHANGE#")
    assert memory.app.stores.table.query(memory.scope, changes).rows == [], "the note was removed meanwhile"
