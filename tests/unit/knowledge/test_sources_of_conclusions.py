"""A conclusion names the source of each session that it rests on, whatever comes and goes."""

from collections.abc import Mapping

from strata.ports.rows import Item
from strata.services.knowledge.drawing import by_session, with_past
from strata.services.knowledge.felling import without


def conclusion(sources: Mapping[str, str]) -> Item:
    quotes = [{"text": f"words of {each}", "source": each, "at": 1} for each in sources.values()]
    return {
        "type": "explicit",
        "sessions": [*sources],
        "sources": [*sources.values()],
        "quotes": quotes,
        "confidence": 0.5,
    }


def quoted(row: Item) -> set[str]:
    return {each["source"] for each in row["quotes"]}


def test_a_session_that_says_it_no_longer_is_no_source_beside_a_past_one():
    before = conclusion({"changed": "c", "past": "p", "same": "s"})
    now = with_past(conclusion({"same": "s"}), before, {"changed", "same"})
    assert by_session(now) == {"past": "p", "same": "s"}
    assert quoted(now) == {"p", "s"}


def test_a_past_session_that_is_deleted_takes_its_source_and_its_quote_along():
    left = without(conclusion({"past": "p", "same": "s"}), {"past"}, set())
    assert by_session(left) == {"same": "s"}
    assert quoted(left) == {"s"}


def test_a_source_that_is_deleted_takes_its_session_along():
    left = without(conclusion({"past": "p", "same": "s"}), set(), {"s"})
    assert by_session(left) == {"past": "p"}
    assert quoted(left) == {"p"}
