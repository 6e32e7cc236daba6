"""An application over a fresh store, its services called as an entry point would, and builders of bodies."""

import functools
import itertools
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from strata import settings as settings_module
from strata.adapters.static_embeddings import StaticEmbeddings
from strata.bootstrap import Application, Overrides
from strata.domain.facts.found import FoundFact
from strata.domain.scope import Scope
from strata.domain.wire.agents import AgentConfig
from strata.domain.wire.observations import NewObservation, ObservationChange
from strata.domain.wire.sessions import NewSession, SessionEnd
from strata.local.queues.receivers import deliveries
from strata.local.template import declarations
from strata.local.template.filters import compile_filters
from strata.local.template.functions import LambdaContext
from strata.ports.rows import Item, Key
from strata.ports.table import Query
from strata.services.facts.writer import About
from support.clocks import HandClock
from support.template import declared

LOCAL = Scope("local")

_numbers = itertools.count(1)


def unique(prefix: str = "p") -> str:
    """A name that no other test uses."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    return f"{prefix}{worker}{next(_numbers)}"


BY_WORDS = {"NLI": "false", "READING": "words", "RERANK": "false"}
"""Settings that leave the sentence model alone, which takes long to load."""


def application(
    folder: Path, clock: HandClock | None = None, overrides: Overrides | None = None, **environment: str
) -> Application:
    """An application over the store in `folder`; the environment's names without `STRATA_`.

    The sentence model is off unless `NLI`, `READING` and `RERANK` say otherwise.
    """
    named = {"DATA": str(folder), "CHATS_HOME": str(folder / "home"), **BY_WORDS} | environment
    settings = settings_module.load({f"STRATA_{name}": value for name, value in named.items()})
    given = overrides or Overrides()
    return Application(
        settings, replace(given, static_embeddings=_static_embeddings(), clock=given.clock or clock)
    )


@functools.cache
def _static_embeddings() -> StaticEmbeddings:
    """Loaded once: it takes longer than everything else in a test."""
    return StaticEmbeddings()


class Memory:
    """One application's services, called as an entry point would, with the stream followed at once."""

    def __init__(self, app: Application, scope: Scope = LOCAL) -> None:
        self.app = app
        self.scope = scope
        self._position = 0

    def use(self, **adapters: Any) -> None:
        """Go on over the same store with these adapters, named as in `Overrides`."""
        self.app = self.app.with_overrides(**adapters)

    def save(self, content: str = "SQLite runs in WAL mode", **fields: Any):
        return self.app.observations.saver.save(
            self.scope, NewObservation(**observation(content=content, **fields))
        )

    def change(self, observation_id: int, **fields: Any):
        return self.app.observations.editor.change(self.scope, observation_id, ObservationChange(**fields))

    def delete(self, observation_id: int, *, hard: bool = False) -> None:
        self.app.observations.editor.delete(self.scope, observation_id, hard=hard)

    def get(self, observation_id: int):
        return self.app.observations.reader.get(self.scope, observation_id)

    def start(self, session_id: str = "s1", project: str = "demo", **fields: Any):
        return self.app.sessions.catalog.start(
            self.scope, NewSession.model_validate({"id": session_id, "project": project} | fields)
        )

    def end(self, session_id: str = "s1", *said: str, **fields: Any):
        """End a session in which the user and the assistant spoke in turn."""
        return self.app.sessions.ender.end(
            self.scope, session_id, SessionEnd(messages=dialogue(*said), **fields)
        )

    def stats(self, project: str | None = None):
        """The totals, after the stream was followed."""
        self.follow()
        return self.app.stream.totals.stats(self.scope, project)

    def count(self) -> None:
        """Fold the totals only, where nothing is searched."""
        changed = [change.key for change in self.app.stores.change_log.read(0, 100_000)]
        self.app.stream.totals.fold(self.scope, changed)

    def follow(self) -> None:
        """Hand what changed to the indexer, as far as the template's filters let it through."""
        log, indexer, wants = self.app.stores.change_log, self.app.handlers.indexer(), _wanted()
        while changes := log.read(self._position, 100):
            records = [record(change.tenant, change.key, change.event) for change in changes]
            indexer({"Records": [each for each in records if wants(each)]}, None)
            self._position = changes[-1].sequence

    def lose_changes(self) -> None:
        """Let the stream forget what the indexer was not handed yet."""
        self._position = self.app.stores.change_log.head()

    def work(self) -> int:
        """Deliver all that waits now, the stream's changes and the queues' messages; how many messages."""
        spec = declared()
        calls = {name: _handler_of(self.app, function) for name, function in spec.functions.items()}
        folder = self.app.settings.data_dir
        folder.mkdir(parents=True, exist_ok=True)
        self.follow()
        done = deliveries(spec, calls, lambda: self.app, folder, drain=self.follow).work_off()
        assert done is not None, "another process works on the queues"
        return done

    def rows(self, pk: str) -> list[Item]:
        """Every row of a partition, as it is stored."""
        return [row.item for row in self.app.stores.table.query(self.scope, Query(pk, limit=1000)).rows]

    def row(self, key: Key) -> Item | None:
        return self.app.stores.table.get(self.scope, key)


