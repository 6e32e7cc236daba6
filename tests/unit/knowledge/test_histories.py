"""Undo after any history: a hundred of them by default a tenth, `sizes`."""

import pytest
from hypothesis import settings

from support.knowledge_machine import Histories
from support.run_size import size

TestHistories = pytest.mark.slow(pytest.mark.timeout(1200)(Histories.TestCase))
TestHistories.settings = settings(max_examples=size(400), stateful_step_count=12, deadline=None)
