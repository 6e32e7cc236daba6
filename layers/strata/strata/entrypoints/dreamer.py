"""The consolidation queue: each message names an ended session to draw conclusions from."""

from collections.abc import Callable, Mapping
from typing import Any

from strata.domain.scope import Scope
from strata.entrypoints.handler import Handler
from strata.entrypoints.observing import Observing
from strata.entrypoints.queue import queue_handler
from strata.ports.queue import Queue
from strata.services.knowledge.dreamer import Dreamer

WAITS, WAIT_SECONDS = 5, 60
"""The times that a busy machine puts a session off, and the seconds of each; then it is consolidated."""


def dreamer_handler(
    dreamer: Dreamer, observing: Observing, deferral: Callable[[Scope], str], queue: Callable[[], Queue]
) -> Handler:
    """A Lambda handler for messages `{tenant, session_id}`; `waited` says how often it was put off."""

    def work(message: Mapping[str, Any]) -> None:
        scope, waited = Scope(message["tenant"]), message.get("waited", 0)
        why = deferral(scope) if waited < WAITS else ""
        observing.guarded(why)
        if why:
            queue().send([{**message, "waited": waited + 1}], after=WAIT_SECONDS)
        else:
            dreamer.run(scope, message["session_id"])

    return queue_handler(work, observing)
