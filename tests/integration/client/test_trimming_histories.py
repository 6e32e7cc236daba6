"""Ten thousand conversations; by default a tenth: see `sizes`."""

import pytest
from hypothesis import given, settings

from support.message_histories import budgets, check_trim, histories
from support.run_size import size


@pytest.mark.slow
@pytest.mark.timeout(600)
@settings(max_examples=size(10_000))
@given(histories, budgets)
def test_histories_are_trimmed_without_an_orphan_and_within_budget(history, budget):
    check_trim(history, budget)
