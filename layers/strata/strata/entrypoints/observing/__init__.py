"""What the service says of itself: log lines, metrics, spans. Services know nothing of it.

An entry point opens an *invocation* for each event and an *operation* around the one service call that
matters to whoever runs the service. Unless metrics are asked for or a tracer is there, both cost next to
nothing.
"""

from strata.entrypoints.observing.observer import Observing
from strata.entrypoints.observing.operations import Operation

__all__ = ["Observing", "Operation"]
