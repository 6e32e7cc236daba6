import pytest
from evals.contradictions.__main__ import main
from evals.contradictions.measure import load


def test_the_rules_are_precise_on_the_pairs_for_rules(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["dev"]) == 0

    line = next(each for each in capsys.readouterr().out.splitlines() if "contradicts all" in each).split()
    assert float(line[5]) >= 0.95
    assert float(line[7]) >= 0.5


def test_of_the_kept_pairs_only_totals_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["kept"]) == 0

    shown = capsys.readouterr().out
    assert "contradicts all" in shown
    assert not any(each.first in shown for each in load("kept"))
