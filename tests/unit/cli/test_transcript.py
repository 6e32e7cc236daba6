import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.cli.failures import CommandError
from strata.cli.transcript import parse

TALK = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "hi\nthere"}]

messages = st.lists(
    st.fixed_dictionaries({"role": st.sampled_from(["user", "assistant"]), "content": st.text()})
)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(TALK),
        json.dumps(TALK, indent=2),
        "\n".join(map(json.dumps, TALK)),
        "\n\n".join(map(json.dumps, TALK)) + "\n",
        json.dumps({"messages": TALK, "id": 7}),
        "user: hello\nassistant: hi\nthere\n",
        "\n\nHuman:hello\n\nAI: hi\nthere\n\n",
        "\ufeffuser: hello\r\nassistant: hi\r\nthere\r\n",
    ],
)
def test_every_form_gives_the_same_messages(text):
    assert parse(text) == TALK


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\x0c"])
def test_only_a_line_feed_ends_a_line(sign):
    said = [{"role": "user", "content": f"one{sign}user: two"}, {"role": "assistant", "content": "three"}]
    assert parse(f"user: one{sign}user: two\nassistant: three") == said
    if sign > " ":  # what JSON lets stand in a string
        assert parse("\n".join(json.dumps(each, ensure_ascii=False) for each in said)) == said


@pytest.mark.parametrize("text", ["", " \n\n", "[]"])
def test_an_empty_transcript_has_no_messages(text):
    assert parse(text) == []


def test_a_single_message_may_stand_alone():
    assert parse('{"role": "user", "content": "hello"}') == TALK[:1]


def test_only_a_speaker_begins_a_turn():
    text = "user: list it\nassistant: Here:\nnote: milk\nhttp://example.org\nuser says nothing"
    assert [message["role"] for message in parse(text)] == ["user", "assistant"]


@given(messages)
def test_json_and_json_lines_come_back_as_they_were(talk):
    assert parse(json.dumps(talk)) == talk
    assert parse("\n".join(map(json.dumps, talk))) == talk


@given(st.text())
def test_any_text_is_messages_or_a_sentence(text):
    with suppress(CommandError):
        assert all(isinstance(message["role"], str) for message in parse(text))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hello", "line 1 of the transcript does not begin with who speaks"),
        ('[{"role": "user"', "not valid JSON in line 1"),
        ('{"role": "user", "content": "a"}\n{"role": ', "not valid JSON in line 2"),
        ('[{"role": "user"}]', "message 1 of the transcript"),
        ('["hello"]', "message 1 of the transcript"),
        ('{"role": 7, "content": ""}', "message 1 of the transcript"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text, sentence):
    with pytest.raises(CommandError, match=sentence):
        parse(text)
