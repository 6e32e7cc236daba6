"""Conclusions are measured against the labels of diaries, by the rules of the guide."""

from collections.abc import Sequence
from datetime import date, time

import pytest
from evals.conclusions import __main__ as command
from evals.conclusions import diaries
from evals.conclusions.diaries import Conflict, Diary, Line, Pattern
from evals.conclusions.measure import Judged, errors, judge, said, table

from strata.domain.knowledge.statements import Proposal, Said, Sighting


def _diary() -> Diary:
    labels = ["p1", "c1-", "p1", "n", "p1", "c1+", "s"]
    return Diary(
        "en01",
        "Ana",
        "en",
        (Pattern("p1", "topic", "asks about bees", ("bees", "hive")),),
        (Conflict("c1", "town", ("Leeds",), "York"),),
        tuple(
            Line(date(2026, 3, number), time(9, number), label, f"line {number}", number)
            for number, label in enumerate(labels, 1)
        ),
    )


def _proposal(said: Sequence[Said], text: str, *numbers: int, type_: str = "inductive") -> Proposal:
    support = tuple(
        Sighting("x", "", False, False, False, each.text, each.at, each.source)
        for each in said
        if each.place in numbers
    )
    return Proposal(text, type_, text, 0.8, support, ())  # type: ignore[arg-type]


def _judged(*told: tuple[str, tuple[int, ...], str]) -> Judged:
    diary = _diary()
    return judge(
        lambda said: [_proposal(list(said), text, *of, type_=kind) for text, of, kind in told], diary
    )


def test_a_pattern_is_found_by_its_lines_and_a_term():
    judged = _judged(("Often mentions hives", (1, 3, 5), "inductive"))
    assert judged.patterns == {"p1": "found"}
    assert not judged.wrong


@pytest.mark.parametrize(
    ("text", "lines"),
    [("Often mentions honey", (1, 3, 5)), ("Often mentions bees", (1, 2, 4)), ("Lives in York", (4,))],
)
def test_other_words_and_other_lines_are_wrong(text, lines):
    judged = _judged((text, lines, "inductive"))
    assert judged.patterns == {"p1": "missed"}
    assert len(judged.wrong) == 1
    assert text in errors([judged])


@pytest.mark.parametrize(
    ("told", "state"),
    [
        ([], "silent"),
        ([("Lives in York", (6,), "explicit")], "resolved"),
        ([("Lives in Leeds", (2,), "explicit")], "outdated"),
        ([("Lives in York", (6,), "explicit"), ("Lives in Leeds", (2,), "explicit")], "outdated"),
    ],
)
def test_a_conflict_is_resolved_when_only_the_newer_value_stands(told, state):
    assert _judged(*told).conflicts == {"c1": state}


def test_what_rests_on_a_lasting_line_counts_neither_way_and_noise_is_counted_by_line():
    judged = _judged(("Has a dog", (7,), "explicit"), ("Often mentions bees", (1, 3, 4), "inductive"))
    assert not judged.wrong
    assert [line.number for line, _ in judged.quoted] == [4]
    assert "noise that nothing quotes                   0.000" in table([judged])


def test_messages_keep_day_time_and_order():
    told = said(_diary())
    assert [each.source for each in told] == [f"en01-2026-03-0{day}" for day in range(1, 8)]
    assert [each.at for each in told] == sorted(each.at for each in told)


def test_the_rules_stay_precise_over_the_development_diaries():
    judged = [judge(command.conclusions, diary) for diary in diaries.read("dev")]
    right = sum(type_.type == "inductive" for one in judged for _, type_ in one.right)
    wrong = sum(type_.type == "inductive" for one in judged for _, type_ in one.wrong)
    assert right >= 95
    assert wrong * 12 <= right


def test_of_the_kept_diaries_only_totals_are_shown(monkeypatch, capsys):
    asked: list[str] = []
    monkeypatch.setattr(diaries, "read", lambda part: asked.append(part) or [_diary()])
    assert command.main(["kept"]) == 0
    printed = capsys.readouterr().out
    assert asked == ["kept"]
    assert "line" not in printed
    assert "recall of kind" not in printed
