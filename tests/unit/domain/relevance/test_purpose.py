"""Small talk is told from what is to be looked up, in words that no list has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.domain.relevance.purpose import SURE, clues, purpose


@pytest.mark.parametrize(
    ("asked", "small_talk"),
    [
        ("where did we put the deploy key?", "that made my afternoon, cheers"),
        ("¿cuándo es el cumpleaños de Lucía?", "me has alegrado el día"),
        ("wann hat Emil Schwimmkurs?", "das hat mir sehr geholfen"),
        ("姑姑哪天化疗", "你真是帮了大忙"),
    ],
)
def test_what_asks_has_more_to_look_up_than_small_talk(asked, small_talk):
    assert purpose(asked) == SURE
    assert purpose(small_talk) < 0


@given(st.text(max_size=60))
def test_any_message_has_bounded_odds_and_the_same_clues_again(message):
    assert -6 <= purpose(message) <= SURE
    assert clues(message) == clues(message)
    assert not any("\t" in clue or "\n" in clue for clue in clues(message))


def test_a_long_message_is_read_by_its_beginning():
    assert clues("where is the key " * 100) == clues("where is the key " * 1000)
