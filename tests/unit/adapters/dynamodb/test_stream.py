"""Reading the shards of a DynamoDB stream: their order, the place to begin, and a stream that moved on."""

# ruff: noqa: N803 - arguments are called as AWS calls them

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from strata.adapters.dynamodb.stream import DynamoChangeLog
from strata.adapters.sqlite.database import SqliteDatabase
from strata.adapters.sqlite.journal import SqliteJournal
from strata.domain.errors import Unavailable

ARN = "arn:aws:dynamodb:eu-west-1:1:table/rows/stream/now"


class Shard:
    """A shard: its records' sort keys, its parent, and whether it takes more."""

    def __init__(self, *names: str, parent: str | None = None, ended: bool = False) -> None:
        self.names = list(names)
        self.parent = parent
        self.ended = ended
        self.trimmed = 0


class Streams:
    """DynamoDB's streams as its documentation describes them; an iterator is `shard:place`."""

    def __init__(self, **shards: Shard) -> None:
        self.shards = shards
        self.expired: set[str] = set()
        self.looks = 0

    def describe_stream(self, StreamArn: str, Limit: int = 100, ExclusiveStartShardId: str = "") -> Any:
        self.looks += 1
        names = sorted(name for name in self.shards if name > ExclusiveStartShardId)
        page = names[:2]  # a long list comes in pages
        described = [
            {"ShardId": name}
            | ({"ParentShardId": self.shards[name].parent} if self.shards[name].parent else {})
            for name in page
        ]
        last = {"LastEvaluatedShardId": page[-1]} if len(names) > len(page) else {}
        return {"StreamDescription": {"Shards": described, **last}}

    def get_shard_iterator(
        self, StreamArn: str, ShardId: str, ShardIteratorType: str, SequenceNumber: str = ""
    ) -> Any:
        shard = self.shards[ShardId]
        if ShardIteratorType == "TRIM_HORIZON":
            return {"ShardIterator": f"{ShardId}:{shard.trimmed}"}
        if int(SequenceNumber) < shard.trimmed:
            raise failed("TrimmedDataAccessException")
        return {"ShardIterator": f"{ShardId}:{SequenceNumber}"}

    def get_records(self, ShardIterator: str, Limit: int) -> Any:
        if ShardIterator in self.expired:
            self.expired.discard(ShardIterator)
            raise failed("ExpiredIteratorException")
        name, _, at = ShardIterator.partition(":")
        shard, start = self.shards[name], int(at)
        page = list(enumerate(shard.names, start=1))[start : start + 2]
        records = [
            {
                "eventName": "INSERT",
                "dynamodb": {
                    "SequenceNumber": str(number),
                    "Keys": {"pk": {"S": "acme#P"}, "sk": {"S": sk}},
                },
            }
            for number, sk in page
        ]
        reached = start + len(page)
        over = shard.ended and reached == len(shard.names)
        return {"Records": records} | ({} if over else {"NextShardIterator": f"{name}:{reached}"})


class Table:
    """A table's description of its stream."""

    def __init__(self, **said: Any) -> None:
        self.said = said

    def describe_table(self, TableName: str) -> Any:
        return {"Table": self.said}


WITH_STREAM = Table(LatestStreamArn=ARN, StreamSpecification={"StreamEnabled": True})


def failed(code: str) -> ClientError:
    return ClientError({"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": 400}}, "GetRecords")


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[SqliteJournal]:
    database = SqliteDatabase(tmp_path / "journal.db")
    yield SqliteJournal(database)
    database.close()


def reader(streams: Streams, journal: SqliteJournal) -> DynamoChangeLog:
    return DynamoChangeLog(WITH_STREAM, streams, "rows", journal, sleep=lambda _: None)


def names(log: DynamoChangeLog) -> list[str]:
    return [change.key.sk for change in log.read(0, 1000)]


