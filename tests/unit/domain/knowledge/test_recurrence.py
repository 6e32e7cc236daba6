"""Subjects and hours to which a person comes back."""

import pytest

from strata.adapters.knowledge.statements import read_messages
from strata.domain.knowledge.hours import own_hours
from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.mentions import mentions
from strata.domain.knowledge.statements import Said

_MINUTE = 60_000_000
_DAY = 1440 * _MINUTE


def _said(*lines: tuple[int, int, str]) -> list[Said]:
    """Messages by day, minute of the day and text; a day is a session."""
    return [Said(text, day * _DAY + minute * _MINUTE, f"s{day}", minute) for day, minute, text in lines]


def _patterns(*lines: tuple[int, int, str]) -> list[str]:
    return [each.text for each in conclude(read_messages(_said(*lines))) if each.type == "inductive"]


def test_words_that_stand_together_make_one_phrase() -> None:
    found = _patterns(
        (1, 600, "Can brisket go in the slow cooker from frozen"),
        (4, 900, "My slow cooker cracked, will foil do"),
        (9, 1100, "How much stock for lentils in a slow cooker"),
    )
    assert found == ["Often mentions slow cooker (3 days)"]


def test_common_words_are_no_subject() -> None:
    assert not _patterns(
        *((day, 600 + 90 * day, "What should I buy my cousin, is it worth it") for day in range(5))
    )


def test_who_is_spoken_to_is_no_subject() -> None:
    assert not _patterns(*((day, 500 + 70 * day, f"Thanks, Clara. Number {day} please") for day in range(6)))


@pytest.mark.parametrize(
    "text",
    ["If I had a telescope", "My aunt says a telescope is cheap", "> telescope", "`telescope`"],
)
def test_words_of_others_and_of_wishes_do_not_count(text: str) -> None:
    assert "mentions:telescop" not in [each.subject for each in mentions(Said(text, 0, "s", 0))]


def test_counter_examples_lower_the_confidence_and_end_a_pattern() -> None:
    support = [(day, 500 + 71 * day, "Which espresso for the morning") for day in range(3)]
    against = [(day, 500 + 71 * day, "I never want espresso again") for day in range(4, 8)]
    (alone,) = conclude(read_messages(_said(*support)))
    (doubted,) = conclude(read_messages(_said(*support, against[0])))
    assert doubted.confidence < alone.confidence
    assert [each.quote for each in doubted.against] == ["I never want espresso again"]
    assert not _patterns(*support, *against)


def _mornings(days: int) -> list[tuple[int, int, str]]:
    texts = [
        "river cold, gloves or none",
        "toes numb after the river",
        "tide at Broughty",
        "a swim in fog",
        "tide tables",
    ]
    return [(3 * day, 395 + 2 * day, texts[day % len(texts)]) for day in range(days)]


def _rest() -> list[tuple[int, int, str]]:
    texts = [
        "wax on a tablecloth",
        "do moths eat carpet",
        "a limerick about geese",
        "anagram of heron",
        "soup for nine",
    ]
    return [(2 * day + 1, 700 + 97 * day, text) for day, text in enumerate(texts)]


def test_hours_of_their_own_are_told_with_their_subjects() -> None:
    found = _patterns(*_mornings(5), *_rest())
    assert found == ["Often writes between 06:35 and 06:43 UTC (4 days), e.g. about: river, tide"]


def test_hours_quote_no_more_of_other_things_than_three_days_need() -> None:
    texts = ["tide at Broughty", "a kiln for the school", "soup for nine", "tide tables"]
    (found,) = (
        each
        for each in conclude(
            read_messages(_said(*((3 * day, 395, text) for day, text in enumerate(texts)), *_rest()))
        )
        if each.subject.startswith("hours:")
    )
    assert [each.quote for each in found.support] == [
        "tide at Broughty",
        "a kiln for the school",
        "tide tables",
    ]


def test_three_mornings_are_chance() -> None:
    assert not _patterns(*_mornings(3), *_rest())


def test_hours_in_which_everything_is_said_are_no_pattern() -> None:
    assert not _patterns(*_mornings(5))
    assert not list(own_hours([day * _DAY + (390 + 7 * day) * _MINUTE for day in range(40)]))


def test_hours_may_pass_midnight() -> None:
    minutes = (1432, 1438, 1445, 1450)
    moments = [day * _DAY + minute * _MINUTE for day, minute in enumerate(minutes)]
    others = [(20 + day) * _DAY + (600 + 60 * day) * _MINUTE for day in range(4)]
    (found,) = own_hours([*moments, *others])
    assert (found.first, found.last) == (1432, 10)
