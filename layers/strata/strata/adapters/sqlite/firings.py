"""The last firings of this machine's schedules, in the same file as the messages that they send."""

import json

from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.queue import SEND
from strata.ports.clock import Clock
from strata.ports.rows import Json


class SqliteFirings:
    """The last firing of each schedule. A firing is a message on the queue of the schedule's name.

    It is stored in the transaction that sends the message, so that none is lost or sent twice.
    """

    def __init__(self, database: SqliteDatabase, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def last(self, name: str) -> tuple[str, int] | None:
        """The schedule's expression, and when it fired last or began (µs); None if it never ran."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT expression, fired_at FROM firings WHERE schedule = ?", (name,)
            ).fetchone()
        return None if row is None else (str(row[0]), int(row[1]))

    def begin(self, name: str, expression: str, at: int) -> None:
        """Store the schedule's expression, valid from this time on (µs)."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO firings (schedule, expression, fired_at) VALUES (?, ?, ?)"
                " ON CONFLICT (schedule) DO UPDATE"
                " SET expression = excluded.expression, fired_at = excluded.fired_at",
                (name, expression, at),
            )

    def fire(self, name: str, at: int, body: Json) -> None:
        """Send the message, and record the firing at this time (µs)."""
        now = self._clock.now_us()
        with self._database.writing() as connection:
            connection.execute(SEND, (name, json.dumps(body), now, now))
            connection.execute("UPDATE firings SET fired_at = ? WHERE schedule = ?", (at, name))

    def keep_only(self, names: list[str]) -> None:
        """Forget all other schedules: firings that they miss are not made up for."""
        marks = ", ".join("?" * len(names))
        with self._database.reading() as connection:
            found = connection.execute(
                f"SELECT 1 FROM firings WHERE schedule NOT IN ({marks}) LIMIT 1",  # noqa: S608 - marks alone
                names,
            ).fetchone()
        if found is None:
            return
        with self._database.writing() as connection:
            connection.execute(f"DELETE FROM firings WHERE schedule NOT IN ({marks})", names)  # noqa: S608
