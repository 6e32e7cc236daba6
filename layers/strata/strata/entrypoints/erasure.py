"""The erasure queue: each message is one step, which sends the next one."""

from collections.abc import Mapping
from typing import Any

from strata.domain.scope import Scope
from strata.entrypoints.handler import Handler
from strata.entrypoints.observing import Observing
from strata.entrypoints.queue import queue_handler
from strata.ports.queue import Queue
from strata.services.privacy.erasure.work import Eraser


def erasure_handler(eraser: Eraser, queue: Queue, observing: Observing) -> Handler:
    """A Lambda handler for messages `{tenant, erasure_id}`."""

    def work(message: Mapping[str, Any]) -> None:
        after = eraser.work(Scope(message["tenant"]), message["erasure_id"])
        if after is not None:
            queue.send([dict(message)], after=after)

    return queue_handler(work, observing)
