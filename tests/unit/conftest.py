"""Fixtures of the quick tests."""

from collections.abc import Callable, Sequence

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


@pytest.fixture(scope="session")
def exporter() -> InMemorySpanExporter:
    """The process has one provider, and it cannot be taken away again."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


@pytest.fixture
def spans(exporter: InMemorySpanExporter) -> Callable[[], Sequence[ReadableSpan]]:
    """The spans since the test began."""
    exporter.clear()
    return exporter.get_finished_spans
