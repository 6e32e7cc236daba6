"""Orders in the table become messages of a queue, behind the stream: none is lost between the two."""

from collections.abc import Sequence

from strata.domain.scope import Scope
from strata.ports import Equals, Key, Queue, Table, Update
from strata.services.records.people import EXTRACTION_SK
from strata.services.table.transaction import write_what_holds

_AT_ONCE = 100


class ExtractionDispatch:
    """A consumer of the stream that sends `{tenant, session_id}` for every session whose facts are due.

    A crash between sending and noting it sends twice, which does no harm.
    """

    def __init__(self, table: Table, queue: Queue) -> None:
        self._table = table
        self._queue = queue

    def follow(self, scope: Scope, keys: Sequence[Key]) -> None:
        """Send what is due among these changed rows; rows of other kinds are passed over."""
        orders = [key for key in dict.fromkeys(keys) if key.sk == EXTRACTION_SK]
        for start in range(0, len(orders), _AT_ONCE):
            rows = self._table.get_many(scope, orders[start : start + _AT_ONCE])
            due = {key: row for key, row in rows.items() if row["state"] == "due"}
            if due:
                self._queue.send(
                    [{"tenant": scope.tenant, "session_id": row["session_id"]} for row in due.values()]
                )
                sent = [Update(key, set={"state": "sent"}, condition=Equals("state", "due")) for key in due]
                write_what_holds(self._table, scope, sent)