class Meddled:
    """A table on which something happens just before the next write, or after so many more."""

    def __init__(self, table: Any, happening: Callable[[], object], *, after: int = 0) -> None:
        self._table = table
        self._happening: Callable[[], object] | None = happening
        self._after = after

    def transact(self, scope: Scope, actions: Any) -> None:
        self._happen()
        self._table.transact(scope, actions)

    def update(self, scope: Scope, update: Any) -> Item:
        self._happen()
        return self._table.update(scope, update)

    def _happen(self) -> None:
        self._after -= 1
        if self._after >= 0:
            return
        happening, self._happening = self._happening, None
        if happening:
            happening()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


def record(tenant: str, key: Key, event: str = "MODIFY") -> dict[str, Any]:
    """A record of the table's stream."""
    number = str(next(_numbers))
    keys = {"pk": {"S": f"{tenant}#{key.pk}"}, "sk": {"S": key.sk}}
    return {"eventName": event, "dynamodb": {"Keys": keys, "SequenceNumber": number}}


@functools.cache
def _wanted() -> Callable[[Any], bool]:
    """The changes that the template's filters let through to the indexer."""
    (source,) = declared().functions["Indexer"].streams
    return compile_filters(source.patterns)


def learn(
    app: Application,
    scope: Scope,
    *facts: tuple[str, str],
    agent: str = "a1",
    owner: str = "ann",
    session: str = "s1",
) -> list[str]:
    """Note facts, each a category and a sentence, as if they had been said; the ids, in the same order."""
    found = [FoundFact(category, fact, fact, fact) for category, fact in facts]  # type: ignore[arg-type]
    about = About(agent, owner, session, AgentConfig(agent_id=agent))
    app.facts.writer.write(scope, about, found)
    known = app.facts.catalog.listed(scope, agent, owner, 1000)
    return [fact.id for _, said in facts for fact in known if fact.fact == said]


def observation(**fields: Any) -> dict[str, Any]:
    """A body that saves; what is given replaces what is usual."""
    usual = {
        "session_id": "s1",
        "type": "decision",
        "title": "Storage",
        "content": "SQLite runs in WAL mode",
        "project": "demo",
    }
    return usual | fields


def dialogue(*said: str) -> list[dict[str, str]]:
    """A transcript in which the user and the assistant speak in turn."""
    return [
        {"role": "assistant" if place % 2 else "user", "content": text} for place, text in enumerate(said)
    ]


def _handler_of(
    app: Application, function: declarations.FunctionSpec
) -> Callable[[Any, dict[str, str]], Any]:
    """A function's handler, made when it is called first."""
    made: list[Any] = []

    def call(event: Any, failures: dict[str, str]) -> Any:
        if not made:
            made.append(getattr(app.handlers, function.code_dir.name)())
        return made[0](event, LambdaContext(function.name, "test", function.timeout, failures=failures))

    return call
