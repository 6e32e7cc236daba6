"""Carries the caller's trace to the server, as W3C Trace Context says."""

import sys


def current_trace() -> dict[str, str]:
    """`traceparent` and `tracestate` of OpenTelemetry's current span; empty where there is none.

    A program that has not imported OpenTelemetry has no current span, so it is not imported here either.
    Baggage is not sent: it may hold data that is not meant for the server.
    """
    if "opentelemetry.trace" not in sys.modules:
        return {}
    from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415 - see above
        TraceContextTextMapPropagator,
    )

    headers: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(headers)
    return headers
