"""Work handed to several sub-agents at once: what is still awaited and what came back."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from strata.client.working_memory.reading import Json


class Delegation:
    """One group of delegated work, over its state: a JSON object that goes into checkpoints as it is.

    The state's `pending` and `results` are objects by tool call id; all else in it is the agent's own.
    """

    def __init__(self, state: Json) -> None:
        self._state = state

    @property
    def pending(self) -> Mapping[str, Any]:
        """What was asked and not answered yet, by call id."""
        return MappingProxyType(_object(self._state, "pending"))

    @property
    def results(self) -> Mapping[str, Any]:
        """What came back, by call id."""
        return MappingProxyType(_object(self._state, "results"))

    @property
    def is_settled(self) -> bool:
        """Whether nothing is awaited any more."""
        return not self.pending

    def expect(self, call_id: str, task: Any = None) -> None:
        """Remember that a result of this call is awaited; `task` is any JSON."""
        self._state["pending"] = _object(self._state, "pending") | {call_id: task}

    def settle(self, call_id: str, result: Any = None) -> bool:
        """Keep the result of a call that is awaited. False, and nothing is changed, when it is not."""
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
