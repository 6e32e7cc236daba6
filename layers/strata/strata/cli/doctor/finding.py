"""Findings of checks."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """The state of a check."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """A check's finding and advice (empty when there is nothing to do)."""

    state: State
    name: str
    found: str
    advice: str = ""

    def as_json(self) -> dict[str, str]:
        """The finding as JSON."""
        return {"name": self.name, "state": self.state, "found": self.found, "advice": self.advice}
