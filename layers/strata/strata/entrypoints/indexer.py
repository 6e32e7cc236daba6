"""The table's change stream: each record's key goes to the consumers, tenant by tenant.

A record is a DynamoDB stream record; only its keys are read, and the latest of a key stands for all of them.

- While a store is unavailable nothing is lost: a change that was not processed is reported
  (`batchItemFailures`) and comes again, from the lowest reported record on.
- A record that fails alone, for a reason of its own, is put on the redrive queue as `{pk, sk, reason}` and
  holds nothing up. `strata redrive` processes it again.
- Log lines and spans name the requests that made the changes, as their change notes do: always where changes
  are put aside, and for all others where spans are made or DEBUG is logged, since it costs a read.

DynamoDB has limits of its own: a stream keeps a record for 24 hours, so after a longer outage changes
are missing from it (their notes are not, see `strata redrive`); a batch holds at most 6 MB and 10 000
records; a mapping with a limit of tries or of age drops records when it is reached.
Source: "Using AWS Lambda with Amazon DynamoDB", AWS Lambda Developer Guide.
"""

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from strata.domain.errors import Unavailable
from strata.domain.scope import RESERVED, Scope
from strata.entrypoints.handler import Handler
from strata.entrypoints.observing import Observing, Operation
from strata.ports.queue import Queue
from strata.ports.rows import Key
from strata.services.search.change_notes import change_note_time
from strata.services.stream.consumers import Consumer, fan_out, row_kind

_log = logging.getLogger("strata.stream")

Changed = tuple[str, Key]
"""Tenant and key of a changed row."""

_NAMED = 20
"""Requests that one log line names."""


Requests = Callable[[Scope, Sequence[Key]], dict[Key, str]]
"""The requests that left the change notes among these keys, by note."""


def stream_handler(
    consumers: Sequence[Consumer], redrive: Queue, requests: Requests, observing: Observing
) -> Handler:
    """A Lambda handler for batches of stream records. `redrive` takes changes that fail."""

    def handle(event: Mapping[str, Any], context: Any) -> dict[str, Any]:
        with observing.invocation(event, context):
            return follow(event["Records"])

    def follow(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        latest = {_changed(record): int(record["dynamodb"]["SequenceNumber"]) for record in records}
        # API keys and marks of maintenance hold no memories
        latest = {each: number for each, number in latest.items() if each[0] not in RESERVED}
        if not latest:
            return {"batchItemFailures": []}
        with observing.operation("index") as operation:
            return process(latest, operation)

    def process(latest: Mapping[Changed, int], operation: Operation) -> dict[str, Any]:
        is_told = operation.is_traced or _log.isEnabledFor(logging.DEBUG)
        known = _requests(requests, latest) if is_told else {}
        operation.followed(len(latest), list(dict.fromkeys(known.values())))
        poisoned, failed = _processed(consumers, latest)
        # records from the first failed one on come again anyway, and are judged then
        first = min(map(latest.__getitem__, failed), default=None)
        aside = {each: why for each, why in poisoned.items() if first is None or latest[each] < first}
        if aside and not is_told:
            known = _requests(requests, aside)
        done = [each for each in latest if each not in poisoned and each not in failed]
        if done:
            _log.debug("%d change(s) were followed%s", len(done), _of(known, done))
        numbers = sorted(latest[each] for each in [*failed, *_put_aside(redrive, aside, known)])
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


def _requests(requests: Requests, changes: Iterable[Changed]) -> dict[Changed, str]:
    """The requests that made these changes, as far as they are known now."""
    by_tenant: dict[str, list[Key]] = {}
    for tenant, key in changes:
        by_tenant.setdefault(tenant, []).append(key)
    found: dict[Changed, str] = {}
    for tenant, keys in by_tenant.items():
        with suppress(Exception):  # who cannot name a request follows its writes all the same
            found |= {(tenant, key): request for key, request in requests(Scope(tenant), keys).items()}
    return found


def _of(known: Mapping[Changed, str], changes: Iterable[Changed]) -> str:
    """The requests behind changes, for the end of a log line."""
    named = list(dict.fromkeys(known[each] for each in changes if each in known))
    rest = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return f", of the requests {', '.join(named[:_NAMED])}{rest}" if named else ""


def _put_aside(
    redrive: Queue, poisoned: Mapping[Changed, str], known: Mapping[Changed, str]
) -> list[Changed]:
    """Put these changes on the redrive queue; returns those that it did not take."""
    if not poisoned:
        return []
    for reason in dict.fromkeys(poisoned.values()):
        alike = [each for each, why in poisoned.items() if why == reason]
        tenant, key = alike[0]
        # a key names people: it stands on the queue alone
        _log.error(
            "%d change(s) were not processed and are put aside, the first is of %s in %s: %s%s",
            *(len(alike), tenant, row_kind(key), reason, _of(known, alike)),
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
