import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.local.stream.delivery import PAUSE, TRIES, TRIES_AT_ONCE, Consumer, Stream
from strata.local.template.filters import compile_filters
from support.local_apps import FakeLog


class Indexer:
    """A function on the stream that fails on chosen keys: raising, or reporting them."""

    def __init__(self, *bad: str, reports: bool = False) -> None:
        self.bad = set(bad)
        self.reports = reports
        self.batches: list[list[str]] = []
        self.done: list[str] = []

    def __call__(self, event):
        records = event["Records"]
        names = [record["dynamodb"]["Keys"]["sk"]["S"] for record in records]
        self.batches.append(names)
        failed = [record for record, name in zip(records, names, strict=True) if name in self.bad]
        if failed and not self.reports:
            raise RuntimeError("cannot index")
        first_bad = next((number for number, name in enumerate(names) if name in self.bad), len(names))
        self.done.extend(names[:first_bad])
        return {"batchItemFailures": [{"itemIdentifier": r["dynamodb"]["SequenceNumber"]} for r in failed]}


class Streamed:
    """A stream with one consumer over a fake log, with a clock that tests turn."""

    def __init__(self, folder, invoke, *, size=100, patterns=(), log=None) -> None:
        self.log = log or FakeLog()
        self.now = 1000.0
        consumer = Consumer("Indexer", "Table", invoke, compile_filters(patterns), size)
        self.stream = Stream([consumer], lambda: self.log, folder / "stream.state", lambda: self.now)

    def drain(self, *names: str) -> None:
        self.log.write(*names)
        self.stream.drain()

    @property
    def position(self) -> int:
        return self.log.position("Indexer")


def test_changes_arrive_in_order_in_batches_of_the_asked_size(tmp_path):
    indexer = Indexer()
    streamed = Streamed(tmp_path, indexer, size=2)

    streamed.drain("a", "b", "c", "d", "e")

    assert indexer.batches == [["a", "b"], ["c", "d"], ["e"]]
    assert streamed.position == 5


def test_a_record_is_shaped_as_a_dynamodb_stream_of_keys(tmp_path):
    events = []
    streamed = Streamed(tmp_path, events.append)
    streamed.log.write("a", event="REMOVE", tenant="acme")

    streamed.stream.drain()

    (record,) = events[0]["Records"]
    assert record["eventName"] == "REMOVE"
    assert record["eventSource"] == "aws:dynamodb"
    assert record["dynamodb"] == {
        "Keys": {"pk": {"S": "acme#OBS"}, "sk": {"S": "a"}},
        "SequenceNumber": "1",
        "StreamViewType": "KEYS_ONLY",
    }


def test_nothing_new_is_not_read_again(tmp_path):
    streamed = Streamed(tmp_path, Indexer())
    streamed.drain("a")
    reads = streamed.log.reads

    streamed.stream.drain()

    assert streamed.log.reads == reads


def test_what_another_process_delivered_is_not_delivered_again(tmp_path):
    first, second = Indexer(), Indexer()
    one = Streamed(tmp_path, first)
    other = Streamed(tmp_path, second, log=one.log)

    one.drain("a")
    other.drain()

    assert (first.done, second.done) == (["a"], [])


def test_a_delivery_ends_between_two_batches_when_it_was_enough_and_goes_on_from_there(tmp_path):
    indexer = Indexer()
    streamed = Streamed(tmp_path, indexer, size=2)
    streamed.log.write("a", "b", "c", "d", "e")

    streamed.stream.drain(lambda: len(indexer.batches) == 2)

    assert indexer.batches == [["a", "b"], ["c", "d"]]
    streamed.stream.drain()
    assert indexer.batches[2:] == [["e"]]
    assert streamed.position == 5


def test_what_nobody_wants_does_not_make_batches_smaller(tmp_path):
    indexer = Indexer()
    patterns = [{"dynamodb": {"Keys": {"sk": {"S": [{"prefix": "OBS#"}]}}}}]
    streamed = Streamed(tmp_path, indexer, patterns=patterns, size=3)
    others = [f"POINTER#{n}" for n in range(20)]

    streamed.drain("OBS#1", *others, "OBS#2", *others, "OBS#3", "OBS#4", *others)

    assert indexer.batches == [["OBS#1", "OBS#2", "OBS#3"], ["OBS#4"]]
    assert streamed.position == 64


def test_what_a_function_reports_comes_again_for_as_long_as_it_takes(tmp_path):
    indexer = Indexer("c", reports=True)
    streamed = Streamed(tmp_path, indexer)
    streamed.drain("a", "b", "c", "d")
    assert indexer.batches == [["a", "b", "c", "d"]]
    for _ in range(3 * TRIES):
        assert streamed.position == 2
        streamed.now += PAUSE
        streamed.drain()

    indexer.bad.clear()
    streamed.now += PAUSE
    streamed.drain()

    assert indexer.done == ["a", "b", "c", "d"]
    assert streamed.position == 4


def test_a_failing_record_is_isolated_and_holds_back_only_what_is_behind_it(tmp_path):
    indexer = Indexer("c")
    streamed = Streamed(tmp_path, indexer)

    streamed.drain("a", "b", "c", "d")

    assert indexer.done == ["a", "b"]
    assert streamed.position == 2
    assert indexer.batches.count(["c"]) == TRIES_AT_ONCE


