import pytest
from evals.contradictions.__main__ import main
from evals.contradictions.measure import load


@pytest.mark.parametrize(("part", "precision", "recall"), [("dev", 0.95, 0.4), ("dev2", 0.9, 0.25)])
def test_the_rules_are_precise_on_the_pairs_for_rules(
    capsys: pytest.CaptureFixture[str], part: str, precision: float, recall: float
) -> None:
    assert main([part]) == 0

    line = next(each for each in capsys.readouterr().out.splitlines() if "contradicts all" in each).split()
    assert float(line[5]) >= precision
    assert float(line[7]) >= recall


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
