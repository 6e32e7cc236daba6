"""Adapters that take the place of those which the settings would choose."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from strata.adapters.sqlite.database import SqliteDatabase
    from strata.adapters.static_embeddings import StaticEmbeddings
    from strata.ports.announcements import Announcer
    from strata.ports.bodies import Bodies
    from strata.ports.clock import Clock
    from strata.ports.entailment import Entailment
    from strata.ports.entities import EntityRecognizer
    from strata.ports.language import Embedder, Lexicon
    from strata.ports.models import LanguageModel
    from strata.ports.queue import Queue
    from strata.ports.reranker import Reranker
    from strata.ports.search import SearchIndex
    from strata.ports.table import Census, Table
    from strata.services.facts.finders import FactFinder


@dataclass(frozen=True, slots=True, kw_only=True)
class Overrides:
    """Adapters of an application that are passed in; None leaves the choice to the settings.

    Attributes:
        queues: gives the queue of a name; its second argument says how often that delivers a message.
        dynamodb: DynamoDB's client.
        static_embeddings: the table of vectors, which takes long to load.
    """

    clock: "Clock | None" = None
    database: "SqliteDatabase | None" = None
    dynamodb: Any = None
    table: "Table | None" = None
    census: "Census | None" = None
    bodies: "Bodies | None" = None
    index: "SearchIndex | None" = None
    queues: "Callable[[str, int | None], Queue] | None" = None
    static_embeddings: "StaticEmbeddings | None" = None
    embedder: "Embedder | None" = None
    lexicon: "Lexicon | None" = None
    language_model: "LanguageModel | None" = None
    entailment: "Entailment | None" = None
    reranker: "Reranker | None" = None
    announcer: "Announcer | None" = None
    fact_finder: "FactFinder | None" = None
    entity_recognizer: "EntityRecognizer | None" = None
