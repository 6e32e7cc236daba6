"""An engine that comes back empty, is replaced, or loses an alias, under load: no answer is wrong without
saying so, everything is found after `strata reindex`, and nothing is lost."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest

from strata.bootstrap import Application
from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.services.search.filters import ObservationFilter
from support.memory import LOCAL, Memory, application, record

pytestmark = pytest.mark.timeout(600)

TENANTS = (LOCAL, Scope("acme"))
PROJECTS = ("p0", "p1")
WORDS = ("heron", "weir", "oak", "budget", "deploy", "vault", "ladder", "harbour")


class Load:
    """Saves and searches of two tenants in two projects each, and the stream behind them."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.saved: list[tuple[Scope, str, int, str]] = []
        self.answers: list[bool] = []
        self.wrong: list[str] = []
        self._stop = threading.Event()
        self._position = 0

    def save(self, scope: Scope, number: int) -> None:
        memory = Memory(self.app, scope)
        while not self._stop.is_set():
            number += 1
            project, word = PROJECTS[number % 2], f"{random.choice(WORDS)}{scope.tenant}{number}"
            saved = memory.save(f"Minutes {number}: the {word} was discussed", project=project)
            self.saved.append((scope, project, saved.id, word))
            time.sleep(0.2)

    def search(self) -> None:
        while not self._stop.is_set():
            if self.saved:
                self.look_for(random.choice(self.saved))
            time.sleep(0.05)

    def look_for(self, memory: tuple[Scope, str, int, str]) -> bool:
        """Whether the search was degraded."""
        scope, project, number, word = memory
        searcher, wanted = self.app.search.observations, ObservationFilter(project=project)
        answer = searcher.search(scope, f"{word} discussed", wanted, limit=10)
        self.answers.append(answer.degraded)
        if number not in [hit.id for hit in answer.hits] and not answer.degraded:
            self.wrong.append(f"{scope.tenant}/{project} {word}")
        return answer.degraded

    def follow(self) -> None:
        """Hand on the stream's batches in their order, each again until it is done."""
        while not self._stop.is_set():
            if not self.follow_once():
                time.sleep(0.02)

    def follow_once(self) -> bool:
        changes = self.app.stores.change_log.read(self._position, 50)
        records = [record(change.tenant, change.key, change.event) for change in changes]
        with suppress(Unavailable):
            if changes and not self._indexer({"Records": records}, None)["batchItemFailures"]:
                self._position = changes[-1].sequence
                return True
        return False

    def drain(self) -> None:
        while self._position < self.app.stores.change_log.head():
            self.follow_once()

    def run(self, during: Callable[[], None]) -> None:
        self._stop.clear()
        self._indexer = self.app.handlers.indexer()
        work = [
            *(lambda scope=scope: self.save(scope, len(self.saved)) for scope in TENANTS),
            *(self.search for _ in range(2)),
            self.follow,
        ]
        with ThreadPoolExecutor(len(work)) as threads:
            running = [threads.submit(each) for each in work]
            try:
                during()
            finally:
                self._stop.set()
        for each in running:
            each.result()


class Engine:
    """Accidents to the indexes of one deployment in an engine."""

    def __init__(self, url: str, alias: str, other: Callable[[], Application]) -> None:
        self._http = httpx.Client(base_url=url, trust_env=False, timeout=60)
        self._alias = alias
        self._other = other

    def names(self) -> dict[str, list[str]]:
        """The indexes, each with its aliases."""
        answer = self._http.get(f"/_alias/{self._alias}*").json()
        return {name: sorted(about["aliases"]) for name, about in answer.items() if "aliases" in about}

    def comes_back_empty(self) -> None:
        for name in self.names():
            self._http.delete(f"/{name}").raise_for_status()

    def is_replaced(self) -> None:
        """By one that holds an index of the same name, another table's, with documents."""
        self.comes_back_empty()
        other = Memory(self._other())
        other.save("The heron of another deployment")
        other.follow()
        assert other.app.stores.engine.count(LOCAL, "observation") == 1

    def loses_its_aliases(self) -> None:
        self._remove([(name, alias) for name, aliases in self.names().items() for alias in aliases])

    def loses_the_alias_of_the_live_index(self) -> None:
        self._remove([(name, self._alias) for name in self.names()])

    def drop(self) -> None:
        self._http.delete(f"/{self._alias}-v1,{self._alias}-v2,{self._alias}-v3?ignore_unavailable=true")
        self._http.close()

    def _remove(self, named: list[tuple[str, str]]) -> None:
        actions = [{"remove": {"index": name, "alias": alias}} for name, alias in named]
        self._http.post("/_aliases", json={"actions": actions}).raise_for_status()


