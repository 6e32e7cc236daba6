import dataclasses
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.domain.embedders import E5
from strata.domain.ranking.params import RankingParams, measured
from strata.domain.ranking.rank import rank
from strata.domain.relevance import sentence_weights, weights
from strata.domain.relevance.floors import Floors, floors
from strata.domain.relevance.model import BY_WORDS, CALIBRATED, calibration
from strata.domain.retrieval import Mode
from support.candidates import SmallLexicon, conversation, note

LEXICON = SmallLexicon()
FITTED = CALIBRATED[weights.EMBEDDER]
SENTENCES = CALIBRATED[E5]
JUDGES = {"fitted": FITTED, "sentences": SENTENCES, "by words": BY_WORDS}
ALL = pytest.mark.parametrize("judge", JUDGES.values(), ids=JUDGES)

WORDS = st.sampled_from(
    ["car", "automobile", "river", "boat", "green", "Ann", "the", "2023", "?", "猫が", "thanks"]
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join)


def relevance(query, candidates, judge=FITTED, **more):
    return {
        each.key: each.relevance
        for each in rank(query, candidates, lexicon=LEXICON, calibration=judge, **more)
    }


@ALL
@given(query=TEXTS, texts=st.lists(TEXTS, max_size=6), chance=st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_relevance_is_a_probability_whatever_the_order(judge, query, texts, chance):
    pool = [note(str(number), text, cosine=chance.uniform(-1, 1)) for number, text in enumerate(texts)]
    found = relevance(query, pool, judge)
    assert all(0 <= each <= 1 for each in found.values())
    chance.shuffle(pool)
    assert relevance(query, pool, judge) == pytest.approx(found, abs=1e-3)


@ALL
def test_more_of_the_query_is_never_less_relevant(judge):
    others = [note(f"o{number}", "a tree and a cloud", cosine=0.1) for number in range(20)]
    texts = ["a fence", "a green fence", "a green boat", "a green boat on a river"]
    pool = [*others, *(note(text, text, cosine=0.3) for text in texts)]
    found = relevance("green boat river", pool, judge)
    assert [found[text] for text in texts] == sorted(found[text] for text in texts)
    assert found[texts[-1]] > 0.5 > 0.05 > found["o1"]


def test_weights_have_the_sign_of_their_evidence():
    tables = [weights.NOTES, weights.TURNS, weights.WORDS_OF_NOTES, weights.WORDS_OF_TURNS]
    for table in (*tables, sentence_weights.NOTES, sentence_weights.TURNS):
        for name in ("words", "coverage", "around", "reply", "speaker", "subject", "subjects"):
            assert table[name] >= 0
        assert table["purpose"] > 0
        for name in {"gap", "missing", "place", "asking", "name", "unknown"} & table.keys():
            assert table[name] <= 0
    assert min(weights.NOTES["score"], weights.TURNS["score"]) >= 0


@ALL
@pytest.mark.parametrize("query", ["thanks!", "ok", "2+2?", "Danke", "好的"])
def test_nothing_is_relevant_to_small_talk(judge, query):
    pool = [note("a", "thanks ok 2 2 danke 好的", cosine=1.0), note("b", "a car", cosine=0.9)]
    assert set(relevance(query, pool, judge).values()) == {0}


@ALL
def test_common_words_alone_are_found_by_a_search_and_not_given_in_a_context(judge):
    pool = [
        note("a", "a new job", cosine=0.9),
        note("b", "the job", cosine=0.9),
        note("c", "a car", cosine=0.9),
    ]
    least = floors(E5 if judge is SENTENCES else "", default_ranking=True)
    assert least.search < relevance("job", pool, judge)["a"] < least.context
    assert relevance("new job", pool, judge) == {"a": judge.bare, "b": judge.bare / 2, "c": 0}


@ALL
def test_a_name_that_no_memory_has_makes_all_of_them_less_relevant(judge):
    pool = [note("a", "Amparo retires in green May", cosine=0.4), note("b", "a car", cosine=0.1)]
    known, unknown = (relevance(f"when does {name} retire", pool, judge) for name in ("Amparo", "Bernie"))
    other = relevance("when does somebody retire", pool, judge)
    assert known["a"] > other["a"] > unknown["a"]


@ALL
def test_what_may_be_small_talk_makes_memories_less_relevant(judge):
    pool = [note("a", "the deploy key is green", cosine=0.5), note("b", "a car", cosine=0.1)]
    seen = []
    rank("where is the deploy key?", pool, lexicon=LEXICON, calibration=Kept(seen))
    turns = np.zeros(2, dtype=bool)
    sure, doubtful = (judge.relevance(dataclasses.replace(seen[0], purpose=odds), turns) for odds in (1, -3))
    assert sure[0] > doubtful[0]


class Kept:
    """A judge that keeps what it saw."""

    def __init__(self, seen):
        self.seen = seen

    def relevance(self, seen, turns):
        self.seen.append(seen)
        return np.zeros(len(turns))


def test_a_question_about_who_takes_part_goes_by_its_vague_words():
    talk = conversation(
        "s",
        *(("Ann", "My job is hard."), ("Bob", "Fine weather."), ("Ann", "Green tea."), ("Bob", "Oh.")) * 3,
    )
    pool = [dataclasses.replace(each, cosine=0.1) for each in talk]
    found = relevance("What is Ann's job?", pool)
    assert found["s0"] > 0.15 > found["s11"]


def test_relevance_means_the_same_in_every_mode():
    pool = [note("a", "a green boat", cosine=0.8), note("b", "the car", cosine=0.2)]
    found = relevance("green boat", pool)
    for mode in (Mode.BM25, Mode.VECTOR):
        assert relevance("green boat", pool, mode=mode).items() <= found.items()


def test_the_reply_to_a_question_is_more_relevant_than_what_comes_before_it():
    talk = conversation(
        "s",
        ("Ann", "Hello there."),
        ("Bob", "Fine weather."),
        ("Ann", "Which boat do you like?"),
        ("Bob", "The old one."),
        ("Ann", "And so on."),
        ("Bob", "Certainly."),
    )
    pool = [dataclasses.replace(each, cosine=0.1) for each in talk]
    found = relevance("which boat", pool)
    assert found["s3"] > max(found["s0"], found["s1"])


def test_without_vectors_words_judge():
    pool = [note("a", "a green boat"), note("b", "the car")]
    assert relevance("green boat", pool, FITTED) == relevance("green boat", pool, BY_WORDS)


def test_a_calibration_holds_for_its_embedder_and_the_default_ranking_only():
    assert calibration(weights.EMBEDDER, default_ranking=True) is FITTED
    assert calibration(weights.EMBEDDER, default_ranking=False) is BY_WORDS
    assert calibration("another", default_ranking=True) is BY_WORDS
    assert calibration(E5, default_ranking=True) is SENTENCES
    assert floors(E5, default_ranking=False) == floors("another", default_ranking=True) == Floors()
    assert measured("another") == RankingParams() != measured(E5)


def test_of_sentences_a_nearer_vector_is_more_relevant():
    pool = [note(str(each), "a tree and a cloud", cosine=each / 20) for each in range(12)]
    found = relevance("which green boat", pool, SENTENCES, params=measured(E5))
    assert [found[str(each)] for each in range(12)] == sorted(found.values())
    assert found["11"] > 2 * found["9"]


def test_other_weights_of_the_ranking_leave_relevance_by_words_as_it_is():
    chance = random.Random(1)
    pool = [note(str(each), "green boat " * (each % 3), cosine=chance.random()) for each in range(9)]
    usual = relevance("green boat", pool, BY_WORDS)
    assert relevance("green boat", pool, BY_WORDS, params=RankingParams(text=0.9, soft=0.0)) == usual
    assert np.ptp(list(usual.values())) > 0.3
