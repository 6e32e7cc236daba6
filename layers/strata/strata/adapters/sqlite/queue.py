"""The port `Queue` over the same file."""

import json
import secrets
import sqlite3
from collections.abc import Sequence

from strata.adapters.sqlite.database import SqliteDatabase
from strata.ports.clock import Clock
from strata.ports.queue import Counts, DeadLetter, Message
from strata.ports.rows import Json

SEND = "INSERT INTO messages (queue, body, sent_at, visible_at) VALUES (?, ?, ?, ?)"
_RECEIVE = (
    "UPDATE messages SET deliveries = deliveries + 1, visible_at = :until, delivery = :delivery WHERE id IN"
    " (SELECT id FROM messages WHERE queue = :queue AND died_at IS NULL AND visible_at <= :now"
    " ORDER BY visible_at, id LIMIT :limit) RETURNING id, body, deliveries"
)
_BURY = (
    "UPDATE messages SET died_at = :now, delivery = NULL, reason = coalesce(reason, 'it was never finished')"
    " WHERE queue = :queue AND died_at IS NULL AND deliveries >= :most"
    " AND (delivery IS NULL OR visible_at <= :now)"
)
_RELEASE = (
    "UPDATE messages SET visible_at = :at, reason = :reason, delivery = NULL"
    " WHERE id = :id AND queue = :queue AND delivery = :delivery"
)
_RECLAIM = (
    "UPDATE messages SET visible_at = :at, reason = :reason, delivery = NULL"
    " WHERE queue = :queue AND died_at IS NULL AND delivery IS NOT NULL"
)
_COUNTS = (
    "SELECT count(*) FILTER (WHERE died_at IS NULL AND (delivery IS NULL OR visible_at <= :now)),"
    " count(*) FILTER (WHERE died_at IS NULL AND delivery IS NOT NULL AND visible_at > :now),"
    " count(*) FILTER (WHERE died_at IS NOT NULL) FROM messages WHERE queue = :queue"
)


class SqliteQueue:
    """The messages of one name in a `SqliteDatabase`.

    Args:
        database: the file.
        name: of the queue; queues in one file are independent.
        max_deliveries: number after which a message is a dead letter; None for no limit.
    """

    def __init__(
        self, database: SqliteDatabase, name: str, clock: Clock, *, max_deliveries: int | None = None
    ) -> None:
        self._database = database
        self._name = name
        self._clock = clock
        self._max_deliveries = max_deliveries

    def send(self, bodies: Sequence[Json], *, after: int = 0) -> None:
        """Add a message for each body, in one transaction."""
        now = self._clock.now_us()
        rows = [(self._name, json.dumps(body), now, now + after * 1_000_000) for body in bodies]
        if not rows:
            return
        with self._database.writing() as connection:
            connection.executemany(SEND, rows)

    def receive(self, limit: int = 10, *, invisible: int = 60) -> list[Message]:
        """Receive up to `limit` visible messages, the longest waiting first."""
        now = self._clock.now_us()
        if not self._has_visible(now):  # asked often, and no reason to queue up with the writers
            return []
        delivery = secrets.token_hex(8)
        asked = {"queue": self._name, "now": now, "until": now + invisible * 1_000_000}
        with self._database.writing() as connection:
            self._bury(connection, now)
            rows = connection.execute(
                _RECEIVE, asked | {"delivery": delivery, "limit": max(limit, 0)}
            ).fetchall()
        return [
            Message(json.loads(body), f"{number}.{delivery}", count, str(number))
            for number, body, count in sorted(rows)
        ]

    def delete(self, receipts: Sequence[str]) -> None:
        """Delete processed messages."""
        places = [(self._name, *each) for each in map(_opened, receipts) if each is not None]
        if not places:
            return
        with self._database.writing() as connection:
            connection.executemany("DELETE FROM messages WHERE queue = ? AND id = ? AND delivery = ?", places)

    def release(self, receipts: Sequence[str], reason: str, *, after: int = 0) -> None:
        """Release failed messages: they are redelivered, or become dead letters."""
        now = self._clock.now_us()
        given = {"queue": self._name, "reason": reason, "at": now + after * 1_000_000}
        places = [each for each in map(_opened, receipts) if each is not None]
        if not places:
            return
        with self._database.writing() as connection:
            connection.executemany(
                _RELEASE, [given | {"id": number, "delivery": delivery} for number, delivery in places]
            )
            self._bury(connection, now)

    def depth(self) -> int:
        """The number of messages without dead letters."""
        with self._database.reading() as connection:
            (count,) = connection.execute(
                "SELECT count(*) FROM messages WHERE queue = ? AND died_at IS NULL", (self._name,)
            ).fetchone()
        return int(count)

    def counts(self) -> Counts:
        """The number of messages by state."""
        with self._database.reading() as connection:
            found = connection.execute(_COUNTS, {"queue": self._name, "now": self._clock.now_us()}).fetchone()
        return Counts(*found)

    def dead_letters(self, limit: int = 100) -> list[DeadLetter]:
        """The dead letters, the latest last."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id, body, deliveries, reason, died_at FROM messages"
                " WHERE queue = ? AND died_at IS NOT NULL ORDER BY died_at, id LIMIT ?",
                (self._name, limit),
            ).fetchall()
        return [DeadLetter(str(number), json.loads(body), *rest) for number, body, *rest in rows]

    def revive(self) -> int:
        """Redeliver every dead letter as if it were new; their number."""
        with self._database.writing() as connection:
            return connection.execute(
                "UPDATE messages SET died_at = NULL, deliveries = 0, reason = NULL, visible_at = ?"
                " WHERE queue = ? AND died_at IS NOT NULL",
                (self._clock.now_us(), self._name),
            ).rowcount

    def reclaim(self, reason: str, *, after: int = 0) -> int:
        """Release all messages in progress: they are redelivered, or become dead letters."""
        now = self._clock.now_us()
        given = {"queue": self._name, "reason": reason, "at": now + after * 1_000_000}
        with self._database.writing() as connection:
            found = connection.execute(_RECLAIM, given).rowcount
            self._bury(connection, now)
        return found

    def _has_visible(self, now: int) -> bool:
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT 1 FROM messages WHERE queue = ? AND died_at IS NULL AND visible_at <= ? LIMIT 1",
                (self._name, now),
            ).fetchone()
        return row is not None

    def _bury(self, connection: sqlite3.Connection, now: int) -> None:
        if self._max_deliveries is not None:
            connection.execute(_BURY, {"queue": self._name, "now": now, "most": self._max_deliveries})


def _opened(receipt: str) -> tuple[int, str] | None:
    """The message and delivery of a receipt; None for an invalid receipt."""
    number, _, delivery = receipt.partition(".")
    return (int(number), delivery) if number.isdecimal() else None
