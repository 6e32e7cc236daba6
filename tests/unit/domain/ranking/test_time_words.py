import pytest

from strata.domain.ranking.time_words import asks_for_time, speaks_of_time


@pytest.mark.parametrize(
    "query",
    ["When did it start?", "what year was that", "How many weeks are left?", "since when", "How long is it?"],
)
def test_questions_about_time_are_told(query: str) -> None:
    assert asks_for_time(query)


@pytest.mark.parametrize("query", ["What did they buy?", "how many books", "whenever", ""])
def test_other_questions_are_not(query: str) -> None:
    assert not asks_for_time(query)


@pytest.mark.parametrize(
    "text", ["two days ago", "Last Friday", "on 3 May", "in 2021", "at 14:30", "it was Yesterday"]
)
def test_times_are_told(text: str) -> None:
    assert speaks_of_time(text)


@pytest.mark.parametrize("text", ["a red boat", "maybe", "page 2", "1234 files", ""])
def test_texts_without_a_time_are_not(text: str) -> None:
    assert not speaks_of_time(text)
