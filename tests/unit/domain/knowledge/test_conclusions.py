"""Conclusions without a model: what repeats on different days, and the newest of what was stated."""

import sys
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.adapters.knowledge.statements import read_messages
from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.statements import Proposal, Said

_DAY = 86_400_000_000


def _said(*texts: str, first: int = 0) -> list[Said]:
    """One message a day, each in a session of its own."""
    return [
        Said(text, (first + day) * _DAY + 30_000_000_000, f"session-{first + day}", 0)
        for day, text in enumerate(texts)
    ]


def _concluded(said: Sequence[Said]) -> list[Proposal]:
    return conclude(read_messages(said))


def _of(proposals: list[Proposal], type_: str) -> list[str]:
    return [each.text for each in proposals if each.type == type_]


SOURDOUGH = (
    "How long does a sourdough loaf keep?",
    "The crust of my sourdough went soft again",
    "Is it too cold in here for sourdough to rise",
)


def test_a_subject_of_three_days_is_a_pattern() -> None:
    (found,) = [each for each in _concluded(_said(*SOURDOUGH)) if each.type == "inductive"]
    assert "sourdough" in found.text
    assert {each.quote for each in found.support} == {text.rstrip("?") for text in SOURDOUGH}


@pytest.mark.parametrize("texts", [SOURDOUGH[:2], (SOURDOUGH[0], SOURDOUGH[1], "What is the time in Lima")])
def test_two_days_are_chance(texts: tuple[str, ...]) -> None:
    assert not _of(_concluded(_said(*texts)), "inductive")


def test_three_messages_of_one_day_are_no_pattern() -> None:
    said = [Said(text, place, "session", place) for place, text in enumerate(SOURDOUGH)]
    assert not _of(_concluded(said), "inductive")


def test_the_newer_of_two_homes_stands() -> None:
    assert _of(_concluded(_said("I live in Leeds.", "I live in York.")), "explicit") == ["Lives in York"]


def test_a_taste_that_turned_is_told_as_it_is_now() -> None:
    (found,) = _of(_concluded(_said("I love olives.", "I hate olives.")), "explicit")
    assert found == "Dislikes olives"


def test_a_tool_that_is_used_now_takes_the_place_of_the_one_that_was_stated_and_is_told_once() -> None:
    said = _said("My editor is Vim.", "I use Emacs now instead of Vim.")
    assert _of(_concluded(said), "explicit") == ["Uses Emacs"]
    both = _said("My editor is Vim.", "I use Emacs and Helix now instead of Vim.")
    assert _of(_concluded(both), "explicit") == ["Uses Emacs", "Uses Helix"]


def test_of_tools_of_which_none_is_told_as_a_change_all_stand() -> None:
    said = _said("My editor is Vim.", "I use Figma.", "I use Slack.")
    assert _of(_concluded(said), "explicit") == ['Says: "My editor is Vim"', "Uses Figma", "Uses Slack"]


def test_a_tractor_that_loses_oil_is_no_taste() -> None:
    (found,) = _of(_concluded(_said("Tengo un Ebro del 82 y me pierde aceite por el eje.")), "explicit")
    assert "gusta" not in found
    assert _of(_concluded(_said("Me pierde el chocolate.")), "explicit") == ["Le gusta chocolate"]


def test_spanish_quotes_make_a_spanish_sentence() -> None:
    assert _of(_concluded(_said("Vivo en Murcia desde enero.")), "explicit") == ["Vive en Murcia"]


_TEXTS = st.lists(
    st.sampled_from(
        [*SOURDOUGH, "I live in Leeds.", "I live in York.", "I love olives.", "No olives, please"]
    ),
    max_size=8,
)


@settings(max_examples=25)
@given(texts=_TEXTS, data=st.data())
def test_neither_order_nor_repeats_change_what_follows(texts: list[str], data: st.DataObject) -> None:
    said = _said(*texts)
    found = read_messages(said)
    assert read_messages([*said, *said]) == found
    assert conclude(data.draw(st.permutations([*found, *found]))) == conclude(found)


@settings(max_examples=25)
@given(texts=_TEXTS)
def test_every_quote_is_a_part_of_its_message_and_in_order(texts: list[str]) -> None:
    said = {each.source: each.text for each in _said(*texts)}
    for found in _concluded(_said(*texts)):
        assert 0 < found.confidence < 1
        assert all(each.quote in said[each.source] for each in (*found.support, *found.against))
        assert all(one.at <= other.at for one, other in pairwise(found.support))


@pytest.mark.parametrize("unit", ["a", "my ", "I live in ", "word%d ", "¿", "no ", "\n", '"', "ñ"])
def test_a_megabyte_is_read_in_bounded_work(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    assert len(read_messages([Said(text, 0, "session", 0)])) < 100


def _calls(work: Callable[[], object]) -> int:
    """The calls of Python functions that the work makes."""
    count = 0

    def counted(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event == "call"

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    "text",
    [
        "I moved to York{} now, and my dentist is Weller{} since the old one retired",
        "I live in York, my phone is a Pixel {}, and Vickers have closed",
        "sourdough{} and rye{} with the levain{}",
        "word{0} word{0} word{0}",
    ],
)
def test_twice_as_many_messages_are_twice_the_work(text: str) -> None:
    def work(messages: int) -> int:
        told = (
            text.replace("{}", str(number % 20)).replace("{0}", str(number)) for number in range(messages)
        )
        said = [Said(each, place * _DAY // 7, f"s{place}", 0) for place, each in enumerate(told)]
        found = read_messages(said)
        return _calls(lambda: conclude(found))

    work(240)  # fills what is cached
    assert work(240) <= 2.6 * work(120) + 1_000
