"""The keywords of a text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.adapters.static_embeddings import StaticEmbeddings
from strata.domain.text.keywords import MOST, keywords


def even(words):
    """A lexicon that finds no word rarer than another."""
    return [1.0] * len(words)


@pytest.fixture(scope="module")
def rarity():
    return StaticEmbeddings().rarity


def test_a_text_is_known_by_what_it_names(rarity):
    said = "What's the weather forecast for San Francisco? The weather forecast says sun."
    assert keywords([said], rarity)[:2] == ["weather forecast", "san francisco"]


def test_rare_words_come_before_common_ones(rarity):
    assert keywords(["the house, the deadlock, the day"], rarity)[0] == "deadlock"


def test_what_is_said_more_often_comes_first():
    assert keywords(["tea, coffee, milk, coffee"], even)[0] == "coffee"


def test_forms_of_one_word_count_as_one():
    assert keywords(["migration, lock, migrations"], even) == ["migration", "lock"]


def test_no_two_keywords_share_a_word():
    found = keywords(["exclusive lock on the table. The table lock. A lock table"], even)
    single = [word for each in found for word in each.split()]
    assert len(single) == len(set(single))


def test_pleasantries_and_stop_words_are_none():
    assert keywords(["Hi! Thanks so much, please let me know. Gracias, hola, ¿qué tal?"], even) == []
    assert keywords([""], even) == keywords([], even) == []


def test_words_keep_their_accents_and_names_of_files_their_dots():
    assert keywords(["Prefiero las mañanas"], even) == ["mañanas"]
    assert set(keywords(["See src/app.py in us-east-1, and C++"], even)) == {"src/app.py", "us-east-1", "c++"}


def test_numbers_alone_are_none():
    assert keywords(["1984, 2026, 3.11"], even) == []


def test_at_most_so_many_are_given():
    assert len(keywords([", ".join(f"word{chr(97 + n)}" for n in range(20))], even)) == MOST


@given(st.lists(st.text(max_size=200), max_size=5))
def test_any_text_gives_the_same_few_keywords_each_time(texts):
    found = keywords(texts, even)
    assert found == keywords(texts, even)
    assert len(found) <= MOST
    assert all(each.strip() and len(each) <= 100 for each in found)


@pytest.mark.parametrize("text", ["a" * 300_000, "ab " * 100_000, "a." * 100_000, "'" * 100_000])
def test_long_text_takes_no_time(text):
    assert len(keywords([text], even)) <= MOST
