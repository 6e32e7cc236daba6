"""Sends the spans of one server process to an OpenTelemetry collector."""

import logging
from collections.abc import Callable

from strata.installation import adding

_log = logging.getLogger(__name__)


def start() -> Callable[[], None]:
    """Set up the SDK with an OTLP exporter over HTTP; the function that sends what is left and ends it.

    To be called after a fork: it starts a thread. Address, headers, sampling, names and limits are those of
    the standard OTEL_ variables. Without the extra `otel` there are no spans, and a log line says so.
    """
    try:
        from opentelemetry import trace  # noqa: PLC0415 - nobody pays for it who does not ask for it
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
