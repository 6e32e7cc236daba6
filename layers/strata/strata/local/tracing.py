"""Sends the spans of one server process to an OpenTelemetry collector."""

import logging
from collections.abc import Callable

from strata.installation import adding

_log = logging.getLogger(__name__)


def start() -> Callable[[], None]:
    """Set up the SDK with an OTLP exporter over HTTP; return a function that flushes and stops it.

    Call it after a fork: it starts a thread. The standard OTEL_ variables set address, headers, sampling,
    names and limits. Without the extra `otel` there are no spans, and a warning is logged.
    """
    try:
        from opentelemetry import trace  # noqa: PLC0415 - imported only if tracing is enabled
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter  # noqa: PLC0415
        from opentelemetry.sdk.resources import OTELResourceDetector, Resource  # noqa: PLC0415
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    except ImportError:
        _log.warning("no spans are sent: %s brings what sends them", adding("otel"))
        return lambda: None
    named = Resource.create({"service.name": "strata"}).merge(OTELResourceDetector().detect())
    provider = TracerProvider(resource=named)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return provider.shutdown
