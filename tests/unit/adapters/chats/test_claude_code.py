"""Claude Code's sessions, as its versions write them."""

import os
from datetime import UTC, datetime

from strata.adapters.chats.claude_code import ClaudeCode
from strata.adapters.chats.source import Places
from support.chat_homes import lines, said, write


def record(kind, number, content, **fields):
    """A record of a session in the folder /home/ann/shop."""
    return {
        "parentUuid": None,
        "isSidechain": False,
        "userType": "external",
        "cwd": "/home/ann/shop",
        "sessionId": "s1",
        "version": "2.1.4",
        "type": kind,
        "uuid": number,
        "timestamp": f"2025-11-03T09:00:{len(number):02}.500Z",
        "message": {"role": kind, "content": content},
    } | fields


def text(words):
    return [{"type": "text", "text": words}]


def session(folder, name="s1", *, records=(), half=False):
    return lines(folder / ".claude/projects/-home-ann-shop" / f"{name}.jsonl", records, half=half)


def read(folder):
    source = ClaudeCode(Places(folder))
    return said(source), source


def test_what_was_said_is_read_and_the_tools_own_words_are_not(tmp_path):
    result = [{"type": "tool_result", "tool_use_id": "t1", "content": "3 files"}]
    records = [
        {"type": "summary", "summary": "Shop reports", "leafUuid": "u"},
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        {"type": "permission-mode", "permissionMode": "default", "sessionId": "s1"},
        record("user", "u", "Which database?"),
        record("user", "uu", "Caveat", isMeta=True),
        record("assistant", "uuu", [{"type": "thinking", "thinking": "hm"}]),
        record("assistant", "uuuu", [*text("Postgres."), {"type": "tool_use", "id": "t1", "name": "Bash"}]),
        record("user", "uuuuu", result, toolUseResult={"stdout": "3 files"}),
        record("user", "u6", "This session is being continued from…", isCompactSummary=True),
        {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted", "uuid": "x"},
        record("user", "u7", [{"type": "text", "text": "<system-reminder>be brief</system-reminder>Thanks"}]),
        record("user", "u8", "<command-name>/clear</command-name><command-args></command-args>"),
        record("user", "u9", "<command-name>/plan</command-name><command-args>the report</command-args>"),
    ]
    session(tmp_path, records=records)
    messages, source = read(tmp_path)
    assert messages == {
        "s1": [
            ("user", "Which database?", "2025-11-03 09:00:01"),
            ("assistant", "Postgres.", "2025-11-03 09:00:04"),
            ("user", "Thanks", "2025-11-03 09:00:02"),
            ("user", "the report", "2025-11-03 09:00:02"),
        ]
    }
    assert source.unread == {}
    (found,) = source.conversations()
    assert (found.project, found.title) == ("shop", "Shop reports")
    assert found.started == datetime(2025, 11, 3, 9, 0, 1, 500_000, tzinfo=UTC)


def test_agents_have_conversations_of_their_own_in_which_no_person_speaks(tmp_path):
    session(tmp_path, records=[record("user", "u", "Find it")])
    task = [record("user", "a", "Search for it", isSidechain=True, agentId="7f3a")]
    session(tmp_path, "agent-7f3a", records=task)
    session(
        tmp_path, "s1/subagents/agent-99", records=[record("assistant", "b", text("Done"), isSidechain=True)]
    )
    messages, _ = read(tmp_path)
    assert {key: [role for role, *_ in found] for key, found in messages.items()} == {
        "s1": ["user"],
        "-home-ann-shop/agent-7f3a": ["assistant"],
        "s1/agent-99": ["assistant"],
    }


def test_messages_that_a_resumed_or_forked_session_repeats_come_once(tmp_path):
    first = [record("user", "u", "One"), record("assistant", "uu", text("Two"))]
    session(tmp_path, "s1", records=first)
    session(tmp_path, "s2", records=[*first, record("user", "uuu", "Three", sessionId="s2")])
    forked = [record("user", "n", "One", forkedFrom={"sessionId": "s1", "messageUuid": "u"})]
    session(tmp_path, "s3", records=[*forked, record("user", "nn", "Four")])
    messages, source = read(tmp_path)
    texts = [words for found in messages.values() for _, words, _ in found]
    assert texts == ["One", "Two", "Three", "Four"]
    assert said(source) == messages  # the same when it is read again


def test_broken_lines_and_unknown_records_are_named_and_the_rest_is_read(tmp_path):
    path = session(tmp_path, records=[record("user", "u", "One"), record("oracle", "o", "?")], half=True)
    empty = session(tmp_path, "s0")
    messages, source = read(tmp_path)
    assert [words for _, words, _ in messages["s1"]] == ["One"]
    assert messages[empty.stem] == []
    assert source.unread == {
        f"{path}: records of the kind 'oracle'": 1,
        f"{path}: a half-written last line": 1,
    }


def test_only_files_that_changed_since_then_are_read(tmp_path):
    old = session(tmp_path, "old", records=[record("user", "u", "One")])
    session(tmp_path, "new", records=[record("user", "n", "Two")])
    os.utime(old, (0, 1_700_000_000))
    source = ClaudeCode(Places(tmp_path))
    assert [each.id for each in source.conversations(datetime(2024, 1, 1, tzinfo=UTC))] == ["new"]


def test_notes_are_the_persons_instructions_and_what_was_remembered_of_a_project(tmp_path):
    session(tmp_path, records=[record("user", "u", "One", cwd="C:\\work\\Barn")])
    write(tmp_path / ".claude/CLAUDE.md", "Answer in short sentences.\n")
    write(tmp_path / ".claude/projects/-home-ann-shop/memory/MEMORY.md", "The build needs make.")
    _, source = read(tmp_path)
    assert [(each.project, each.title, each.text) for each in source.notes()] == [
        (None, "CLAUDE", "Answer in short sentences."),
        ("Barn", "MEMORY", "The build needs make."),
    ]


def test_a_home_without_it_has_nothing(tmp_path):
    source = ClaudeCode(Places(tmp_path))
    assert (source.places(), list(source.conversations()), list(source.notes())) == ([], [], [])
