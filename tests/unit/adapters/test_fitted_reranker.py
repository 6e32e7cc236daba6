"""The reranker of the package, over the model's own file."""

import json
import shutil

import numpy as np
import pytest
from evals.relevance.reranker.__main__ import RECORD, record

from strata.adapters import e5_fitted
from strata.adapters.e5_file import model_file
from strata.adapters.e5_fitted import as_one, blend
from strata.adapters.fitted_reranker import LONGEST, WEIGHTS, FittedReranker, parts, signs
from strata.domain.errors import ModelFailed
from strata.ports.reranker import Passage

NOTE = Passage("Oven: The sourdough goes in on Fridays, since power is cheap then.", "", False, 0.1)
OTHER = Passage("Lena: my sister plays the cello in Graz.", "", False, 0.1)
ASKED = "when is the bread baked?"
IN_OTHER_WORDS = [
    (ASKED, NOTE.text, OTHER.text),
    ("who fixes the car?", "Our mechanic is called Ruth.", "Our dentist is called Ruth."),
    ("what can't the girl eat?", "Mia gets a rash from peanuts.", "Mia gets a lift from Paula."),
    (
        "¿cuándo se hornea el pan?",
        "La masa madre entra al horno los viernes.",
        "La furgoneta pasa la revisión en octubre.",
    ),
    (
        "¿dónde aparco?",
        "El garaje está en la calle Mayor, plaza 12.",
        "El colegio está en la calle Mayor, aula 12.",
    ),
    (
        "¿qué le regalo a Irene?",
        "A Irene le encantan los libros de aves.",
        "Irene llega el martes en tren.",
    ),
    (
        "wann wird Brot gebacken?",
        "Der Sauerteig kommt freitags in den Ofen.",
        "Der Lieferwagen bekommt im Oktober Winterreifen.",
    ),
    (
        "wie viel kostet die Wohnung im Monat?",
        "Die Miete beträgt 940 Euro.",
        "Die Wohnung liegt im dritten Stock.",
    ),
    ("wer gießt die Pflanzen?", "Um den Garten kümmert sich Heike.", "Um die Steuer kümmert sich Heike."),
    ("面包哪天烤", "酸面团每周五进烤箱。因为那天电便宜。", "面包车十月换冬季轮胎。"),
    ("孩子对什么过敏", "小雨吃了花生会起疹子。", "小雨吃了晚饭才去画画。"),
    ("谁来修水管", "老周是我们的水电工。", "老周是我们的语文老师。"),
]
"""A question, its answer in other words, and another memory."""
SMALL_TALK = [
    "brilliant, you're a star",
    "make it two sentences shorter",
    "what's 17 times 6",
    "qué frío hace hoy",
    "pon eso en una lista",
    "danke dir, das hilft mir",
    "noch mal, aber netter",
    "今天就先这样吧",
    "把这段改得口语一点",
]
GENERAL = [
    "what's the capital of Peru?",
    "how do I reverse a list in Python?",
    "¿cuántos huesos tiene el cuerpo humano?",
    "wie hoch ist der Mont Blanc?",
    "光速是多少",
]
OF_SOMEBODY = [
    "who fixes the car?",
    "¿qué le regalo a Irene?",
    "wie viel kostet die Wohnung im Monat?",
    "孩子对什么过敏",
]
"""What people's own memories alone can answer."""


def missed(query, reason):
    """The cases of IN_OTHER_WORDS, that of one question expected to fail."""
    failing = pytest.mark.xfail(strict=True, reason=reason)
    return [
        pytest.param(*case, marks=failing if case[0] == query else (), id=case[0]) for case in IN_OTHER_WORDS
    ]


@pytest.fixture(scope="module")
def reranker():
    return FittedReranker()


@pytest.mark.parametrize(
    ("query", "answer", "other"),
    missed("wann wird Brot gebacken?", "tyres that are put on in October are taken for an answer"),
)
def test_an_answer_in_other_words_is_likelier_than_another_memory(reranker, query, answer, other):
    told = reranker.relevance(query, [Passage(text, "", False, 0.1) for text in (answer, other)])
    assert told[0] > told[1]


def test_a_turn_is_understood_by_the_turn_before(reranker):
    reply = "Ben: They pay half of it."
    asked = Passage(reply, "Ann: Who pays for the new fence, the neighbours?", True, 0.1)
    alone = Passage(reply, "Ann: What did you have for breakfast?", True, 0.1)
    told = reranker.odds("do the neighbours contribute to the fence?", [asked, alone])
    assert told[0] > told[1]


def test_what_the_rules_say_counts(reranker):
    doubted, trusted = (Passage(NOTE.text, "", False, likely) for likely in (0.01, 0.8))
    assert reranker.relevance(ASKED, [doubted])[0] < reranker.relevance(ASKED, [trusted])[0]


