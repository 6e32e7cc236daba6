"""Decides whether background work may ask a language model now, or would slow down who is talking (agtOS).

A model on the same machine shares its processor and its video memory with the sessions that are under way.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Policy = Literal["auto", "always", "idle-only"]
LOCAL_HOSTS = frozenset(("localhost", "127.0.0.1", "::1", "0.0.0.0", "host.docker.internal"))  # noqa: S104
COOLDOWN = 30.0
"""Seconds after the end of a session for which work waits."""
LOAD, IDLE_LOAD = 0.8, 0.3
"""The most load for each processor, by the policies `auto` and `idle-only`."""


@dataclass(frozen=True, slots=True)
class Readings:
    """The state of the machine.

    Attributes:
        active_sessions: sessions that are under way.
        since_end: seconds since the last session ended; infinite where none did.
        load: the load average of one minute; 0 where the system tells none.
        processors: their number.
        pinned: models that the server keeps loaded for good.
    """

    active_sessions: int
    since_end: float
    load: float
    processors: int
    pinned: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the work may be done, and which check decided."""

    safe: bool
    reason: str


def decide(policy: Policy, provider: str, host: str, read: Callable[[], Readings]) -> Verdict:
    """The seven checks in their order; the first that holds decides.

    Args:
        policy: `always` leaves all other checks out, `idle-only` allows less load.
        provider: of the model; none but `ollama` runs on this machine.
        host: of the model's server.
        read: the state of the machine, read where the first three checks do not decide.
    """
    early = (
        ("policy", policy == "always"),
        ("cloud_provider", provider != "ollama"),
        ("remote_ollama", host not in LOCAL_HOSTS),
    )
    for reason, holds in early:
        if holds:
            return Verdict(True, reason)
    now = read()
    most = now.processors * (IDLE_LOAD if policy == "idle-only" else LOAD)
    busy = (
        ("active_sessions", now.active_sessions > 0),
        ("session_cooldown", now.since_end < COOLDOWN),
        ("system_load", now.load > most),
        ("ollama_vram", now.pinned > 0),
    )
    return next((Verdict(False, reason) for reason, holds in busy if holds), Verdict(True, "idle"))
