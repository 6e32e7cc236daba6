import asyncio
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.client.working_memory import Message, Text, ToolCall, ToolResult, WorkingMemory
from strata.client.working_memory.summaries import LONGEST_SUMMARY
from support.message_histories import answering, calling, check_no_orphans, histories, orderly


def user(text: str = "hello") -> Message:
    return Message.of("user", text)


def assistant(text: str = "hi") -> Message:
    return Message.of("assistant", text)


def talk(turns: int) -> list[Message]:
    return [each for turn in range(turns) for each in (user(f"question {turn}"), assistant(f"answer {turn}"))]


# --- when, and what stays -------------------------------------------------------------------------


def test_thirty_messages_are_no_reason_and_thirty_one_are():
    memory = WorkingMemory()
    memory.add(*talk(15))
    assert len(memory) == 30
    memory.add(user("one more"))
    assert len(memory) == 7
    assert memory.messages[0].digest
    assert [message.text for message in memory.messages[1:]] == [
        "answer 12",
        "question 13",
        "answer 13",
        "question 14",
        "answer 14",
        "one more",
    ]


def test_four_thousand_tokens_are_no_reason_and_one_more_is():
    memory = WorkingMemory()
    memory.add(*[user("x" * 1_600)] * 10)
    assert len(memory) == 10
    memory.add(user("x"))
    assert len(memory) == 7


def test_a_history_without_limits_is_never_summarized():
    memory = WorkingMemory(max_history_tokens=None, max_messages=None)
    memory.add(*talk(500))
    assert len(memory) == 1_000


def test_what_is_too_large_but_recent_stays_as_it_is():
    memory = WorkingMemory()
    memory.add(*[user("x" * 20_000)] * 6)
    assert len(memory) == 6


def test_instructions_stay_in_front_of_the_summary():
    memory = WorkingMemory([Message.of("system", "You are a gardener."), *talk(20)])
    assert memory.summarize_older()
    assert memory.messages[0].text == "You are a gardener."
    assert memory.messages[1].digest
    assert len(memory) == 8


def test_instructions_do_not_count():
    memory = WorkingMemory([Message.of("system", "x" * 40_000)])
    memory.add(*talk(15))
    assert len(memory) == 31


def test_the_preserved_messages_reach_back_to_the_call_of_their_results():
    calls = [str(number) for number in range(8)]
    memory = WorkingMemory(
        [*talk(15), user("all of them"), calling(calls), *(answering([each]) for each in calls)]
    )
    memory.summarize_older()
    assert [call.id for call in memory.messages[1].calls] == calls
    assert len(memory) == 10


def test_a_call_that_a_delegation_group_awaits_stays_until_its_result_is_there():
    memory = WorkingMemory([user("ask the others"), calling(["far"])])
    memory.delegation("g1").expect("far")
    memory.add(*talk(20))
    assert [call.id for message in memory.messages for call in message.calls] == ["far"]
    memory.add(answering(["far"]))
    memory.delegation("g1").settle("far", "done")
    memory.add(*talk(20))
    assert not [call for message in memory.messages for call in message.calls]


def test_metadata_of_summarized_calls_goes():
    memory = WorkingMemory([user(), calling(["a"]), answering(["a"])])
    memory.tool_meta["a"] = {"icon": "search"}
    memory.add(*talk(20))
    assert memory.tool_meta == {}


@given(histories, st.integers(1, 8))
def test_no_summary_leaves_an_orphan(history, preserved):
    memory = WorkingMemory(history, max_messages=0, preserve_recent=preserved)
    memory.summarize_older()
    check_no_orphans(history, [message for message in memory.messages if message.digest is None])
    assert memory.messages[-preserved:] == tuple(history[-preserved:])


