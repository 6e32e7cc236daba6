"""The consolidation queue: each message names an ended session to draw conclusions from."""

from collections.abc import Mapping
from typing import Any

from strata.domain.scope import Scope
from strata.entrypoints.observing import Observing
from strata.entrypoints.queue import Handler, queue_handler
from strata.services.knowledge.dreamer import Dreamer


def dreamer_handler(dreamer: Dreamer, observing: Observing) -> Handler:
    """A Lambda handler for messages `{tenant, session_id}`."""

    def work(message: Mapping[str, Any]) -> None:
        dreamer.run(Scope(message["tenant"]), message["session_id"])

    return queue_handler(work, observing)
