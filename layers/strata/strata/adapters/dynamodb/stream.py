"""The port `ChangeLog` over the stream of a DynamoDB table, for a server that follows it by itself.

The stream's shards are read into a journal on this machine, parents before their children, so that the
changes of each key stay in order; the position in each shard is stored with its records, in one transaction.
A stream keeps a record for 24 hours: `strata redrive` and `verify` recover changes missed in a longer outage.
Source: "Change data capture for DynamoDB Streams", Amazon DynamoDB Developer Guide.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from botocore.exceptions import ClientError

from strata.adapters.dynamodb.patience import TablePatience, error_code
from strata.adapters.dynamodb.rows import read_key
from strata.adapters.dynamodb.writes import sent
from strata.adapters.patience import Sleep
from strata.domain.errors import Unavailable
from strata.ports.changes import Change, Journal, Place

_log = logging.getLogger(__name__)

_PATIENCE = 6.0
_PAGES = 50
"""Pages of up to a thousand records that one fetch reads of a shard at most."""

_FETCHES = 20
"""Fetches between two listings of the shards, unless one ends before."""


class DynamoChangeLog:
    """The changes of a table's stream in the order in which they were fetched.

    Args:
        client: DynamoDB's.
        streams: of DynamoDB's streams, at the same place.
        table: its name.
        journal: stores the fetched records.
    """

    def __init__(
        self, client: Any, streams: Any, table: str, journal: Journal, *, sleep: Sleep = time.sleep
    ) -> None:
        self._client = client
        self._streams = streams
        self._table = table
        self._journal = journal
        self._patience = partial(TablePatience, _PATIENCE, sleep=sleep)
        self._arn = ""
        self._shards: dict[str, str | None] = {}
        self._iterators: dict[str, str] = {}
        self._fetches = 0

    def head(self) -> int:
        """Number of the newest change that was fetched.

        Raises:
            Unavailable: there is no such table, or it has no stream.
        """
        self._stream()
        return self._journal.head()

    def read(self, after: int, limit: int) -> list[Change]:
        return self._journal.read(after, limit)

    def position(self, consumer: str) -> int:
        """The position of the named consumer."""
        return self._journal.position(consumer)

    def advance(self, consumer: str, sequence: int) -> None:
        self._journal.advance(consumer, sequence)

    def fetch(self) -> None:
        """Read every shard whose parent is finished, up to its current end."""
        stream = self._stream()
        places = self._journal.places(stream)
        if self._fetches % _FETCHES == 0:
            self._look(stream, places)
        self._fetches += 1
        left = {shard for shard in self._shards if not (shard in places and places[shard].ended)}
        read: set[str] = set()
        while ready := [shard for shard in left - read if self._shards[shard] not in left]:
            for shard in ready:
                read.add(shard)
                if self._read_shard(stream, places.get(shard, Place(shard))):
                    left.remove(shard)
                    self._fetches = 0  # its children may be new

    def _stream(self) -> str:
        if not self._arn:
            table = self._call(self._client.describe_table, TableName=self._table)["Table"]
            arn = table.get("LatestStreamArn")
            if arn is None or not table.get("StreamSpecification", {}).get("StreamEnabled"):
                raise Unavailable(
                    f"the table {self._table} has no stream, which the search index follows; enable one with"
                    " the view KEYS_ONLY, or let Strata make the table"
                )
            try:
                self._call(self._streams.describe_stream, StreamArn=arn, Limit=1)
            except ClientError as error:
                raise Unavailable(
                    f"this endpoint does not serve the stream of the table {self._table}, which the search"
                    f" index follows ({error_code(error)})"
                ) from error
            self._arn = arn
        return self._arn

    def _look(self, stream: str, places: Mapping[str, Place]) -> None:
        """The shards, each with its parent."""
        shards: dict[str, str | None] = {}
        after: dict[str, str] = {}
        while True:
            page = self._call(self._streams.describe_stream, StreamArn=stream, **after)["StreamDescription"]
            shards |= {shard["ShardId"]: shard.get("ParentShardId") for shard in page["Shards"]}
            if "LastEvaluatedShardId" not in page:
                break
            after = {"ExclusiveStartShardId": page["LastEvaluatedShardId"]}
        if gone := places.keys() - shards.keys():
            self._journal.forget(stream, gone)
        self._shards = shards
        self._iterators = {shard: at for shard, at in self._iterators.items() if shard in shards}

    def _read_shard(self, stream: str, place: Place) -> bool:
        """Read a shard up to its current end; whether it is finished."""
        for _ in range(_PAGES):
            iterator = self._iterators.pop(place.shard, None) or self._iterator(stream, place)
            try:
                page = self._call(self._streams.get_records, ShardIterator=iterator, Limit=1000)
            except ClientError as error:
                if error_code(error) not in {"ExpiredIteratorException", "TrimmedDataAccessException"}:
                    raise
                page = self._call(
                    self._streams.get_records, ShardIterator=self._iterator(stream, place), Limit=1000
                )
            records: list[dict[str, Any]] = page["Records"]
            following: str | None = page.get("NextShardIterator")
            ended = following is None
            if records or ended:
                number = records[-1]["dynamodb"]["SequenceNumber"] if records else place.after
                place = Place(place.shard, number, ended)
                self._journal.append(stream, place, _changes(records))
            if following is None:
                return True
            self._iterators[place.shard] = following
            if not records:
                return False
        return False

    def _iterator(self, stream: str, place: Place) -> str:
        """The iterator to continue with; at the oldest record when the position itself has been trimmed."""
        start = {"StreamArn": stream, "ShardId": place.shard}
        if place.after is not None:
            try:
                answer = self._call(
                    self._streams.get_shard_iterator,
                    ShardIteratorType="AFTER_SEQUENCE_NUMBER",
                    SequenceNumber=place.after,
                    **start,
                )
                return str(answer["ShardIterator"])
            except ClientError as error:
                if error_code(error) != "TrimmedDataAccessException":
                    raise
                _log.warning("the stream has dropped changes that were not read; 'strata verify' finds them")
        answer = self._call(self._streams.get_shard_iterator, ShardIteratorType="TRIM_HORIZON", **start)
        return str(answer["ShardIterator"])

    def _call(self, send: Callable[..., dict[str, Any]], **arguments: Any) -> dict[str, Any]:
        return self._patience().call(lambda: sent(send, arguments), repeatable=True)


def _changes(records: Sequence[Mapping[str, Any]]) -> list[Change]:
    changes = []
    for record in records:
        keys = record["dynamodb"]["Keys"]
        tenant = keys["pk"]["S"].partition("#")[0]
        changes.append(Change(0, tenant, read_key(keys), record["eventName"]))
    return changes
