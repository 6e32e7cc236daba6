"""Conversations that hypothesis makes up.

Tools are called alone and in parallel, answered at once, late, twice or never, under ids that are used again.
And the rule of trimming, told a second time.
"""

from collections.abc import Iterable
from typing import Any

from hypothesis import strategies as st

from strata.client.working_memory import Message, Text, ToolCall, ToolResult, WorkingMemory
from strata.client.working_memory.tokens import message_tokens

IDS = ("a", "b", "c")

said = st.integers(0, 40).map("x".__mul__)
ids = st.lists(st.sampled_from(IDS), min_size=1, max_size=3)


def calling(called: list[str], text: str = "") -> Message:
    return Message("assistant", (Text(text), *(ToolCall(each, "look", "{}") for each in called)))


def answering(answered: list[str], text: str = "") -> Message:
    return Message("tool", tuple(ToolResult(each, (Text(text),)) for each in answered))


messages = st.one_of(
    st.builds(Message.of, st.sampled_from(["user", "assistant", "system"]), said),
    st.builds(calling, ids, said),
    st.builds(answering, ids, said),
)
opening = st.lists(st.builds(Message.of, st.sampled_from(["system", "developer"]), said), max_size=2)
histories = st.builds(list.__add__, opening, st.lists(messages, max_size=16))


@st.composite
def orderly(draw: st.DrawFn) -> list[Message]:
    """As a server of models takes it: each turn a request, then calls with their results, then an answer."""
    history: list[Message] = []
    for turn in range(draw(st.integers(1, 6))):
        history.append(Message.of("user", draw(said)))
        for step in range(draw(st.integers(0, 3))):
            called = [f"{turn}-{step}-{number}" for number in range(draw(st.integers(1, 3)))]
            history.append(calling(called, draw(said)))
            history += [answering([each], draw(said)) for each in draw(st.permutations(called))]
        history.append(Message.of("assistant", draw(said)))
    return history


budgets = st.integers(0, 120)


def memory_of(history: list[Message]) -> WorkingMemory:
    return WorkingMemory(history, max_history_tokens=None, max_messages=None)


# --- the rule, told a second time: slowly, and with nothing in common but its words ----------------


def pairs(history: list[Message]) -> list[tuple[int, int]]:
    """Places of calls with those of their results, one id after the other."""
    events = [(place, part) for place, message in enumerate(history) for part in message.parts]
    called = {part.id: None for _, part in events if isinstance(part, ToolCall)}
    return [pair for each in called for pair in pairs_of(each, events)]


def pairs_of(name: str, events: list[tuple[int, Any]]) -> list[tuple[int, int]]:
    found, unanswered, before = [], [], []
    latest = None
    for place, part in events:
        if isinstance(part, ToolCall) and part.id == name:
            unanswered.append(place)
            latest = place
        elif isinstance(part, ToolResult) and part.call_id == name:
            if unanswered:
                found.append((unanswered.pop(), place))
            elif latest is not None:
                found.append((latest, place))
            else:
                before.append(place)
    while unanswered and before:
        found.append((unanswered.pop(0), before.pop()))
    return found


def tied_to(places: set[int], joined: list[tuple[int, int]]) -> set[int]:
    """These places with all that is tied to them."""
    places = set(places)
    while more := {place for pair in joined if places & set(pair) for place in pair} - places:
        places |= more
    return places


def places_kept(history: list[Message], kept: tuple[Message, ...]) -> list[int]:
    """The places of the kept messages: they are the same objects."""
    where = {id(message): place for place, message in enumerate(history)}
    return [where[id(message)] for message in kept]


def tokens(history: list[Message], places: Iterable[int]) -> int:
    return sum(message_tokens(history[place]) for place in places)


def check_trim(history: list[Message], budget: int) -> None:
    history = [Message(each.role, each.parts) for each in history]  # objects of their own
    memory = memory_of(history)
    removed = memory.trim_to_token_budget(budget)
    kept = places_kept(history, memory.messages)
    gone = places_kept(history, tuple(removed))
    joined = pairs(history)

    assert kept == sorted(kept)
    assert sorted(kept + gone) == list(range(len(history)))
    assert all((call in kept) == (result in kept) for call, result in joined), "an orphan"
    if not history:
        return
    assert kept[-1] == len(history) - 1
    last_turn = tied_to({len(history) - 1}, joined)
    assert memory.tokens == tokens(history, kept)
    assert memory.tokens <= budget or set(kept) == last_turn, "over budget with more than the last turn left"
    if tokens(history, range(len(history))) <= budget:
        assert not removed


def expected(history: list[Message], budget: int) -> list[int]:
    """The places that stay, found by trying every window there is."""
    every, last = range(len(history)), len(history) - 1
    if tokens(history, every) <= budget:
        return list(every)
    joined = pairs(history)
    opening = next(
        (place for place in range(last) if history[place].role not in ("system", "developer")), last
    )
    talk = set(range(opening, last + 1))
    windows = [
        sorted(tied_to(set(range(start, last + 1)), joined) & talk) for start in range(opening, last + 1)
    ]
    preamble = list(range(opening))
    while preamble and tokens(history, preamble + windows[-1]) > budget:
        preamble.pop()
    if len(preamble) < opening:
        return preamble + windows[-1]
    fitting = [window for window in windows if tokens(history, preamble + window) <= budget] or windows[-1:]
    asked = [window for window in fitting if history[window[0]].is_request]
    return preamble + (asked or fitting)[0]


def check_no_orphans(history: list[Message], kept: list[Message]) -> None:
    """Messages that belong together are kept together; the same message is the same object."""
    there = {id(message) for message in kept}
    for call, result in pairs(history):
        assert (id(history[call]) in there) == (id(history[result]) in there), "an orphan"
