"""A conclusion names the source of each session that it rests on, whatever comes and goes."""

from collections.abc import Mapping

from strata.ports.rows import Item
from strata.services.knowledge.drawing import paired, with_past
from strata.services.knowledge.felling import without


def conclusion(sources: Mapping[str, str], **border: list[str]) -> Item:
    quotes = [{"text": f"words of {each}", "source": each, "at": 1} for each in sources.values()]
    return {
        "type": "explicit",
        "by": "rules",
        "text": f'Says: "{quotes[-1]["text"]}"',
        "sessions": [*sources],
        "sources": [*sources.values()],
        "quotes": quotes,
        "confidence": 0.5,
    } | {"agents": [], "projects": [], "confined": False, **border}


def quoted(row: Item) -> set[str]:
    return {each["source"] for each in row["quotes"]}


def test_a_session_that_says_it_no_longer_is_no_source_beside_a_past_one():
    before = conclusion({"changed": "c", "past": "p", "same": "s"})
    now = with_past(conclusion({"same": "s"}), before, {"changed", "same"})
    assert paired(now) == [("past", "p"), ("same", "s")]
    assert quoted(now) == {"p", "s"}


def test_what_rests_on_a_past_session_too_is_kept_within_the_agents_and_projects_of_both():
    before = conclusion({"past": "p"}, agents=["a1"], projects=["lab"], apps=["chat"]) | {"confined": True}
    now = with_past(conclusion({"same": "s"}, agents=["a2"], projects=["lab", "shop"]), before, {"same"})
    assert (now["agents"], now["projects"], now["apps"]) == (["a1", "a2"], ["lab", "shop"], ["chat"])
    assert now["confined"]


def test_a_past_session_that_is_deleted_takes_its_source_and_its_quote_along():
    left = without(conclusion({"past": "p", "same": "s"}), {"past"}, set())
    assert paired(left) == [("same", "s")]
    assert quoted(left) == {"s"}


def test_a_source_that_is_deleted_takes_its_session_along():
    left = without(conclusion({"past": "p", "same": "s"}), set(), {"s"})
    assert paired(left) == [("past", "p")]
    assert quoted(left) == {"p"}


def test_what_a_conclusion_says_goes_with_the_words_it_is_from():
    row = conclusion({"past": "p", "same": "s"})
    assert without(row, {"same"}, set())["text"] == 'Says: "words of p"'
    assert without(row, {"past"}, set())["text"] == 'Says: "words of s"'
    pattern = conclusion({each: each for each in "abcd"}) | {"type": "inductive", "value": "words"}
    pattern |= {"text": 'Keeps coming back to words (4 days): "words of c", "words of d"'}
    left = without(pattern, {"d"}, set())
    assert "words of d" not in left["text"]
    assert "words of c" in left["text"]


def test_quotes_whose_source_is_listed_no_more_go_too_since_nobody_knows_whose_they_are():
    row = conclusion({"past": "p", "same": "s"})
    row["quotes"] = [{"text": "words of an older one", "source": "older", "at": 0}, *row["quotes"]]
    assert quoted(without(row, {"past"}, set())) == {"s"}


def test_a_row_with_more_sources_than_sessions_falls_with_any_session_of_it():
    row = conclusion({"past": "c", "same": "p"}) | {"sources": ["c", "p", "s"]}
    row |= {"quotes": [{"text": f"words of {each}", "source": each, "at": 1} for each in ("p", "s")]}
    assert paired(row) is None
    assert without(row, {"past"}, set()) is None
    assert without(row, {"same"}, {"s"}) is None
    left = without(row, set(), {"s"})
    assert (left["sessions"], left["sources"], quoted(left)) == (["past", "same"], ["c", "p"], {"p"})
