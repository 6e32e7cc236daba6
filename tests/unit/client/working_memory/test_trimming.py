import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from strata.client.working_memory import Message, WorkingMemory
from support.message_histories import (
    answering,
    budgets,
    calling,
    check_trim,
    expected,
    histories,
    memory_of,
    orderly,
    places_kept,
    tokens,
)


def user(text: str = "x" * 40) -> Message:
    return Message.of("user", text)


def assistant(text: str = "x" * 40) -> Message:
    return Message.of("assistant", text)


def system(text: str = "x" * 40) -> Message:
    return Message.of("system", text)


@given(histories, budgets)
@example([answering(["a"]), user(), calling(["a"])], 3)
@example([calling(["a"]), user("hi"), answering(["a"])], 1)
@example([calling(["a", "b"]), answering(["a"]), calling(["a"]), answering(["b"]), answering(["a"])], 2)
@example([answering(["a"]), user("hello"), calling(["a"]), answering(["a"], "x" * 40)], 12)
def test_no_trim_leaves_an_orphan_or_more_than_its_budget(history, budget):
    check_trim(history, budget)


@given(st.one_of(histories, orderly()).filter(bool), budgets)
def test_what_stays_is_the_longest_end_that_fits_behind_the_instructions(history, budget):
    memory = memory_of(history)
    memory.trim_to_token_budget(budget)
    assert places_kept(history, memory.messages) == expected(history, budget)


@given(orderly(), budgets)
def test_of_an_orderly_conversation_the_end_stays_in_one_piece(history, budget):
    memory = memory_of(history)
    memory.trim_to_token_budget(budget)
    kept = list(memory.messages)
    assert history[len(history) - len(kept) :] == kept


@given(orderly(), budgets)
def test_the_rest_begins_with_a_request_unless_only_a_turn_without_one_is_left(history, budget):
    memory = memory_of(history)
    memory.trim_to_token_budget(budget)
    assert memory.messages[0].is_request or not any(message.is_request for message in memory.messages)


@given(orderly(), budgets)
def test_no_turn_is_removed_that_would_have_fitted(history, budget):
    memory = memory_of(history)
    memory.trim_to_token_budget(budget)
    start = len(history) - len(memory)
    requests = [place for place in range(start) if history[place].is_request]
    if requests and start:
        assert tokens(history, range(requests[-1], len(history))) > budget


@given(histories, budgets)
def test_trimming_again_removes_nothing_more(history, budget):
    memory = memory_of(history)
    memory.trim_to_token_budget(budget)
    before = memory.tokens
    again = memory.trim_to_token_budget(budget)
    assert not again or before > budget


# --- cases ----------------------------------------------------------------------------------------


def test_what_fits_stays_whole():
    history = [assistant(), user()]
    memory = memory_of(history)
    assert memory.trim_to_token_budget(20) == []
    assert memory.messages == tuple(history)


def test_an_empty_memory_has_nothing_to_trim():
    assert memory_of([]).trim_to_token_budget(0) == []


def test_a_call_stays_with_results_that_are_spread_over_messages():
    history = [user(), calling(["a", "b"], "x" * 40), answering(["a"]), answering(["b"])]
    memory = memory_of(history)
    assert memory.trim_to_token_budget(1) == history[:1]


def test_a_call_that_is_answered_much_later_stays_for_its_result_and_what_lies_between_goes():
    history = [user(), calling(["a"]), assistant(), user(), assistant(), answering(["a"], "done")]
    memory = memory_of(history)
    memory.trim_to_token_budget(5)
    assert memory.messages == (history[1], history[-1])


def test_an_id_that_is_used_in_each_turn_does_not_tie_the_turns_together():
    turn = [user(), calling(["call_0"]), answering(["call_0"], "x" * 40), assistant()]
    memory = memory_of(turn * 20)
    memory.trim_to_token_budget(70)
    assert memory.messages == tuple(turn * 2)


def test_a_result_without_any_call_can_go_alone():
    history = [answering(["nobody"], "x" * 40), user(), assistant()]
    memory = memory_of(history)
    assert memory.trim_to_token_budget(25) == history[:1]


def test_a_call_without_a_result_can_go_and_can_stay():
    history = [user(), calling(["a"], "x" * 40), user(), calling(["b"], "x" * 40)]
    memory = memory_of(history)
    memory.trim_to_token_budget(30)
    assert memory.messages == tuple(history[2:])


def test_instructions_stay_in_front():
    history = [system(), user(), assistant(), user(), assistant()]
    memory = memory_of(history)
    memory.trim_to_token_budget(35)
    assert memory.messages == (history[0], *history[3:])


def test_instructions_go_before_the_last_turn_does():
    history = [system(), user(), assistant()]
    memory = memory_of(history)
    memory.trim_to_token_budget(12)
    assert memory.messages == (history[2],)


def test_the_summary_stays_behind_the_instructions_and_goes_before_they_do():
    memory = WorkingMemory(
        [system(), user(), assistant(), user(), assistant()], max_messages=3, preserve_recent=2
    )
    memory.summarize_older()
    summary = memory.messages[1]
    assert summary.digest
    memory.trim_to_token_budget(memory.tokens - 1)
    assert memory.messages[:2] == (system(), summary)
    memory.trim_to_token_budget(20)
    assert memory.messages == (system(), assistant())


def test_a_message_larger_than_the_budget_stays_when_it_is_the_last():
    history = [user(), assistant("x" * 4_000)]
    memory = memory_of(history)
    memory.trim_to_token_budget(10)
    assert memory.messages == (history[1],)


def test_metadata_of_tools_goes_with_their_calls():
    memory = memory_of(
        [user(), calling(["a"]), answering(["a"], "x" * 40), user(), calling(["b"]), answering(["b"])]
    )
    memory.tool_meta = {"a": {"icon": "search"}, "b": {"icon": "run"}, "soon": 1}
    memory.trim_to_token_budget(15)
    assert memory.tool_meta == {"b": {"icon": "run"}, "soon": 1}


def test_metadata_of_an_id_that_is_used_again_stays():
    memory = memory_of(
        [user(), calling(["a"]), answering(["a"], "x" * 40), user(), calling(["a"]), answering(["a"])]
    )
    memory.tool_meta = {"a": 1}
    memory.trim_to_token_budget(15)
    assert memory.tool_meta == {"a": 1}


def test_a_budget_below_nothing_is_refused():
    with pytest.raises(ValueError, match="budget must be 0 or more"):
        memory_of([user()]).trim_to_token_budget(-1)


def test_tokens_are_counted_by_the_tokenizer_that_is_given():
    memory = WorkingMemory([user("one two three"), user("four")], tokenizer=lambda text: len(text.split()))
    assert memory.tokens == 4
    assert len(memory.trim_to_token_budget(1)) == 1


def test_a_message_that_can_not_be_counted_is_not_added():
    def tokenizer(text: str) -> int:
        raise RuntimeError("no vocabulary")

    memory = WorkingMemory(tokenizer=tokenizer)
    with pytest.raises(RuntimeError, match="no vocabulary"):
        memory.add(user())
    assert len(memory) == 0