def test_each_passage_is_told_alone_as_beside_others_of_other_lengths(reranker):
    passages = [NOTE, OTHER, *(Passage("word " * length, "", True, 0.2) for length in (1, 7, 60, 200))]
    alone = [reranker.odds(ASKED, [each])[0] for each in passages]
    assert reranker.odds(ASKED, passages) == pytest.approx(alone, abs=1e-3)
    assert reranker.odds(ASKED, []) == []


@pytest.mark.parametrize("likely", [0.0, 1.0])
def test_odd_texts_and_sure_rules_are_read(reranker, likely):
    passages = [Passage(text, text, True, likely) for text in ("", "\0\ud800", " ", "a" * 5_000)]
    assert all(0 <= each <= 1 for each in reranker.relevance("\ud800?", passages))


def test_texts_are_cut_to_what_the_model_was_fitted_to(reranker):
    reranker.load()
    long = Passage("word " * 500, "before " * 500, True, 0.1)
    ((query, before, text),) = parts(reranker._model.file, "asked " * 500, [long])
    assert (len(query), len(before), len(text)) == LONGEST


def test_parts_are_one_text_with_a_number_each_and_no_empty_ones_between():
    assert as_one([[7], [], [8, 9]], 0, 2) == ([0, 7, 2, 2, 8, 9, 2], [0, 0, 0, 2, 2, 2, 2])
    assert as_one([[7], [5], []], 0, 2) == ([0, 7, 2, 2, 5, 2, 2, 2], [0, 0, 0, 1, 1, 1, 2, 2])


def test_the_best_of_all_counts_for_each():
    first, second = signs([NOTE, OTHER], [2.0, -1.0], (0.5, -0.5))
    assert first[-4] == second[-4] == 2.0
    assert first[-2:] == second[-2:] == (0.5, -0.5)
    assert signs([], [], (0.0, 0.0)) == []


@pytest.mark.parametrize("message", SMALL_TALK)
def test_small_talk_is_told_by_the_message_alone(reranker, message):
    assert reranker.message(message)[0] > 0


@pytest.mark.parametrize(
    ("query", "answer", "other"), missed("¿dónde aparco?", "two words are taken for small talk")
)
def test_a_question_about_something_is_no_small_talk(reranker, query, answer, other):
    assert reranker.message(query)[0] < 0


@pytest.mark.parametrize("query", GENERAL)
def test_what_anybody_can_answer_is_told_by_the_message_alone(reranker, query):
    assert reranker.message(query)[1] > 0


@pytest.mark.parametrize("query", OF_SOMEBODY)
def test_what_only_memories_can_answer_is_no_general_question(reranker, query):
    assert reranker.message(query)[1] < 0


def test_what_small_talk_and_general_questions_bring_is_less_likely_to_help(reranker):
    message = reranker.message(ASKED)
    (asked,), (small_talk,), (general,) = (
        signs([NOTE], [0.0], each) for each in (message, (4.0, message[1]), (message[0], 4.0))
    )
    likely = [blend(reranker.weighed, each) for each in (asked, small_talk, general)]
    assert likely[0] > likely[1]
    assert likely[0] > likely[2]


def test_what_is_plainly_no_answer_is_not_read_to_the_end(reranker, monkeypatch):
    plain = reranker.odds(ASKED, [NOTE, OTHER])
    monkeypatch.setattr(e5_fitted, "EARLY", float("inf"))
    early = reranker.odds(ASKED, [NOTE, OTHER])
    monkeypatch.setattr(e5_fitted, "EARLY", float("-inf"))
    whole = reranker.odds(ASKED, [NOTE, OTHER])
    assert plain == pytest.approx([whole[0], early[1]], abs=1e-3)
    assert whole[1] != pytest.approx(early[1], abs=1e-3)


@pytest.mark.parametrize("damage", ["missing", "cut", "flipped", "unweighed", "silent", "other"])
def test_a_damaged_file_is_a_model_that_failed(tmp_path, damage):
    path = tmp_path / f"{damage}.npz"
    if damage != "missing":
        shutil.copy(WEIGHTS, path)
    written = bytearray(path.read_bytes()) if path.exists() else bytearray()
    if damage == "cut":
        path.write_bytes(written[: len(written) // 2])
    elif damage == "flipped":
        written[1_000:3_000] = bytes(2_000)
        path.write_bytes(written)
    elif damage == "other":
        np.savez(path, a=np.zeros(1))
    elif damage != "missing":
        left_out = {"unweighed": "weighed", "silent": "message"}[damage]
        with np.load(WEIGHTS) as file:
            np.savez(path, **{name: file[name] for name in file.files if name != left_out})
    with pytest.raises(ModelFailed):
        FittedReranker(path).relevance("who?", [NOTE])


def test_the_weights_were_fitted_to_the_examples_that_are_there():
    assert model_file() is not None
    assert json.loads(RECORD.read_text()) == record(), "run python -m evals.relevance.reranker fit"
