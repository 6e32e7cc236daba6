"""The table's change stream: each record's key goes to the consumers, tenant by tenant.

A record is a DynamoDB stream record; only its keys are read, and the latest of a key stands for all of them.

- While a store is unavailable nothing is lost: a change that was not processed is reported
  (`batchItemFailures`) and comes again, from the lowest reported record on.
- A record that fails alone, for a reason of its own, is put on the redrive queue as `{pk, sk, reason}` and
  holds nothing up. `strata redrive` processes it again.

DynamoDB has limits of its own: a stream keeps a record for 24 hours, so after a longer outage changes
are missing from it (their notes are not, see `strata redrive`); a batch holds at most 6 MB and 10 000
records; a mapping with a limit of tries or of age drops records when it is reached.
Source: "Using AWS Lambda with Amazon DynamoDB", AWS Lambda Developer Guide.
"""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from strata.domain.errors import Unavailable
from strata.domain.scope import RESERVED
from strata.entrypoints.observing import Observing
from strata.ports.queue import Queue
from strata.ports.rows import Key
from strata.services.search.change_notes import change_note_time
from strata.services.stream.consumers import Consumer, fan_out, row_kind

Handler = Callable[[Mapping[str, Any], Any], dict[str, Any]]

_log = logging.getLogger("strata.stream")

Changed = tuple[str, Key]
"""Tenant and key of a changed row."""


def stream_handler(consumers: Sequence[Consumer], redrive: Queue, observing: Observing) -> Handler:
    """A Lambda handler for batches of stream records. `redrive` takes changes that fail."""

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        with observing.invocation(event, context):
            return follow(event["Records"])

    def follow(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        latest = {_changed(record): int(record["dynamodb"]["SequenceNumber"]) for record in records}
        # API keys and marks of maintenance hold no memories
        latest = {each: number for each, number in latest.items() if each[0] not in RESERVED}
        poisoned, failed = _processed(consumers, latest)
        # records from the first failed one on come again anyway, and are judged then
        first = min(map(latest.__getitem__, failed), default=None)
        aside = {each: why for each, why in poisoned.items() if first is None or latest[each] < first}
        numbers = sorted(latest[each] for each in [*failed, *_put_aside(redrive, aside)])
        observing.indexed(len(failed) + len(aside), (change_note_time(key) for _, key in latest))
        return {"batchItemFailures": [{"itemIdentifier": str(number)} for number in numbers]}

    return handle


def _processed(
    consumers: Sequence[Consumer], changes: Mapping[Changed, int]
) -> tuple[dict[Changed, str], list[Changed]]:
    """Changes that fail, with reasons, and changes to retry."""
    by_tenant: dict[str, list[Key]] = {}
    for tenant, key in changes:
        by_tenant.setdefault(tenant, []).append(key)
    poisoned: dict[Changed, str] = {}
    failed: list[Changed] = []
    for tenant, keys in by_tenant.items():
        if failed:  # a store is away for every tenant
            failed += [(tenant, key) for key in keys]
            continue
        result = fan_out(consumers, tenant, keys)
        poisoned |= {(tenant, key): reason for key, reason in result.poisoned.items()}
        failed += [(tenant, key) for key in result.pending]
        if result.outage:
            _log.warning("%d change(s) wait: %s", len(result.pending), result.outage)
    return poisoned, failed


def _put_aside(redrive: Queue, poisoned: Mapping[Changed, str]) -> list[Changed]:
    """Put these changes on the redrive queue; returns those that it did not take."""
    if not poisoned:
        return []
    for reason, count in Counter(poisoned.values()).items():
        tenant, key = next(each for each, why in poisoned.items() if why == reason)
        # a key names people: it stands on the queue alone
        _log.error(
            "%d change(s) were not processed and are put aside, the first is of %s in %s: %s",
            *(count, tenant, row_kind(key), reason),
        )
    bodies = [
        {"pk": f"{tenant}#{key.pk}", "sk": key.sk, "reason": reason}
        for (tenant, key), reason in poisoned.items()
    ]
    try:
        redrive.send(bodies)
    except Unavailable as error:
        _log.warning("the redrive queue took nothing: %s", error.message)
        return list(poisoned)
    return []


def _changed(record: Mapping[str, Any]) -> Changed:
    keys = record["dynamodb"]["Keys"]
    tenant, _, pk = keys["pk"]["S"].partition("#")
    return tenant, Key(pk, keys["sk"]["S"])
