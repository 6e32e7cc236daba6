"""Fitted weights that tag words: shared by threads, and refused where they are missing or damaged."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from strata.adapters.crf import CrfTagger
from strata.adapters.knowledge import statements
from strata.domain.errors import ModelFailed
from strata.domain.knowledge.statements import Said


def test_the_chances_of_a_word_make_one() -> None:
    tagger = CrfTagger(statements.WEIGHTS, "statements")
    found = tagger([["b", "w=my"], ["w=dentist"], ["w=osei", "cap"]])
    assert len(found) == 3
    assert all(sum(each.values()) == pytest.approx(1) for each in found)


def test_threads_read_side_by_side() -> None:
    texts = [f"My dentist is Dr {name}" for name in ("Osei", "Lind", "Weller")]
    said = [[Said(text, 0, "s", 0)] for text in texts]
    alone = [statements.read_messages(each) for each in said]
    assert len({each[0].value for each in alone}) == 3
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(statements.read_messages, said * 40)) == alone * 40


@pytest.mark.parametrize("content", [None, b"no weights"])
def test_weights_that_are_missing_or_damaged_are_named(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "weights.crfsuite"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ModelFailed, match=r"statements \(weights\.crfsuite\)"):
        CrfTagger(path, "statements")([["b"]])


def test_weights_that_are_cut_off_are_refused_before_they_are_read(tmp_path: Path) -> None:
    path = tmp_path / "weights.crfsuite"
    path.write_bytes(statements.WEIGHTS.read_bytes()[:5000])
    path.with_suffix(".json").write_bytes(statements.WEIGHTS.with_suffix(".json").read_bytes())
    with pytest.raises(ModelFailed, match="length"):
        CrfTagger(path, "statements")([["b"]])


def test_an_installation_without_crfsuite_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    with pytest.raises(ModelFailed, match="pycrfsuite"):
        CrfTagger(tmp_path / "weights", "statements")([["b"]])