def test_a_parent_is_read_to_its_end_before_its_children(journal: SqliteJournal) -> None:
    streams = Streams(
        a=Shard("5", parent="c", ended=True),  # named so that the order of names misleads
        b=Shard("6", "7", parent="a"),
        c=Shard("1", "2", "3", "4", ended=True),
    )
    log = reader(streams, journal)
    log.fetch()
    assert names(log) == ["1", "2", "3", "4", "5", "6", "7"]


def test_children_wait_while_their_parent_takes_more(journal: SqliteJournal) -> None:
    streams = Streams(a=Shard("1"), b=Shard("3", parent="a"))
    log = reader(streams, journal)
    log.fetch()
    assert names(log) == ["1"]
    streams.shards["a"].names.append("2")
    streams.shards["a"].ended = True
    log.fetch()
    assert names(log) == ["1", "2", "3"]


def test_a_shard_whose_parent_has_been_dropped_is_read(journal: SqliteJournal) -> None:
    log = reader(Streams(b=Shard("1", parent="long gone")), journal)
    log.fetch()
    assert names(log) == ["1"]


def test_another_process_goes_on_where_one_has_ended(journal: SqliteJournal) -> None:
    streams = Streams(a=Shard("1", "2", ended=True), b=Shard("3", parent="a"))
    reader(streams, journal).fetch()
    streams.shards["b"].names.append("4")
    log = reader(streams, journal)
    log.fetch()
    assert names(log) == ["1", "2", "3", "4"]


def test_an_iterator_that_expired_is_replaced(journal: SqliteJournal) -> None:
    streams = Streams(a=Shard("1"))
    log = reader(streams, journal)
    log.fetch()
    streams.expired.add("a:1")
    streams.shards["a"].names.append("2")
    log.fetch()
    assert names(log) == ["1", "2"]


def test_after_a_long_absence_reading_begins_at_the_oldest_record_there_is(
    journal: SqliteJournal, caplog: pytest.LogCaptureFixture
) -> None:
    streams = Streams(a=Shard("1"))
    reader(streams, journal).fetch()
    streams.shards["a"].names += ["2", "3", "4"]
    streams.shards["a"].trimmed = 2
    log = reader(streams, journal)
    log.fetch()
    assert names(log) == ["1", "3", "4"]
    assert "strata verify" in caplog.text


def test_places_in_shards_that_are_no_more_are_forgotten(journal: SqliteJournal) -> None:
    streams = Streams(a=Shard("1", ended=True), b=Shard("2", parent="a"))
    reader(streams, journal).fetch()
    del streams.shards["a"]
    reader(streams, journal).fetch()
    assert set(journal.places(ARN)) == {"b"}


def test_new_shards_are_found_in_time_without_asking_each_time(journal: SqliteJournal) -> None:
    streams = Streams(a=Shard("1"))
    log = reader(streams, journal)
    log.fetch()
    before = streams.looks
    for _ in range(5):
        log.fetch()
    assert streams.looks == before
    streams.shards["a"].ended = True
    streams.shards["b"] = Shard("2", parent="a")
    log.fetch()
    log.fetch()
    assert names(log) == ["1", "2"]


@pytest.mark.parametrize("table", [Table(), Table(LatestStreamArn=ARN, StreamSpecification={})])
def test_a_table_without_a_stream_is_told_so(journal: SqliteJournal, table: Table) -> None:
    log = DynamoChangeLog(table, Streams(), "rows", journal)
    with pytest.raises(Unavailable, match="the table rows has no stream"):
        log.head()


def test_an_endpoint_that_serves_no_streams_is_told_so(journal: SqliteJournal) -> None:
    streams: Any = Streams()

    def unknown(**_: Any) -> Any:
        raise failed("UnknownOperationException")

    streams.describe_stream = unknown
    log = DynamoChangeLog(WITH_STREAM, streams, "rows", journal)
    with pytest.raises(Unavailable, match="does not serve the stream"):
        log.head()
