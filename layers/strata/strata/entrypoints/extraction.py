"""The extraction queue: each message names an ended session to extract facts from."""

from collections.abc import Mapping
from typing import Any

from strata.domain.scope import Scope
from strata.entrypoints.handler import Handler
from strata.entrypoints.observing import Observing
from strata.entrypoints.queue import queue_handler
from strata.services.facts.extraction import Extraction


def extraction_handler(extraction: Extraction, observing: Observing) -> Handler:
    """A Lambda handler for messages `{tenant, session_id}`."""

    def work(message: Mapping[str, Any]) -> None:
        extraction.run(Scope(message["tenant"]), message["session_id"])

    return queue_handler(work, observing)
