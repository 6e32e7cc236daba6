"""A thousand interleavings of consent, configuration, ends and deliveries; a tenth by default: `sizes`."""

import pytest
from hypothesis import settings

from support.extraction_machine import Interleavings
from support.run_size import size

TestInterleavings = pytest.mark.slow(pytest.mark.timeout(1200)(Interleavings.TestCase))
TestInterleavings.settings = settings(max_examples=size(1000), stateful_step_count=15)
