"""Trouble for the tests of the operator's work: bad rows, stores that are away, damage done by hand."""

from contextlib import contextmanager

from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.services.records.episodes import EPISODE_KIND
from strata.services.records.observations import OBSERVATION_KIND
from strata.services.records.parts import CHANGE_PREFIX
from strata.services.records.people import FACT_KIND
from strata.services.records.sessions import SESSION_KIND
from support.memory import Memory


class Moody:
    """An embedder that can't bear some texts."""

    def __init__(self, embedder, bad):
        self._embedder = embedder
        self.bad = bad
        self.calls = 0

    @property
    def model(self):
        return self._embedder.model

    @property
    def dimensions(self):
        return self._embedder.dimensions

    @property
    def at_once(self):
        return self._embedder.at_once

    def embed_query(self, query):
        return self.embed([query])[0]

    def embed(self, texts, *, soon=False):
        self.calls += 1
        if any(self.bad in text for text in texts):
            raise ValueError(f"can't embed {texts}")
        return self._embedder.embed(texts)


class Away:
    """An index or a queue that answers nothing."""

    def __getattr__(self, name):
        def refuse(*_, **__):
            raise Unavailable("it does not answer")

        return refuse


def moody(memory: Memory, bad="poison"):
    """Let the application's embedder fail on texts that hold `bad`."""
    embedder = Moody(memory.app.models.embedder, bad)
    memory.use(embedder=embedder)
    return embedder


@contextmanager
def away(memory: Memory, **adapters):
    """Put a store out of reach: the index, or what else `adapters` names."""
    there = memory.app
    memory.use(**(adapters or {"index": Away()}))
    yield
    memory.app = there


def empty_index(memory, *tenants):
    """Drop every document of the memory's tenant and of these."""
    for scope in (memory.scope, *map(Scope, tenants)):
        for kind in (OBSERVATION_KIND, SESSION_KIND, EPISODE_KIND, FACT_KIND):
            memory.app.stores.index.write(
                scope, [], [key for key, _ in memory.app.stores.index.catalog(scope, kind)]
            )


def changes(memory: Memory):
    """(tenant, key) of every change that the log still holds."""
    return [(change.tenant, change.key) for change in memory.app.stores.change_log.read(0, 100_000)]


def open_notes(memory: Memory):
    return [key for _, key in memory.app.stores.census.keys(CHANGE_PREFIX)]
