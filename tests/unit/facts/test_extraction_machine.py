"""Consent, configuration, ends and deliveries in any order; a thousand are among the slow tests."""

from hypothesis import settings

from support.extraction_machine import Interleavings

TestInterleavings = Interleavings.TestCase
TestInterleavings.settings = settings(max_examples=40, stateful_step_count=12)
