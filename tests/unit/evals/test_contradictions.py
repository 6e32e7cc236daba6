import json
import random
from datetime import date

import pytest
from evals.contradictions import fitting
from evals.contradictions.__main__ import main
from evals.contradictions.measure import DEVELOPMENT, Pair, load

from strata.domain.contradictions.claims import read
from strata.domain.contradictions.decide import LIKELY, likelihood


def test_the_rules_are_precise_on_the_pairs_that_they_are_fitted_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["dev2"]) == 0

    line = next(each for each in capsys.readouterr().out.splitlines() if "contradicts all" in each).split()
    assert float(line[5]) >= 0.9
    assert float(line[7]) >= 0.25


def test_the_weights_were_fitted_to_these_pairs_this_table_and_these_numbers() -> None:
    """Else: `python -m evals.contradictions fit`."""
    assert json.loads(fitting.RECORD.read_text()) == fitting.record()


def test_hardly_any_notes_of_different_pairs_contradict_each_other() -> None:
    draw = random.Random(7)
    notes = [
        (part, each.id, text)
        for part in DEVELOPMENT
        for each in load(part)
        if each.language == "en"
        for text in (each.first, each.second)
    ]
    pairs = [draw.sample(notes, 2) for _ in range(1_000)]
    given = sum(
        likelihood(read(one[2]), read(other[2])) >= LIKELY for one, other in pairs if one[1] != other[1]
    )
    assert given <= 3


def test_a_threshold_is_the_lowest_that_is_precise() -> None:
    day = date(2026, 1, 1)

    def judged(label: str, likely: float) -> tuple[Pair, float]:
        return Pair("dev-1", "en", "", "", day, day, label), likely

    pairs = [judged("contradicts", 0.9), judged("differs", 0.6), judged("contradicts", 0.6)]
    assert fitting.threshold(pairs, 0.6) == 0
    assert fitting.threshold(pairs, 0.9) == 0.61
    assert fitting.threshold([judged("same", 0.9)], 0.9) == 1


def test_a_half_has_the_pairs_with_odd_or_with_even_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dev2", "--half", "even"]) == 0

    shown = capsys.readouterr().out
    assert next(each for each in shown.splitlines() if "contradicts all" in each).split()[2] == "120"
    assert not any(each.first in shown for each in load("dev2"))


@pytest.mark.parametrize("part", ["kept", "kept2"])
def test_of_the_kept_pairs_only_totals_are_shown(capsys: pytest.CaptureFixture[str], part: str) -> None:
    assert main([part]) == 0

    shown = capsys.readouterr().out
    assert "contradicts all" in shown
    assert not any(each.first in shown for each in load(part))
