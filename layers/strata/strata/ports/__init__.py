"""What the services need from the outside, as Protocols. An adapter keeps every promise written here.

The contract suites in `tests/contract/` run the same tests over every adapter of a port.
"""

from typing import TYPE_CHECKING

from strata.ports.bodies import Bodies
from strata.ports.changes import Change, ChangeLog, Journal, Place
from strata.ports.clock import Clock
from strata.ports.credentials import TokenVerifier
from strata.ports.language import Embedder, EmbeddingModel, Lexicon
from strata.ports.leftovers import Cleared, Leftovers
from strata.ports.models import LanguageModel, Question
from strata.ports.queue import Counts, DeadLetter, Message, Queue
from strata.ports.remnants import Remnants
from strata.ports.rows import (
    Absent,
    Action,
    AllOf,
    AnyOf,
    AtMost,
    Check,
    Condition,
    Delete,
    Equals,
    Item,
    Json,
    Key,
    Present,
    Put,
    Update,
)
from strata.ports.search import Document, DocumentsRefused, Rebuild, SearchIndex, SearchQuery
from strata.ports.table import Census, ConditionFailed, Page, Query, Row, Table

if TYPE_CHECKING:
    from strata.ports.language import Vectors as Vectors

__all__ = [
    "Absent",
    "Action",
    "AllOf",
    "AnyOf",
    "AtMost",
    "Bodies",
    "Census",
    "Change",
    "ChangeLog",
    "Check",
    "Cleared",
    "Clock",
    "Condition",
    "ConditionFailed",
    "Counts",
    "DeadLetter",
    "Delete",
    "Document",
    "DocumentsRefused",
    "Embedder",
    "EmbeddingModel",
    "Equals",
    "Item",
    "Journal",
    "Json",
    "Key",
    "LanguageModel",
    "Leftovers",
    "Lexicon",
    "Message",
    "Page",
    "Place",
    "Present",
    "Put",
    "Query",
    "Question",
    "Queue",
    "Rebuild",
    "Remnants",
    "Row",
    "SearchIndex",
    "SearchQuery",
    "Table",
    "TokenVerifier",
    "Update",
]
