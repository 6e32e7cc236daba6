"""The cost of ranking depends on how much text there is, not on the words in it."""

import time
from collections.abc import Callable
from random import Random

import pytest
from benchmarks.text import Writer

from strata.adapters.static_embeddings import StaticEmbeddings
from strata.domain.ranking import soft
from strata.domain.ranking.rank import rank
from support.candidates import SmallLexicon, note

MEMORIES, CHARACTERS = 50, 6_500
WRITER, LEXICON = Writer(5), StaticEmbeddings()
LETTERS = str.maketrans("0123456789", "ghijklmnop")
QUESTIONS = ("how do we deploy the service", "rollback of a failed release", "database timeouts")

Piece = Callable[[Random], str]


def english(_: Random) -> str:
    return WRITER.memory()


def hex_id(chance: Random) -> str:
    return f"{chance.getrandbits(64):016x}"


def unknown_word(chance: Random) -> str:
    return f"{chance.getrandbits(4 * chance.randint(6, 10)):x}".translate(LETTERS)


def log_line(chance: Random) -> str:
    trace, milliseconds = f"{hex_id(chance)}-{hex_id(chance)}", chance.randrange(9999)
    return f"08:14:09 INFO id={trace} path=/items/{unknown_word(chance)} ms={milliseconds}\n"


def seconds(piece: Piece) -> float:
    """The processor time of three searches, the first of them with empty caches."""
    chance = Random(11)
    texts = []
    for _ in range(MEMORIES):
        text = ""
        while len(text) < CHARACTERS:
            text += piece(chance) + " "
        texts.append(text)
    candidates = [note(str(number), text) for number, text in enumerate(texts)]
    started = time.process_time()
    for question in QUESTIONS:
        rank(question, candidates, lexicon=LEXICON)
    return time.process_time() - started


def test_ids_unknown_words_and_log_lines_take_less_than_three_times_as_long_as_english() -> None:
    # the best of three rounds, since another process may take the processor's caches in one of them
    ratios = {
        piece.__name__: min(seconds(piece) / seconds(english) for _ in range(3))
        for piece in (hex_id, unknown_word, log_line)
    }
    assert {name: ratio for name, ratio in ratios.items() if ratio > 3} == {}


def test_of_too_many_words_the_first_of_each_memory_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(soft, "MAX_POOL_WORDS", 4)
    flood = " ".join(f"noise{letter}" for letter in "abcdefgh")
    found = rank(
        "automobile",
        [
            note("flood", flood),
            note("first", "car alpha beta gamma"),
            note("last", "delta epsilon zeta eta car"),
        ],
        lexicon=SmallLexicon(),
    )
    scores = {each.key: each.score for each in found}
    assert scores["first"] > 0
    assert scores["flood"] == 0
    assert scores["last"] > 0, "a word that another memory brought in counts wherever it stands"


def test_a_long_word_with_a_digit_matches_exactly_only() -> None:
    lexicon = SmallLexicon()
    pool = [note("id", "4f9ac01d"), note("word", "stream")]
    assert rank("4f9ac01d", pool, lexicon=lexicon)[0].key == "id"
    assert rank("river", pool, lexicon=lexicon)[0].key == "word"
