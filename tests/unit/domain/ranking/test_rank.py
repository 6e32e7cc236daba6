import dataclasses
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.domain.ranking.params import RankingParams
from strata.domain.ranking.rank import rank
from strata.domain.retrieval import Candidate, Method, Mode
from support.candidates import SmallLexicon, conversation, note

LEXICON = SmallLexicon()
TALK = [("Ann", "one"), ("Bob", "two")] * 4
NO_TURN_RULES = RankingParams(previous=0, next=0, earlier=0, session=0, speaker=0, asking=0)

WORDS = st.sampled_from(
    ["car", "automobile", "river", "boat", "green", "When", "Ann", "the", "2023", "?", "猫が"]
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)
SCORES = st.none() | st.floats(-1, 1)


@st.composite
def pools(draw: st.DrawFn) -> list[Candidate]:
    """Any mix of turns and notes, linked in any way."""
    keys = draw(st.lists(st.integers(0, 30).map(str), unique=True, max_size=12))
    return [
        Candidate(
            key=key,
            title=draw(st.sampled_from(["", "Ann", "Bob", "A title of its own"])),
            text=draw(TEXTS),
            order=draw(st.integers(0, 5)),
            session_id=draw(st.sampled_from([None, "s1", "s2"])),
            previous=draw(st.none() | st.sampled_from(keys)),
            bm25=draw(SCORES),
            cosine=draw(SCORES),
        )
        for key in keys
    ]


def order(query: str, candidates: list[Candidate], **more: object) -> list[str]:
    return [ranked.key for ranked in rank(query, candidates, lexicon=LEXICON, **more)]  # type: ignore[arg-type]


