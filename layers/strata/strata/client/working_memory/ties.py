"""Groups the messages of a history by tool calls and their results."""

from __future__ import annotations

from collections.abc import Sequence

from strata.client.working_memory.messages import Message
from strata.client.working_memory.parts import ToolCall, ToolResult


def newest_tied(messages: Sequence[Message]) -> list[int]:
    """For each message the index of the newest one in its group.

    A result is tied to the latest preceding call of its id that has no result yet; when every such call has
    one, to the latest call of that id (a repeated result). So each result is tied to its own call even where
    a model reuses ids. A result before its call is tied to it when nothing else answers that call. A result
    without a call is tied to nothing, and neither is a call without a result. Ties join messages into groups:
    parallel calls of one message, with all their results, are one group.
    """
    groups = _Groups(len(messages))
    unanswered: dict[str, list[int]] = {}
    latest: dict[str, int] = {}
    strays: dict[str, list[int]] = {}
    for place, message in enumerate(messages):
        for part in message.parts:
            if isinstance(part, ToolCall):
                unanswered.setdefault(part.id, []).append(place)
                latest[part.id] = place
            elif isinstance(part, ToolResult):
                waiting = unanswered.get(part.call_id)
                if waiting:
                    groups.join(waiting.pop(), place)
                elif part.call_id in latest:
                    groups.join(latest[part.call_id], place)
                else:
                    strays.setdefault(part.call_id, []).append(place)
    for call_id, results in strays.items():
        for result, call in zip(reversed(results), unanswered.get(call_id, ()), strict=False):
            groups.join(result, call)
    return groups.newest()


class _Groups:
    """Disjoint sets of indices, each named by its largest."""

    def __init__(self, count: int) -> None:
        self._next = list(range(count))

    def join(self, one: int, other: int) -> None:
        one, other = self._name(one), self._name(other)
        if one < other:
            self._next[one] = other
        else:
            self._next[other] = one

    def newest(self) -> list[int]:
        newest = self._next
        for place in range(len(newest) - 1, -1, -1):  # each points forward, to one that is done
            newest[place] = newest[newest[place]]
        return newest

    def _name(self, place: int) -> int:
        follow = self._next
        while follow[place] != place:
            follow[place] = follow[follow[place]]
            place = follow[place]
        return place
