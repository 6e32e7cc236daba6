import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.client.working_memory import (
    File,
    Message,
    Other,
    Reasoning,
    Text,
    ToolCall,
    ToolResult,
    WorkingMemory,
    from_chat,
    part_from_dict,
    to_chat,
)

PICTURE = "data:image/png;base64,iVBORw0KGgo="


def back(chat: dict) -> dict:
    [same] = to_chat([from_chat(chat)])
    return same


# --- chat messages --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "chat",
    [
        {"role": "system", "content": "You are a gardener."},
        {"role": "user", "content": "", "name": "ann"},
        {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]},
        {"role": "user", "content": [{"type": "text", "text": "a", "cache_control": {"type": "ephemeral"}}]},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": PICTURE, "detail": "low"}}]},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.com/a"}}]},
        {"role": "user", "content": [{"type": "video_url", "video_url": {"url": "https://example.com/v"}}]},
        {
            "role": "user",
            "content": [{"type": "audio_url", "audio_url": {"url": "data:audio/wav;base64,AA"}}],
        },
        {
            "role": "user",
            "content": [{"type": "input_audio", "input_audio": {"data": "AA", "format": "wav"}}],
        },
        {"role": "user", "content": [{"type": "file", "file": {"file_data": PICTURE, "filename": "a.png"}}]},
        {"role": "user", "content": [{"type": "file", "file": {"file_id": "file-1"}}]},
        {"role": "user", "content": [{"type": "file", "file": {"file_id": 1}}]},
        {"role": "user", "content": [{"type": "hologram", "hologram": [1, None]}]},
        {"role": "user", "content": [{"type": None, "odd": True}]},
        {"role": "assistant", "content": None, "refusal": "No.", "tool_calls": None},
        {"role": "assistant", "content": "4", "reasoning_content": "2 and 2"},
        {"role": "assistant", "content": "4", "reasoning": "2 and 2", "reasoning_details": [{"a": 1}]},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {
                    "id": "1",
                    "type": "function",
                    "function": {"name": "look", "arguments": '{"a":'},
                    "index": 0,
                },
                {"id": "2", "type": "custom", "custom": {"name": "sh", "input": "ls"}},
                {"id": "3", "type": "function", "function": {"name": "f", "arguments": "", "strict": True}},
            ],
        },
        {"role": "tool", "tool_call_id": "1", "content": "sunny", "name": "look"},
        {"role": "tool", "tool_call_id": "1", "content": [{"type": "text", "text": "a"}, {"type": "odd"}]},
    ],
    ids=lambda chat: json.dumps(chat)[:60],
)
def test_a_chat_message_comes_back_as_it_went_in(chat):
    assert back(chat) == chat
    assert Message.from_dict(json.loads(json.dumps(from_chat(chat).to_dict()))) == from_chat(chat)


