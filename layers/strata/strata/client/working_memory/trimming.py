"""Chooses the messages that stay when a history must fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence

from strata.client.working_memory.messages import Message
from strata.client.working_memory.ties import newest_tied


def kept_within(messages: Sequence[Message], costs: Sequence[int], budget: int) -> list[int]:
    """The indices of the messages that stay, in order; `costs` holds the cost of each.

    A history that fits is unchanged. Otherwise messages are removed from the front:

    1. Messages that calls and results tie together (see `ties.newest_tied`) stay or go together. The *window
       from index c* is every message from c on, and every earlier one that is tied to one of those.
    2. The *preamble* is the initial instructions (`system`, `developer`) and the summary after them. It
       stays in front of the window while it fits.
    3. The window is the longest that fits together with the preamble. It then starts even later, at the first
       index where it begins with a request of the user, if there is one: a turn without its question is
       removed, too.
    4. The *last turn*, the last message with all that is tied to it, always stays. Only if it does not fit
       together with the preamble is the preamble removed, from its end; and only if nothing else is left may
       the budget be exceeded.
    """
    if sum(costs) <= budget or not messages:
        return list(range(len(messages)))
    newest = newest_tied(messages)
    last = len(messages) - 1
    opening = preamble_length(messages, newest)
    group_costs = [0] * len(messages)
    for place in range(opening, len(messages)):
        group_costs[newest[place]] += costs[place]
    preamble = list(range(opening))
    used = group_costs[last] + sum(costs[:opening])
    while preamble and used > budget:
        used -= costs[preamble.pop()]
    start = last
    if len(preamble) == opening:
        while start > opening and used + group_costs[start - 1] <= budget:
            start -= 1
            used += group_costs[start]
        start = _request_from(start, messages, newest, opening)
    return preamble + [place for place in range(opening, last + 1) if newest[place] >= start]


def instructions_length(messages: Sequence[Message], newest: Sequence[int]) -> int:
    """Number of initial instructions, the last message excluded."""
    place = 0
    while place < len(messages) - 1 and messages[place].is_instruction and newest[place] == place:
        place += 1
    return place


def preamble_length(messages: Sequence[Message], newest: Sequence[int]) -> int:
    """Number of initial messages before all turns, the last message excluded."""
    place = instructions_length(messages, newest)
    while place < len(messages) - 1 and messages[place].digest is not None:
        place += 1
    return place


def _request_from(start: int, messages: Sequence[Message], newest: Sequence[int], opening: int) -> int:
    """The first index from `start` on whose window begins with a request; `start` when there is none."""
    first = opening
    for place in range(start, len(messages)):
        while newest[first] < place:
            first += 1
        if messages[first].is_request:
            return place
    return start
