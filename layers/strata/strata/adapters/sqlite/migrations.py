"""The schema as a list of migrations. A released step is never changed; new ones are appended."""

import sqlite3
from collections.abc import Callable, Sequence

Migration = Callable[[sqlite3.Connection], None]

APPLICATION_ID = 0x53545254  # "STRT" in the file's header: tells our files from other SQLite databases

FIRST_MODEL = "wordllama-l2-256/strata-1"

WORDS = "CREATE VIRTUAL TABLE words USING fts5(title, text, keywords, facets, tokenize = 'porter unicode61')"


def rows_and_changes(connection: sqlite3.Connection) -> None:
    """The table's rows with their two sparse indexes, and the change log with its readers' positions.

    Index columns are filled only for rows that are in the index. The rows stand in their primary key's
    order: a partition is one stretch of pages.
    """
    connection.execute(
        "CREATE TABLE items (pk TEXT NOT NULL, sk TEXT NOT NULL, item TEXT NOT NULL, expires_at REAL,"
        " gsi1pk TEXT, gsi1sk TEXT, gsi2pk TEXT, gsi2sk TEXT, PRIMARY KEY (pk, sk)) WITHOUT ROWID"
    )
    for index in ("gsi1", "gsi2"):
        connection.execute(
            f"CREATE INDEX items_{index} ON items ({index}pk, {index}sk) WHERE {index}pk IS NOT NULL"
        )
    connection.execute("CREATE INDEX items_expiring ON items (expires_at) WHERE expires_at IS NOT NULL")
    connection.execute(
        "CREATE TABLE changes (sequence INTEGER PRIMARY KEY AUTOINCREMENT, pk TEXT NOT NULL,"
        " sk TEXT NOT NULL, event TEXT NOT NULL)"
    )
    connection.execute("CREATE TABLE consumers (name TEXT PRIMARY KEY, sequence INTEGER NOT NULL)")


def search_index(connection: sqlite3.Connection) -> None:
    """The documents, their words, and their vectors.

    A space is one kind of one tenant. Its documents' ids are contiguous (`space << 40 | number`), so that a
    range of rowids limits a full-text query to it. Numbers are never reused: `last` is the highest one,
    `live` the number of vectors.
    """
    connection.execute(
        "CREATE TABLE spaces (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, kind TEXT NOT NULL,"
        " last INTEGER NOT NULL DEFAULT 0, live INTEGER NOT NULL DEFAULT 0, UNIQUE (tenant, kind))"
    )
    connection.execute(
        "CREATE TABLE documents (id INTEGER PRIMARY KEY, tenant TEXT NOT NULL, key TEXT NOT NULL,"
        " title TEXT NOT NULL, text TEXT NOT NULL, keywords TEXT NOT NULL, position INTEGER NOT NULL,"
        " session_id TEXT, previous TEXT, fields TEXT NOT NULL, UNIQUE (tenant, key))"
    )
    connection.execute(
        "CREATE TABLE vectors (id INTEGER PRIMARY KEY, fields TEXT NOT NULL, vector BLOB NOT NULL)"
    )
    connection.execute(WORDS)


def queues(connection: sqlite3.Connection) -> None:
    """Messages of every queue. Times are in µs; `delivery` is the current one.

    A message with `died_at` is a dead letter; `reason` is that of its last failure.
    """
    connection.execute(
        "CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, queue TEXT NOT NULL,"
        " body TEXT NOT NULL, sent_at INTEGER NOT NULL, visible_at INTEGER NOT NULL,"
        " deliveries INTEGER NOT NULL DEFAULT 0, delivery TEXT, reason TEXT, died_at INTEGER)"
    )
    connection.execute("CREATE INDEX messages_waiting ON messages (queue, visible_at) WHERE died_at IS NULL")


def document_versions(connection: sqlite3.Connection) -> None:
    """The version of the row that a document shows; unknown for older documents."""
    connection.execute("ALTER TABLE documents ADD COLUMN version INTEGER NOT NULL DEFAULT 0")


def shards(connection: sqlite3.Connection) -> None:
    """The positions in the shards of a remote stream, whose records are among the changes."""
    connection.execute(
        "CREATE TABLE shards (stream TEXT NOT NULL, shard TEXT NOT NULL, after TEXT, ended INTEGER NOT NULL,"
        " PRIMARY KEY (stream, shard))"
    )


def vector_models(connection: sqlite3.Connection) -> None:
    """The model of each vector, and of the whole index.

    Older vectors are all of the only model at that time.
    """
    connection.execute("CREATE TABLE index_models (place INTEGER PRIMARY KEY CHECK (place = 1), model TEXT)")
    connection.execute(f"ALTER TABLE vectors ADD COLUMN model TEXT NOT NULL DEFAULT '{FIRST_MODEL}'")
    connection.execute(
        "INSERT INTO index_models SELECT 1, ? WHERE EXISTS (SELECT 1 FROM vectors)", (FIRST_MODEL,)
    )


def owners(connection: sqlite3.Connection) -> None:
    """A third sparse index, by the owner of a row."""
    for column in ("gsi3pk", "gsi3sk"):
        connection.execute(f"ALTER TABLE items ADD COLUMN {column} TEXT")
    connection.execute("CREATE INDEX items_gsi3 ON items (gsi3pk, gsi3sk) WHERE gsi3pk IS NOT NULL")


def firings(connection: sqlite3.Connection) -> None:
    """The last firing of each schedule, in µs, and its expression then."""
    connection.execute(
        "CREATE TABLE firings (schedule TEXT PRIMARY KEY, expression TEXT NOT NULL,"
        " fired_at INTEGER NOT NULL)"
    )


def index_identities(connection: sqlite3.Connection) -> None:
    """The identity of the index; none until it is the index of a table."""
    connection.execute(
        "CREATE TABLE index_identities (place INTEGER PRIMARY KEY CHECK (place = 1), identity TEXT NOT NULL)"
    )


def narrowings(connection: sqlite3.Connection) -> None:
    """Values that narrow searches: times in µs, and labels between separators. Older documents have none."""
    connection.execute(
        "CREATE TABLE narrowings (id INTEGER PRIMARY KEY, created_at INTEGER, updated_at INTEGER,"
        " labels TEXT NOT NULL)"
    )


MIGRATIONS: tuple[Migration, ...] = (
    rows_and_changes,
    search_index,
    queues,
    document_versions,
    shards,
    vector_models,
    owners,
    firings,
    index_identities,
    narrowings,
)


def version(connection: sqlite3.Connection) -> int:
    """The number of steps applied to this file; 0 for an empty file."""
    known = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'schema_versions'").fetchone()
    if known is None:
        return 0
    row = connection.execute("SELECT coalesce(max(version), 0) FROM schema_versions").fetchone()
    return int(row[0])


def migrate(connection: sqlite3.Connection, steps: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply and record the missing steps, inside the caller's transaction."""
    done = version(connection)
    if done == 0:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER PRIMARY KEY, name TEXT NOT NULL,"
            " applied_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)"
        )
    for number, step in enumerate(steps[done:], start=done + 1):
        step(connection)
        connection.execute(
            "INSERT INTO schema_versions (version, name) VALUES (?, ?)", (number, step.__name__)
        )
