"""The embedded store: one SQLite file that holds the rows, their change log and the search index."""

from strata.adapters.sqlite.database import CorruptStore, SqliteDatabase
from strata.adapters.sqlite.firings import SqliteFirings
from strata.adapters.sqlite.journal import SqliteJournal
from strata.adapters.sqlite.queue import SqliteQueue
from strata.adapters.sqlite.remnants import SqliteRemnants
from strata.adapters.sqlite.search_index import SqliteSearchIndex
from strata.adapters.sqlite.table import SqliteTable

__all__ = [
    "CorruptStore",
    "SqliteDatabase",
    "SqliteFirings",
    "SqliteJournal",
    "SqliteQueue",
    "SqliteRemnants",
    "SqliteSearchIndex",
    "SqliteTable",
]
