"""Which messages stay when a history has to fit into a budget."""

from __future__ import annotations

from collections.abc import Sequence

from strata.client.working_memory.messages import Message
from strata.client.working_memory.ties import newest_tied


def kept_within(messages: Sequence[Message], costs: Sequence[int], budget: int) -> list[int]:
    """The places of the messages that stay, in order; `costs` says what each takes of the budget.

    What fits as it is stays whole. Else messages go from the front:

    1. The messages that calls and results tie together (see `ties.newest_tied`) stay or go together, so no
       result loses its call and no call its result. The *window from place c* is every message from c on,
       and every earlier one that is tied to one of those.
    2. The *preamble* is the instructions (`system`, `developer`) that the history begins with, and the
       summary after them. It stays in front of the window as long as it can.
    3. The window is the longest that fits together with the preamble. It then begins later still, at the
       first place from which its first message is a request of the user, when there is such a place: a turn
       without its question goes as well.
    4. The *last turn*, the last message with all that it is tied to, stays in any case. Only where it alone
       does not fit together with the preamble does the preamble go, from its end; and only when nothing else
       is left may the budget be exceeded.
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
    """How many instructions the history begins with, its last message not counted."""
    place = 0
    while place < len(messages) - 1 and messages[place].is_instruction and newest[place] == place:
        place += 1
    return place


def preamble_length(messages: Sequence[Message], newest: Sequence[int]) -> int:
    """How many messages the history begins with that stand before all turns, its last message not counted."""
    place = instructions_length(messages, newest)
    while place < len(messages) - 1 and messages[place].digest is not None:
        place += 1
    return place


def _request_from(start: int, messages: Sequence[Message], newest: Sequence[int], opening: int) -> int:
    """The first place from `start` on whose window begins with a request; `start` when there is none."""
    first = opening
    for place in range(start, len(messages)):
        while newest[first] < place:
            first += 1
        if messages[first].is_request:
            return place
    return start
