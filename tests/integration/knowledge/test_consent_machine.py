"""A thousand interleavings of consent, configuration, ends and deliveries; a tenth by default: `sizes`."""

import pytest
from hypothesis import settings

from support.conclusion_machine import Consents
from support.run_size import size

TestConsents = pytest.mark.slow(pytest.mark.timeout(1200)(Consents.TestCase))
TestConsents.settings = settings(max_examples=size(1000), stateful_step_count=15, deadline=None)