@given(TEXTS, pools(), st.sampled_from(Mode), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_makes_no_difference(
    query: str, pool: list[Candidate], mode: Mode, chance: random.Random
) -> None:
    shuffled = list(pool)
    chance.shuffle(shuffled)
    first, second = (rank(query, each, lexicon=LEXICON, mode=mode) for each in (pool, shuffled))
    assert [(each.key, pytest.approx(each.score)) for each in first] == [
        (each.key, each.score) for each in second
    ]


def test_turns_that_name_the_same_one_before_them_rank_alike_in_any_order() -> None:
    pool = [dataclasses.replace(each, cosine=0.0) for each in conversation("s", *TALK)]
    pool[1] = dataclasses.replace(pool[1], cosine=1.0)
    pool[2] = dataclasses.replace(pool[2], previous="s0")
    pool[5] = dataclasses.replace(pool[5], previous="s5", cosine=1.0)
    one, other = (
        {each.key: each.score for each in rank("", some, lexicon=LEXICON)} for some in (pool, pool[::-1])
    )
    assert one == pytest.approx(other)
    assert one["s0"] > one["s2"]  # what follows it is the older of the two, which is like the query


@given(st.text(), st.lists(st.text(), max_size=5), st.sampled_from(Mode))
@settings(max_examples=50)
def test_any_text_can_be_asked_and_ranked(query: str, texts: list[str], mode: Mode) -> None:
    pool = [note(str(number), text, title=text, cosine=0.5) for number, text in enumerate(texts)]
    assert len(rank(query, pool, lexicon=LEXICON, mode=mode)) == len(pool)


@given(TEXTS, pools())
def test_without_sessions_no_rule_for_turns_takes_part(query: str, pool: list[Candidate]) -> None:
    alone = [dataclasses.replace(each, session_id=None) for each in pool]
    assert rank(query, alone, lexicon=LEXICON) == rank(query, alone, lexicon=LEXICON, params=NO_TURN_RULES)


@given(TEXTS, pools())
def test_notes_with_titles_of_their_own_are_no_turns_even_in_sessions(
    query: str, pool: list[Candidate]
) -> None:
    notes = [dataclasses.replace(each, title=f"title {number}") for number, each in enumerate(pool)]
    assert rank(query, notes, lexicon=LEXICON) == rank(query, notes, lexicon=LEXICON, params=NO_TURN_RULES)


@given(TEXTS, pools(), st.sampled_from(Mode))
def test_scores_of_memories_without_a_conversation_lie_between_0_and_1(
    query: str, pool: list[Candidate], mode: Mode
) -> None:
    alone = [dataclasses.replace(each, session_id=None) for each in pool]
    cues = RankingParams(name=0, time=0)
    lowest = -1 if mode is Mode.VECTOR else 0
    assert all(
        lowest <= each.score <= 1.000001
        for each in rank(query, alone, lexicon=LEXICON, params=cues, mode=mode)
    )


def test_nothing_proposed_ranks_as_nothing() -> None:
    assert rank("car", [], lexicon=LEXICON) == []


def test_a_rare_word_of_the_query_outweighs_a_common_one() -> None:
    pool = [note(f"c{number}", "the green boat") for number in range(9)]
    assert order("green car", [*pool, note("rare", "a car here")])[0] == "rare"


def test_a_near_word_counts_but_less_than_the_word_itself() -> None:
    pool = [note("near", "my automobile"), note("same", "my car"), note("none", "my green")]
    assert order("car", pool) == ["same", "near", "none"]


def test_title_and_keywords_count_as_the_text_does() -> None:
    pool = [
        note("none", "something"),
        note("tag", "something", keywords="car"),
        note("title", "else", title="car"),
    ]
    assert order("car", pool)[-1] == "none"


def test_equals_rank_newer_first_then_by_key() -> None:
    pool = [note("b", "car", order=1), note("c", "car", order=2), note("a", "car", order=1)]
    assert order("car", pool) == ["c", "a", "b"]


def test_mode_bm25_looks_at_words_alone() -> None:
    pool = [note("word", "car"), note("near", "automobile", bm25=None, cosine=1.0)]
    ranked = rank("car", pool, lexicon=LEXICON, mode=Mode.BM25)
    assert [(each.key, each.method) for each in ranked] == [("word", Method.BM25)]


def test_mode_vector_gives_the_cosine_alone() -> None:
    pool = [
        note("word", "car"),
        note("far", "car", cosine=-0.5),
        note("near", "green", bm25=None, cosine=0.9),
    ]
    ranked = rank("car", pool, lexicon=LEXICON, mode=Mode.VECTOR)
    assert [(each.key, each.score, each.method) for each in ranked] == [
        ("near", 0.9, Method.KNN),
        ("far", -0.5, Method.KNN),
    ]


def test_a_hit_says_what_found_it() -> None:
    pool = [
        note("words", "car"),
        note("both", "car", cosine=0.5),
        note("vector", "green", bm25=None, cosine=0.5),
        note("unindexed", "a new car", bm25=None),
        note("neither", "green", bm25=None),
    ]
    assert {each.key: each.method for each in rank("car", pool, lexicon=LEXICON)} == {
        "words": Method.BM25,
        "both": Method.HYBRID,
        "vector": Method.KNN,
        "unindexed": Method.BM25,
        "neither": Method.RECENCY,
    }


def test_a_memory_that_no_engine_scored_is_ranked_by_its_words() -> None:
    assert order("car", [note("old", "green"), note("fresh", "red car", bm25=None)])[0] == "fresh"


def test_an_answer_inherits_what_the_question_before_it_was_about() -> None:
    talk = conversation(
        "s",
        ("Ann", "Is the boat yours?"),
        ("Bob", "Yes, since May."),
        ("Ann", "Nice to hear."),
        ("Bob", "Bye."),
    )
    apart = conversation("t", ("Ann", "Hello."), ("Bob", "Yes, for long."), ("Ann", "Bye."), ("Bob", "Bye."))
    ranked = order("boat", [*talk, *apart])
    assert ranked[:2] == ["s0", "s1"]


def test_a_turn_of_the_session_that_is_about_the_query_comes_before_the_same_words_elsewhere() -> None:
    about = conversation(
        "s", ("Ann", "A boat."), ("Bob", "A boat!"), ("Ann", "Sure."), ("Bob", "boat trips"), ("Ann", "green")
    )
    other = conversation(
        "t", ("Ann", "Hi."), ("Bob", "Hello."), ("Ann", "So."), ("Bob", "Well."), ("Ann", "green")
    )
    ranked = order("green boat", [*other, *about])
    assert ranked.index("s4") < ranked.index("t4")


def test_a_turn_of_the_person_who_is_named_comes_first() -> None:
    talk = conversation(
        "s",
        ("Ann", "My car."),
        ("Bob", "So."),
        ("Ann", "Well."),
        ("Bob", "Hm."),
        ("Ann", "Oh."),
        ("Bob", "My car."),
    )
    assert order("Which car has Bob?", talk)[0] == "s5"
    assert order("Which car has Ann?", talk)[0] == "s0"


def test_a_turn_that_only_asks_comes_after_one_that_tells() -> None:
    pad = [("Ann", "So."), ("Bob", "Well."), ("Ann", "Oh."), ("Bob", "Hm.")]
    asks = conversation("s", *pad, ("Ann", "Red car?"))
    tells = conversation("t", *pad, ("Ann", "Red car."))
    assert order("red car", [*asks, *tells])[0] == "t4"


@pytest.mark.parametrize("query", ["When was the boat trip?", "How long did the boat trip last?"])
def test_asked_for_a_time_a_memory_that_speaks_of_one_comes_first(query: str) -> None:
    timed, plain = note("timed", "a boat trip yesterday"), note("plain", "a boat trip outside", order=9)
    assert order(query, [plain, timed]) == ["timed", "plain"]
    assert order("the boat trip", [plain, timed]) == ["plain", "timed"]


def test_asked_for_a_name_a_memory_that_names_something_comes_first() -> None:
    named, plain = note("named", "the boat in Oslo"), note("plain", "the boat in winter", order=9)
    assert order("Where is the boat?", [plain, named]) == ["named", "plain"]
    assert order("the boat", [plain, named]) == ["plain", "named"]


def test_the_names_of_those_who_speak_are_no_answer_to_where_or_who() -> None:
    lines = [("Ann", "So."), ("Bob", "Well."), ("Ann", "Oh."), ("Bob", "Hm.")]
    greets = conversation("s", *lines, ("Ann", "the boat, Bob my friend"))
    names = conversation("t", *lines, ("Ann", "the boat, Oslo my friend"))
    assert order("where is the boat", [*greets, *names])[0] == "t4"


@given(
    st.sampled_from(
        ["text", "soft", "vector", "previous", "next", "earlier", "session", "speaker", "name", "time"]
    )
)
def test_any_rule_can_be_switched_off(rule: str) -> None:
    talk = conversation(
        "s",
        ("Ann", "My car."),
        ("Bob", "So."),
        ("Ann", "Well."),
        ("Bob", "Hm."),
        ("Ann", "Oh."),
        ("Bob", "Hm."),
    )
    params = dataclasses.replace(RankingParams(), **{rule: 0})
    assert order("When was Ann's car in Oslo?", talk, params=params)[0] == "s0"
