"""The table's change stream: each record's key goes to the consumers, tenant by tenant.

A record is a DynamoDB stream record; only its keys are read. Records that a consumer cannot digest are
reported one by one (`batchItemFailures`), so that a single bad one does not hold up the others.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from strata.domain.errors import StrataError
from strata.domain.scope import DIRECTORY, Scope
from strata.entrypoints.observing import Observing
from strata.ports import Key
from strata.services.records import noted_at

Consumer = Callable[[Scope, Sequence[Key]], None]
Handler = Callable[[Mapping[str, Any], Any], dict[str, Any]]

_log = logging.getLogger("strata.stream")


def stream_handler(consumers: Sequence[Consumer], observing: Observing) -> Handler:
    """A Lambda handler for batches of stream records."""

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        with observing.invocation(event, context):
            return follow(event["Records"])

    def follow(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        by_tenant: dict[str, dict[Key, str]] = {}
        for record in records:
            tenant, key = _changed(record)
            if tenant == DIRECTORY:  # the keys that let callers in: nobody's memories
                continue
            # the latest record of a key stands for all of them: rows are read as they are now
            by_tenant.setdefault(tenant, {})[key] = record["dynamodb"]["SequenceNumber"]
        failed: set[str] = set()
        for tenant, keys in by_tenant.items():
            failed |= _consume(consumers, Scope(tenant), keys)
        observing.digested(len(failed), (noted_at(key) for keys in by_tenant.values() for key in keys))
        return {"batchItemFailures": [{"itemIdentifier": sequence} for sequence in sorted(failed, key=int)]}

    return handle


def _consume(consumers: Sequence[Consumer], scope: Scope, keys: Mapping[Key, str]) -> set[str]:
    """Give the keys to every consumer; alone where they fail together. The sequence numbers that failed."""
    try:
        for consumer in consumers:
            consumer(scope, list(keys))
    except Exception as error:
        if len(keys) > 1 and not isinstance(error, StrataError):
            return set().union(*(_consume(consumers, scope, {key: number}) for key, number in keys.items()))
        _log.exception("%d change(s) were not digested", len(keys))
        return set(keys.values())
    return set()


def _changed(record: Mapping[str, Any]) -> tuple[str, Key]:
    keys = record["dynamodb"]["Keys"]
    tenant, _, pk = keys["pk"]["S"].partition("#")
    return tenant, Key(pk, keys["sk"]["S"])
