"""Work delegated to several sub-agents at once: pending calls and results."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from strata.client.working_memory.reading import Json


class Delegation:
    """One group of delegated work over its state, a JSON object that checkpoints store unchanged.

    The state's `pending` and `results` are objects by tool call id; the agent may add its own fields.
    """

    def __init__(self, state: Json) -> None:
        self._state = state

    @property
    def pending(self) -> Mapping[str, Any]:
        """The pending tasks by call id."""
        return MappingProxyType(_object(self._state, "pending"))

    @property
    def results(self) -> Mapping[str, Any]:
        """The results by call id."""
        return MappingProxyType(_object(self._state, "results"))

    @property
    def is_settled(self) -> bool:
        """Whether no result is pending."""
        return not self.pending

    def expect(self, call_id: str, task: Any = None) -> None:
        """Record a pending call; `task` is any JSON."""
        self._state["pending"] = _object(self._state, "pending") | {call_id: task}

    def settle(self, call_id: str, result: Any = None) -> bool:
        """Store the result of a pending call. False, without any change, when the call is not pending."""
        pending = dict(_object(self._state, "pending"))
        if call_id not in pending:
            return False
        del pending[call_id]
        self._state["pending"] = pending
        self._state["results"] = _object(self._state, "results") | {call_id: result}
        return True


def _object(state: Json, name: str) -> Json:
    value = state.get(name)
    return value if isinstance(value, dict) else {}
