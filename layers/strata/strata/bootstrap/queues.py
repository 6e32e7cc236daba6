"""Which queue stands behind a name."""

from functools import cache
from typing import TYPE_CHECKING

from strata.settings import queue_setting

if TYPE_CHECKING:
    from strata.adapters.sqs import SqsQueue
    from strata.bootstrap.adapters import Adapters
    from strata.ports import Queue


def open_queue(app: "Adapters", name: str, max_deliveries: int | None = None) -> "Queue":
    """The SQS queue that the settings name, else one in this machine's own store.

    Only of the latter it is said here how often it delivers.
    """
    url = app.settings.queue_urls.get(queue_setting(name))
    if url is not None:
        return _sqs(url)
    from strata.adapters.sqlite import SqliteQueue

    return SqliteQueue(app.database, name, app.clock, max_deliveries=max_deliveries)


@cache
def _sqs(url: str) -> "SqsQueue":
    """One for each address: its client is slow to make."""
    from strata.adapters.sqs import SqsQueue

    return SqsQueue(url)
