"""Errors between these adapters and a model's server.

Unavailable
├── Unanswered   the server fails or does not answer in time: asked again
├── Slowed       it asks to slow down (also a `Throttled`): asked again
└── Unusable     only another setting will end this
ModelFailed
└── Rejected     the server understood the request and will not have it
"""

from strata.domain.errors import ModelFailed, Throttled, Unavailable


class Unanswered(Unavailable):
    """No response. `wait`: the seconds that the server asks for; `was_sent`: it may have been processed."""

    def __init__(self, message: str, *, wait: float | None = None, was_sent: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.was_sent = was_sent


class Slowed(Throttled):
    """The server throttles; `wait` is the time in seconds that it asks for, if any."""

    def __init__(self, message: str, *, wait: float | None = None) -> None:
        super().__init__(message, retry_after=1 if wait is None else max(1, round(wait)))
        self.wait = wait


class Unusable(Unavailable):
    """The server, its key or its model do not match the settings."""


class Rejected(ModelFailed):
    """The server rejects a request; `part` names the rejected field, if known."""

    def __init__(self, message: str, *, part: str = "") -> None:
        super().__init__(message)
        self.part = part
