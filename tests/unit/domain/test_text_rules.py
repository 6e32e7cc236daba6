"""Summaries, hashes, times and ids."""

import hashlib
import threading
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.domain.dedup import normalized, normalized_hash
from strata.domain.errors import InvalidRequest
from strata.domain.ids import IdSource
from strata.domain.scope import Scope
from strata.domain.summary import summarize
from strata.domain.text.strings import MORE, both_ends, project_name
from strata.domain.times import microseconds, rfc3339
from strata.domain.wire.fields import MAX_NUMBER
from strata.domain.wire.messages import Message
from support.memory import dialogue


def summary(*messages: dict[str, str]) -> str:
    return summarize([Message.model_validate(message) for message in messages])


def test_a_summary_quotes_the_first_and_the_last_thing_the_user_said():
    said = [f"line {number}" for number in range(14)]
    expected = 'Session with 14 messages. Started: "line 0" — Ended: "line 12"'
    assert summary(*dialogue(*said)) == expected


def test_with_one_user_message_there_is_no_end():
    assert summary(*dialogue("hello", "hi")) == 'Session with 2 messages. Started: "hello"'


def test_without_a_user_message_there_is_only_the_count():
    assert summary({"role": "assistant", "content": "hi"}) == "Session with 1 messages."
    assert summary() == "Session with 0 messages."


def test_only_users_and_assistants_are_counted():
    others = [{"role": role, "content": "x"} for role in ("system", "tool", "developer", "User")]
    assert summary(*others, *dialogue("hello")) == 'Session with 1 messages. Started: "hello"'


def test_each_quotation_is_cut_to_200_characters_of_any_script():
    assert summary(*dialogue("é😀" * 150, "x", "ש" * 201)) == (
        f'Session with 3 messages. Started: "{"é😀" * 100}" — Ended: "{"ש" * 200}"'
    )


def test_the_same_last_word_as_the_first_is_quoted_twice():
    assert summary(*dialogue("hi", "x", "hi")).endswith('Started: "hi" — Ended: "hi"')


@given(st.text(), st.sampled_from([" ", "\n\n", "\t \u3000"]))
def test_case_and_white_space_do_not_count_in_a_hash(text, space):
    spread = space + text.replace(" ", space) + space
    assert normalized(spread) == normalized(text)
    assert normalized_hash(spread) == normalized_hash(text)


def test_a_hash_is_the_sha256_of_the_normalised_content():
    assert normalized_hash(" A\n fact ") == hashlib.sha256(b"a fact").hexdigest()


@given(st.text())
def test_a_projects_name_is_its_own_name(text):
    assert project_name(project_name(text)) == project_name(text)


@given(st.datetimes(datetime(1970, 1, 1), datetime(2255, 1, 1), timezones=st.just(UTC)))
def test_times_survive_the_wire(moment):
    us = microseconds(moment)
    assert datetime.fromisoformat(rfc3339(us)) == moment
    assert rfc3339(us).endswith("Z")


def test_a_time_without_a_zone_is_utc_and_one_with_a_zone_is_converted():
    assert microseconds(datetime(2026, 1, 1)) == microseconds(datetime(2026, 1, 1, tzinfo=UTC))
    zone = datetime.fromisoformat("2026-01-01T02:00:00+02:00")
    assert microseconds(zone) == microseconds(datetime(2026, 1, 1))
    assert microseconds(datetime(1970, 1, 1) + timedelta(microseconds=7)) == 7


@given(st.lists(st.integers(0, MAX_NUMBER - 100), min_size=1, max_size=50))
def test_ids_rise_whatever_the_clock_does(times):
    source = IdSource()
    ids = [source.next(now) for now in times]
    assert ids == sorted(set(ids))
    assert all(identifier >= now for identifier, now in zip(ids, times, strict=True))


def test_threads_share_a_source_without_sharing_an_id():
    source, taken = IdSource(), []
    threads = [
        threading.Thread(target=lambda: taken.extend(source.next(1) for _ in range(500))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == list(range(1, 4001))


@pytest.mark.parametrize("tenant", ["", "a#b", "a/b", "a b", "#", "-a", "x" * 101, "ä", "a\n"])
def test_a_tenant_that_could_reach_into_keys_is_refused(tenant):
    with pytest.raises(InvalidRequest):
        Scope(tenant)


@pytest.mark.parametrize("runes", [20, 21, 60, 500])
@pytest.mark.parametrize("word", ["log ", "\u65e5\u5fd7", "x"])
def test_of_a_long_question_its_beginning_and_its_end_are_read(runes: int, word: str) -> None:
    asked = f"first {word * 900} last?"
    read = both_ends(asked, runes)
    assert len(read) <= runes
    assert read.startswith("first")
    assert read.endswith("last?")
    assert MORE in read
    assert both_ends(asked[:runes], runes) == asked[:runes]
