"""The decision is measured over pairs, and over turns of conversations."""

import json

import pytest
from evals.supersession import __main__ as command
from evals.supersession.examples import DEVELOPMENT, KEPT, Pair, load
from evals.supersession.measure import judge, table, wrong


def pair(name: str, *, supersedes: bool, language: str = "en") -> Pair:
    return Pair(name, language, f"old {name}", f"new {name}", supersedes, "port")


def test_precision_counts_marks_and_recall_counts_what_should_be_marked():
    pairs = [
        pair("a", supersedes=True),
        pair("b", supersedes=True),
        pair("c", supersedes=False),
        pair("d", supersedes=False, language="de"),
    ]
    judged = judge(lambda older, newer: "why" if newer[1] in ("new a", "new c") else None, pairs)
    rows = {line.split()[0]: line.split()[1:] for line in table(judged).splitlines()[1:]}
    half = ["0.500", "(0.095-0.905)"]
    assert rows["en"] == ["3", "2", "1", *half, *half]
    assert rows["de"] == ["1", "0", "0", "-", "-"]
    assert rows["all"] == ["4", "2", "1", *half, *half]
    assert wrong(judged) == "c (port): old c | new c -> why"


@pytest.mark.parametrize(("part", "marks"), [("dev", 50), ("dev2", 45), ("dev3", 12), ("dev10", 53)])
def test_the_rules_mark_nothing_wrongly_in_the_development_parts(part, marks):
    judged = judge(command.decide, load([part]))
    assert wrong(judged) == ""
    assert sum(each.reason is not None for each in judged) >= marks


@pytest.mark.parametrize(
    ("flags", "parts", "shown"), [([], [*DEVELOPMENT], True), (["--kept"], [*KEPT], False)]
)
def test_wrong_marks_are_listed_for_development_parts_only(monkeypatch, capsys, flags, parts, shown):
    monkeypatch.setattr(command, "decide", lambda older, newer: "why")
    assert command.main(flags) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if line in (*DEVELOPMENT, *KEPT)] == parts
    listed = [each.id for each in load(parts) if f"{each.older} | {each.newer} -> " in out]
    assert listed == [each.id for each in load(parts) if shown and not each.supersedes]


@pytest.mark.parametrize(("second", "marks"), [("Ann", 1), ("Bob", 0)])
def test_marks_over_conversations_are_printed_with_both_turns(tmp_path, capsys, second, marks):
    said = [("Ann", "D1:1", "I live in Oslo."), (second, "D1:2", "I moved to Bergen.")]
    turns = [{"speaker": who, "dia_id": number, "text": text} for who, number, text in said]
    sample = {
        "sample_id": "s",
        "conversation": {"session_1": turns, "session_1_date_time": "9 May"},
        "qa": [],
    }
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([sample]))
    assert command.main(["--locomo", str(path)]) == 0
    out = capsys.readouterr().out
    assert f"{marks} marks over 2 turns, of which 2 are short enough" in out
    assert ("moved to Bergen" in out) == bool(marks)