def test_a_record_that_goes_through_later_lets_the_rest_go_on(tmp_path):
    indexer = Indexer("a")
    streamed = Streamed(tmp_path, indexer)
    streamed.drain("a", "b")

    indexer.bad.clear()
    streamed.now += PAUSE
    streamed.drain()

    assert indexer.done == ["a", "b"]
    assert streamed.position == 2


def test_a_failing_record_is_left_alone_between_tries(tmp_path):
    indexer = Indexer("a")
    streamed = Streamed(tmp_path, indexer)
    streamed.drain("a")
    tried = len(indexer.batches)

    streamed.drain("b")

    assert len(indexer.batches) == tried


def test_a_record_that_never_goes_through_is_skipped_with_a_log_that_says_what_it_was(tmp_path, caplog):
    indexer = Indexer("a")
    streamed = Streamed(tmp_path, indexer)
    streamed.drain("a", "b")
    for _ in range(TRIES - TRIES_AT_ONCE):
        assert streamed.position == 0
        streamed.now += PAUSE
        streamed.drain()

    assert streamed.position == 2
    assert indexer.done == ["b"]
    assert indexer.batches.count(["a"]) == TRIES
    assert caplog.records[-1].levelno == logging.ERROR
    assert "change 1 (INSERT of local in OBS/a)" in caplog.records[-1].message
    assert "skipped" in caplog.records[-1].message


def test_a_log_of_a_record_that_fails_does_not_say_whose_it_is(tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    for reports in (True, False):
        streamed = Streamed(tmp_path, Indexer("OBS#7#ann@example.org", reports=reports))
        streamed.drain("OBS#7#ann@example.org")

    assert "waits with change 1 (INSERT of local in OBS/OBS)" in caplog.text
    assert "ann" not in caplog.text


def test_tries_are_counted_across_processes(tmp_path):
    first = Streamed(tmp_path, Indexer("a"))
    first.drain("a")
    indexer = Indexer("a")
    second = Streamed(tmp_path, indexer, log=first.log)

    for _ in range(TRIES - TRIES_AT_ONCE):
        second.now += PAUSE
        second.drain()

    assert second.position == 1
    assert len(indexer.batches) == TRIES - TRIES_AT_ONCE


def test_a_damaged_state_file_does_no_harm(tmp_path):
    (tmp_path / "stream.state").write_text('{"Indexer": {"seq')
    indexer = Indexer()

    Streamed(tmp_path, indexer).drain("a")

    assert indexer.done == ["a"]


@settings(deadline=None, max_examples=40)  # files are locked and written
@given(
    names=st.lists(st.sampled_from("abcdef"), max_size=10),
    bad=st.sets(st.sampled_from("abcdef")),
    size=st.integers(1, 7),
)
def test_in_the_end_every_change_is_delivered_or_skipped(tmp_path_factory, names, bad, size):
    indexer = Indexer(*bad)
    streamed = Streamed(tmp_path_factory.mktemp("stream"), indexer, size=size)
    logging.disable()
    try:
        streamed.drain(*names)
        for _ in range(TRIES * len(names)):
            if streamed.position == len(names):
                break
            streamed.now += PAUSE
            streamed.drain()
    finally:
        logging.disable(logging.NOTSET)

    assert streamed.position == len(names)
    assert indexer.done == [name for name in names if name not in bad]


# --- Filters --------------------------------------------------------------------------------------


def test_only_wanted_changes_are_delivered_and_the_others_passed_by(tmp_path):
    indexer = Indexer()
    patterns = [{"dynamodb": {"Keys": {"sk": {"S": [{"prefix": "OBS#"}]}}}}]
    streamed = Streamed(tmp_path, indexer, patterns=patterns)

    streamed.drain("OBS#1", "SESSION#1", "OBS#2")

    assert indexer.done == ["OBS#1", "OBS#2"]
    assert streamed.position == 3


@pytest.mark.parametrize(
    ("rule", "matching", "other"),
    [
        ("a", "a", "b"),
        (1, 1, True),
        (None, None, 0),
        ({"prefix": "ab"}, "abc", "ba"),
        ({"prefix": "ab"}, "ab", ...),
        ({"prefix": "1"}, "1", 1),
    ],
)
def test_a_filter_rule_tells_values_apart(rule, matching, other):
    wants = compile_filters([{"x": {"y": [rule]}}])

    def record(value):
        return {"x": {} if value is ... else {"y": value}}

    assert wants(record(matching))
    assert not wants(record(other))


def test_all_parts_of_a_pattern_must_hold_and_any_of_several_patterns_suffices():
    wants = compile_filters([{"a": [1], "b": [2]}, {"c": [3, 4]}])

    assert wants({"a": 1, "b": 2})
    assert wants({"c": 4})
    assert not wants({"a": 1})
    assert not wants({})


def test_without_patterns_everything_is_wanted():
    assert compile_filters([])({"any": "thing"})


@pytest.mark.parametrize("pattern", [{"a": "x"}, {"a": []}, {"a": [{"suffix": "x"}]}, {"a": [{"prefix": 1}]}])
def test_a_filter_that_is_not_understood_is_refused(pattern):
    with pytest.raises(ValueError, match="filter on a"):
        compile_filters([pattern])