@given(orderly(), st.integers(1, 8), st.integers(0, 60))
def test_nor_do_summaries_that_follow_each_other(history, preserved, limit):
    memory = WorkingMemory(max_history_tokens=limit, max_messages=8, preserve_recent=preserved)
    for message in history:
        memory.add(message)
    check_no_orphans(history, [message for message in memory.messages if message.digest is None])
    assert memory.messages[-preserved:] == tuple(history[-preserved:])
    assert sum(message.digest is not None for message in memory.messages) <= 1


def test_at_least_one_message_is_preserved():
    with pytest.raises(ValueError, match="preserve_recent must be 1 or more"):
        WorkingMemory(preserve_recent=0)


# --- what the deterministic summary says ----------------------------------------------------------


def text_of(*history: Message) -> str:
    memory = WorkingMemory([*history, *[assistant("")] * 6], max_messages=1)
    memory.summarize_older()
    return memory.messages[0].text


def test_it_tells_what_was_asked_what_was_used_and_where_it_stood():
    used = [
        calling(["1", "2"]),
        Message("tool", (ToolResult("1", (Text("no such host"),), is_error=True),)),
        answering(["2"], "up"),
    ]
    assert text_of(user("Deploy the\nservice"), *used, assistant("It runs."), user("Verify it")) == (
        "Summary of the conversation so far (6 messages):\n"
        '- The user asked, in this order: "Deploy the service"; "Verify it"\n'
        "- Tools called: look (2, 1 failed)\n"
        '- The last answer: "It runs."'
    )


def test_it_says_nothing_of_what_there_was_not():
    assert text_of(assistant("")) == "Summary of the conversation so far (1 messages):"


def test_of_many_requests_the_first_and_the_latest_are_quoted():
    text = text_of(*talk(10))
    assert (
        '"question 0"; "question 1"; (4 more); "question 6"; "question 7"; "question 8"; "question 9"' in text
    )


def test_the_request_that_is_worked_on_is_quoted_at_more_length_than_those_before():
    text = text_of(user("first " * 400), user("second " * 400))
    assert text.count("first") == 26
    assert text.count("second") == 142


def test_its_role_gives_what_it_quotes_no_authority():
    memory = WorkingMemory(talk(20))
    memory.summarize_older()
    assert memory.messages[0].role == "user"
    assert memory.to_chat()[0].keys() == {"role", "content"}


def test_a_second_summary_takes_the_first_one_in_and_does_not_quote_it():
    memory = WorkingMemory()
    memory.add(*[each for _ in range(10) for each in (calling(["a"]), answering(["a"]))])
    for turn in range(200):
        memory.add(user(f"question {turn}"), assistant(f"answer {turn}"))
    [summary] = [message for message in memory.messages if message.digest]
    assert summary.text.count("Summary of the conversation") == 1
    assert "look (10)" in summary.text
    assert '"question 0"; "question 1"; (' in summary.text
    assert summary.digest.messages + len(memory) - 1 == 20 + 400


@given(
    st.lists(
        st.one_of(
            st.builds(Message.of, st.sampled_from(["user", "assistant"]), st.text(max_size=500)),
            st.builds(lambda name: Message("assistant", (ToolCall("1", name),)), st.text(min_size=1)),
        ),
        min_size=1,
    )
)
def test_it_is_bounded_however_long_and_strange_the_history(history):
    memory = WorkingMemory(max_messages=1, preserve_recent=1)
    for message in history * 3:
        memory.add(message)
        assert len(memory.messages[0].text) <= LONGEST_SUMMARY


# --- by a language model --------------------------------------------------------------------------


def test_a_language_model_gets_the_older_messages_and_writes_the_summary():
    seen = []

    def summarize(messages):
        seen.append(messages)
        return " They talked. "

    memory = WorkingMemory(talk(20), summarize=summarize)
    memory.summarize_older()
    assert seen == [tuple(talk(20)[:-6])]
    assert memory.messages[0].text == "Summary of the conversation so far (34 messages):\nThey talked."
    memory.add(*talk(13))
    assert seen[1][0].text.endswith("They talked.")


def fails(messages):
    raise RuntimeError("secret words of the user")