@pytest.fixture
def apps(tmp_path: Path, opensearch: str) -> Iterator[tuple[Application, Engine]]:
    alias = f"lost-{uuid4().hex[:8]}"
    made: list[Application] = []

    def make() -> Application:
        settings: dict[str, Any] = {
            "INDEX": "opensearch",
            "OPENSEARCH_URL": opensearch,
            "OPENSEARCH_ALIAS": alias,
            "OPENSEARCH_REFRESH": "true",
            "OPENSEARCH_TIMEOUT": "30",
            "OPENSEARCH_WRITE_TIMEOUT": "60",
            "OPENSEARCH_PAUSE": "0",
        }
        made.append(application(tmp_path / str(len(made)), **settings))
        return made[-1]

    engine = Engine(opensearch, alias, make)
    yield make(), engine
    engine.drop()
    for app in made:
        app.close()


@pytest.mark.parametrize("trouble", ["comes_back_empty", "is_replaced", "loses_its_aliases"])
def test_no_unmarked_answer_is_wrong_and_a_rebuild_makes_all_well(
    apps: tuple[Application, Engine], trouble: str
) -> None:
    app, engine = apps
    load = Load(app)

    def during() -> None:
        wait_for(lambda: len(load.answers) > 20 and len(load.saved) > 20 and engine.names())
        assert True not in load.answers
        getattr(engine, trouble)()
        load.answers.clear()
        wait_for(lambda: len(load.answers) > 20)
        assert all(load.answers[5:]), "searches that had begun may be whole; later ones are degraded"
        reindex(app)
        load.answers.clear()
        wait_for(lambda: len(load.answers) > 20)
        assert True not in load.answers[5:]

    load.run(during)
    load.drain()
    assert load.wrong == []
    assert [each for each in load.saved if load.look_for(each)] == []
    assert load.wrong == []
    verdict = app.repair.verifier.verify()
    assert (verdict.differences, verdict.pending) == (0, 0)
    assert verdict.rows == verdict.documents == len(load.saved)
    assert len(engine.names()) == 1


def test_the_alias_of_the_live_index_is_for_people_and_searches_and_writes_go_on_without_it(
    apps: tuple[Application, Engine],
) -> None:
    app, engine = apps
    load = Load(app)

    def during() -> None:
        wait_for(lambda: len(load.answers) > 20 and engine.names())
        engine.loses_the_alias_of_the_live_index()
        load.answers.clear()
        wait_for(lambda: len(load.answers) > 20)
        reindex(app)
        wait_for(lambda: len(load.answers) > 20)

    load.run(during)
    load.drain()
    assert (load.wrong, True in load.answers) == ([], False)
    assert app.repair.verifier.verify().differences == 0
    assert [alias for aliases in engine.names().values() for alias in aliases if alias.count("-") == 1] != []


def test_what_is_written_during_a_rebuild_is_in_both_indexes(apps: tuple[Application, Engine]) -> None:
    app, engine = apps
    memory = Memory(app)
    memory.save("The heron stood in the pond")
    memory.follow()
    rebuild = app.stores.index.begin_rebuild()
    saved = memory.save("The heron flew away")
    memory.follow()
    for index in (app.stores.index, rebuild.index):
        assert str(saved.id) in dict(index.catalog(LOCAL, "observation"))
    rebuild.finish()
    assert [str(saved.id)] == [key for key, _ in app.stores.index.catalog(LOCAL, "observation")]
    assert len(engine.names()) == 1


def reindex(app: Application) -> None:
    """As an operator does: again, with what is there, where the busy engine did not answer in time."""
    while True:
        with suppress(Unavailable):
            app.repair.reindexer.reindex(resume=True)
            return


def wait_for(holds: Callable[[], object], seconds: float = 120) -> None:
    end_at = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end_at
        time.sleep(0.02)
