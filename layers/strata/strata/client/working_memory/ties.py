"""Which messages of a history belong together because a tool's call and its result do."""

from __future__ import annotations

from collections.abc import Sequence

from strata.client.working_memory.messages import Message
from strata.client.working_memory.parts import ToolCall, ToolResult


def newest_tied(messages: Sequence[Message]) -> list[int]:
    """For each message the place of the newest one in its group.

    A result is tied to the latest call of its id before it that has no result yet; when every such call has
    one, to the latest call of that id (it is told twice). So where ids are used again and again, as some
    models do, each result is tied to its own call. A result that stands before its call is tied to it when
    nothing else answers that call. A result whose call is nowhere is tied to nothing, and neither is a call
    without a result. Ties join messages into groups: calls made in parallel by one message, with all their
    results, are one group.
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
    """Disjoint sets of places, each named by its largest."""

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
