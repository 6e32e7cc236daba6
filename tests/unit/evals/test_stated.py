"""Training messages, and the weights that were fitted to them."""

import json

import pytest
from evals.conclusions import fitting, stated
from evals.conclusions.diaries import read

FOLDERS = (stated.FOLDER, stated.COMPARED, stated.DOUBTFUL)


def test_a_mark_is_read_as_a_value_in_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(stated, "FOLDER", tmp_path)
    (tmp_path / "en01.txt").write_text(
        "# car\n- my [Corsa|now] stalls\n+ swapped the [Corsa|old] for a [Yaris|new]\nn who makes the Yaris\n"
    )
    (part,) = stated.parts()
    (block,) = part.blocks
    assert (block.attribute, block.older.text) == ("car", "my Corsa stalls")
    assert [(block.newer.text[start:end], tense) for start, end, tense in block.newer.values] == [
        ("Corsa", "old"),
        ("Yaris", "new"),
    ]
    assert [each.values for each in part.noise] == [()]


@pytest.mark.parametrize("text", ["+ a [Yaris|new]\n", "hello\n", "# car\n+ a [Yaris|new]\n"])
def test_a_line_that_belongs_nowhere_is_named(tmp_path, monkeypatch, text):
    monkeypatch.setattr(stated, "FOLDER", tmp_path)
    (tmp_path / "en01.txt").write_text(text)
    with pytest.raises(ValueError, match=r"en01\.txt:\d"):
        stated.parts()


def test_every_block_has_an_older_and_a_newer_value():
    parts = [each for folder in FOLDERS for each in stated.parts(folder)]
    for part in parts:
        assert len(part.blocks) >= 40
        for block in part.blocks:
            assert [tense for *_, tense in block.older.values] == ["now"]
            assert [tense for *_, tense in block.newer.values].count("new") == 1
    texts = [each.text for part in parts for each in part.messages]
    apart = {line.text for kept in ("kept", "kept2", "kept3") for diary in read(kept) for line in diary.lines}
    assert apart.isdisjoint(texts)


def test_readers_are_fitted_to_no_message_of_unknown_authors():
    known = {each.text for folder in FOLDERS for part in stated.parts(folder) for each in part.messages}
    known |= {line.text for part in ("dev", "train") for diary in read(part) for line in diary.lines}
    unknown = read("unknown")
    assert len({diary.id[:-1] for diary in unknown}) == 6
    assert known.isdisjoint(line.text for diary in unknown for line in diary.lines)


def test_the_weights_were_fitted_to_these_messages_and_these_clues():
    """Else: `python -m evals.conclusions fit`."""
    fitted = json.loads(fitting.RECORD.read_text())
    told = fitting.record([*read("dev"), *read("train")], stated.parts())
    assert {key: fitted[key] for key in told} == told
