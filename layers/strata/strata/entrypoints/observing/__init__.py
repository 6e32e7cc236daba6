"""Observability of the entry points: logs, metrics, spans. Services do not know of it.

An entry point opens an *invocation* for each event and an *operation* around the service call that matters
to operators. Without metrics and tracer both cost almost nothing.
"""

from strata.entrypoints.observing.observer import Observing
from strata.entrypoints.observing.operations import Operation

__all__ = ["Observing", "Operation"]
