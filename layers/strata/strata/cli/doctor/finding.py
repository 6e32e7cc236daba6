"""What a check says."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """How a check ended."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found, and what to do about it (empty when nothing needs doing)."""

    state: State
    name: str
    found: str
    advice: str = ""

    def as_json(self) -> dict[str, str]:
        """The finding for machines."""
        return {"name": self.name, "state": self.state, "found": self.found, "advice": self.advice}