@pytest.mark.parametrize("summarize", [fails, lambda messages: "  ", lambda messages: None])
def test_when_the_model_fails_the_deterministic_summary_stands_in(summarize, caplog):
    memory = WorkingMemory(talk(20), summarize=summarize)
    assert memory.summarize_older()
    assert "question 0" in memory.messages[0].text
    assert "secret" not in caplog.text


def test_when_the_model_hangs_it_is_not_waited_for():
    held = threading.Event()
    memory = WorkingMemory(talk(20), summarize=lambda messages: str(held.wait(60)), summary_timeout=0.01)
    assert memory.summarize_older()
    held.set()
    assert "question 0" in memory.messages[0].text


def test_what_a_model_told_is_kept_shortened_when_the_next_summary_is_without_it():
    answers = iter(["They talked of roses. " + "x" * 9_000])
    memory = WorkingMemory(summarize=lambda messages: next(answers))
    memory.add(*talk(20))
    assert len(memory.messages[0].text) <= LONGEST_SUMMARY
    memory.add(*talk(20))
    text = memory.messages[0].text
    assert "They talked of roses." in text
    assert "question 19" not in text
    assert len(text) <= 2_000


async def telling(messages):
    return "They talked."


async def hanging(messages):
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:  # it does not listen
            return "too late"


async def failing(messages):
    raise RuntimeError("no model")


async def giving_up(messages):
    raise asyncio.CancelledError


def test_an_asynchronous_model_needs_the_asynchronous_methods():
    memory = WorkingMemory(talk(20), summarize=telling)
    with pytest.raises(TypeError, match="needs the asynchronous methods"):
        memory.summarize_older()
    assert len(memory) == 40


@pytest.mark.parametrize("summarize", [telling, lambda messages: "They talked."])
def test_a_summary_can_be_awaited(summarize):
    async def go():
        memory = WorkingMemory(summarize=summarize)
        await memory.aadd(*talk(20))
        return memory.messages[0].text

    assert asyncio.run(go()).endswith("They talked.")


@pytest.mark.parametrize("summarize", [hanging, failing, giving_up, fails, None])
def test_an_awaited_summary_falls_back_as_well(summarize):
    async def go():
        memory = WorkingMemory(summarize=summarize, summary_timeout=0.01)
        await memory.aadd(*talk(20))
        return memory.messages[0].text

    assert "question 0" in asyncio.run(go())


def test_whoever_is_cancelled_while_a_summary_is_awaited_has_lost_no_message():
    async def go():
        memory = WorkingMemory(summarize=hanging, summary_timeout=60)
        waiting = asyncio.create_task(memory.aadd(*talk(20)))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        return memory.messages

    assert asyncio.run(go()) == tuple(talk(20))


def test_what_is_added_while_a_summary_is_awaited_stays():
    async def go():
        begun, enough = asyncio.Event(), asyncio.Event()

        async def summarize(messages):
            begun.set()
            await enough.wait()
            return "They talked."

        memory = WorkingMemory(talk(20), summarize=summarize)
        waiting = asyncio.create_task(memory.asummarize_older())
        await begun.wait()
        await memory.aadd(user("meanwhile"))
        enough.set()
        assert await waiting
        return memory.messages

    messages = asyncio.run(go())
    assert messages[0].text.endswith("They talked.")
    assert messages[1:] == (*talk(20)[-6:], user("meanwhile"))


@pytest.mark.parametrize(
    "happening",
    [
        lambda memory: memory.trim_to_token_budget(20),
        lambda memory: memory._append([answering(["late"])]),
    ],
    ids=["trimmed", "a call answered"],
)
def test_a_summary_of_what_is_no_longer_so_is_dropped(happening):
    async def go():
        async def summarize(messages):
            happening(memory)
            return "They talked."

        memory = WorkingMemory([calling(["late"]), *talk(20)], summarize=summarize)
        done = await memory.asummarize_older()
        return done, memory.messages

    done, messages = asyncio.run(go())
    assert not done
    assert not any(message.digest for message in messages)
