import pytest
from hypothesis import given, settings

from histories import budgets, check_trim, histories


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=10_000)
@given(histories, budgets)
def test_ten_thousand_histories_are_trimmed_without_an_orphan_and_within_budget(history, budget):
    check_trim(history, budget)