def test_an_exchange_with_a_tool_becomes_typed_parts():
    call = {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    asked = from_chat({"role": "assistant", "content": "Let me see.", "tool_calls": [call]})
    told = from_chat({"role": "tool", "tool_call_id": "1", "content": "sunny"})
    assert asked == Message("assistant", (Text("Let me see."), ToolCall("1", "look", "{}")))
    assert told == Message("tool", (ToolResult("1", (Text("sunny"),)),))


def test_a_picture_and_a_recording_become_files():
    content = [
        {"type": "image_url", "image_url": {"url": PICTURE}},
        {"type": "input_audio", "input_audio": {"data": "AA", "format": "mp3"}},
    ]
    assert from_chat({"role": "user", "content": content}).parts == (
        File("image/png", PICTURE),
        File("audio/mp3", "data:audio/mp3;base64,AA"),
    )


def test_thoughts_are_left_out_for_servers_that_refuse_them():
    message = Message("assistant", (Reasoning("hm"), Text("4")))
    assert to_chat([message], reasoning=False) == [{"role": "assistant", "content": "4"}]


def test_several_results_in_one_message_become_a_tool_message_each():
    message = Message("user", (ToolResult("1", (Text("a"),)), ToolResult("2", (Text("b"),)), Text("Go on.")))
    assert to_chat([message]) == [
        {"role": "tool", "tool_call_id": "1", "content": "a"},
        {"role": "tool", "tool_call_id": "2", "content": "b"},
        {"role": "user", "content": "Go on."},
    ]


def test_a_message_of_a_client_library_is_taken_as_it_is():
    from pydantic import BaseModel

    class ChatCompletionMessage(BaseModel):
        role: str = "assistant"
        content: str | None = "4"
        refusal: str | None = None

    memory = WorkingMemory()
    memory.add(ChatCompletionMessage())
    assert memory.messages == (Message.of("assistant", "4"),)


@pytest.mark.parametrize(
    ("chat", "problem"),
    [
        ("hello", "message must be an object"),
        ({"content": "a"}, "message.role must be a string"),
        ({"role": "user", "content": 1}, "message.content must be a string or a list of parts"),
        ({"role": "user", "content": [1]}, r"message.content\[0\] must be an object"),
        ({"role": "tool", "content": "a"}, "message.tool_call_id must be a string"),
        ({"role": "assistant", "tool_calls": "f"}, "message.tool_calls must be a list"),
        (
            {"role": "assistant", "tool_calls": [{"id": "1", "function": {"arguments": ""}}]},
            r"message.tool_calls\[0\].function.name must be a string",
        ),
        ({"role": "assistant", "tool_calls": [{"function": {}}]}, r"message.tool_calls\[0\].id must be"),
        ({"role": "assistant", "function_call": {"name": "f"}}, "the old way"),
        ({"role": "function", "name": "f", "content": ""}, "the old way"),
    ],
)
def test_what_is_no_chat_message_is_refused_by_name_and_nothing_is_added(chat, problem):
    memory = WorkingMemory()
    with pytest.raises(ValueError, match=problem):
        memory.add({"role": "user", "content": "first"}, chat)
    assert len(memory) == 0


# --- our own form ---------------------------------------------------------------------------------

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
extras = st.none() | st.dictionaries(st.text(), json_values, max_size=3)
texts = st.builds(Text, st.text(), extras)
files = st.builds(File, st.text(), *[st.none() | st.text()] * 3, extras)
others = st.builds(Other, st.dictionaries(st.text(), json_values, max_size=3))
contents = st.lists(texts | files | others, max_size=3).map(tuple)
parts = st.one_of(
    texts,
    files,
    others,
    st.builds(Reasoning, st.text(), extras),
    st.builds(ToolCall, st.text(), st.text(), st.text(), extras),
    st.builds(ToolResult, st.text(), contents, st.booleans(), extras),
)


@given(st.builds(Message, st.text(), st.lists(parts, max_size=4).map(tuple), extras))
def test_a_message_goes_through_json_unchanged(message):
    assert Message.from_dict(json.loads(json.dumps(message.to_dict()))) == message


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "part must be an object"),
        ({"text": "a"}, "part.type must be a string"),
        ({"type": "song"}, "part.type must be one of text, reasoning, file, tool-call, tool-result, other"),
        ({"type": "text", "text": 1}, "part.text must be a string"),
        ({"type": "text", "text": "a", "colour": "red"}, "part.colour is not known"),
        ({"type": "text", "text": "a", "extra": []}, "part.extra must be an object"),
        ({"type": "file", "media_type": "a/b", "url": 1}, "part.url must be a string"),
        ({"type": "tool-result", "call_id": "1", "is_error": "no"}, "part.is_error must be true or false"),
        ({"type": "tool-result", "call_id": "1", "content": "a"}, "part.content must be a list"),
        (
            {"type": "tool-result", "call_id": "1", "content": [{"type": "reasoning", "text": ""}]},
            r"part.content\[0\].type must be one of text, file, other",
        ),
    ],
)
def test_what_is_no_part_is_refused_by_name(value, problem):
    with pytest.raises(ValueError, match=problem):
        part_from_dict(value)
