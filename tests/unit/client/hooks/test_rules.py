"""The rules of tool hooks: how they are read, which of them a call falls under, what becomes of a result."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.client.hooks import HookRules, HooksError
from strata.client.hooks.matching import decide, is_memory_tool, query_of
from strata.client.hooks.text import as_text, named_arguments
from strata.installation import adding

AGENTOPS = """
toolHooks:
  memorySaveRules:
    - tool: bash
      matchOutput: "error|panic|fatal"
      type: bugfix
      scope: project
    - tool: kubectl_apply
      type: decision
      scope: project
  contextInjectTools:
    - tool: bash
      query: from_tool_args
      limit: 3
"""


def saving(**rule):
    return HookRules.from_dict({"memorySaveRules": [{"tool": "bash", **rule}]}).save_rules


def refused(document):
    with pytest.raises(HooksError) as caught:
        HookRules.from_dict(document)
    return dict(caught.value.problems)


# --- reading --------------------------------------------------------------------------------------


def test_the_yaml_of_agentops_is_read(tmp_path):
    rules = HookRules.from_yaml(AGENTOPS)
    assert [(rule.tool, rule.type, rule.scope) for rule in rules.save_rules] == [
        ("bash", "bugfix", "project"),
        ("kubectl_apply", "decision", "project"),
    ]
    assert rules.inject_rules[0].limit == 3
    (tmp_path / "hooks.yaml").write_text(AGENTOPS, encoding="utf-8")
    assert len(HookRules.from_yaml(tmp_path / "hooks.yaml").save_rules) == 2


def test_rules_stand_alone_under_their_name_or_in_the_whole_agent():
    rules = {"memorySaveRules": [{"tool": "bash"}]}
    for document in (rules, {"toolHooks": rules}, {"kind": "Agent", "spec": {"toolHooks": rules}}):
        assert HookRules.from_dict(document).save_rules[0].tool == "bash"


def test_what_a_rule_leaves_out_or_empty_has_the_defaults_of_agentops():
    empty: dict[str, Any] = {"matchOutput": "", "matchArgs": None, "type": "", "scope": ""}
    for given_ in ({}, empty):
        [rule] = saving(**given_)
        assert (rule.type, rule.scope, rule.match_output, rule.match_args) == (
            "discovery",
            "project",
            None,
            {},
        )
    for given_ in ({}, {"query": "", "limit": 0}):
        [rule] = HookRules.from_dict({"contextInjectTools": [{"tool": "bash", **given_}]}).inject_rules
        assert (rule.query, rule.limit) == ("from_tool_args", 3)


@pytest.mark.parametrize("nothing", ["", "toolHooks:", "spec: {toolHooks: {}}"])
def test_no_rules_are_rules_too(nothing):
    assert HookRules.from_yaml(nothing).save_rules == []


def test_every_wrong_field_is_named_at_once():
    problems = refused(
        {
            "toolHooks": {
                "memorySaveRules": [
                    {"tool": "bash", "matchOutput": "(", "scope": "tenant"},
                    {"matchArgs": {"command": "(?=x)"}, "type": "t" * 51},
                ],
                "contextInjectTools": [{"tool": "bash", "limit": 11}],
            }
        }
    )
    assert set(problems) == {
        "toolHooks.memorySaveRules[0].matchOutput",
        "toolHooks.memorySaveRules[0].scope",
        "toolHooks.memorySaveRules[1].tool",
        "toolHooks.memorySaveRules[1].matchArgs.command",
        "toolHooks.memorySaveRules[1].type",
        "toolHooks.contextInjectTools[0].limit",
    }
    assert problems["toolHooks.memorySaveRules[0].matchOutput"] == "is not a pattern of RE2: missing ): ("


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ([1], "toolHooks"),
        ({"toolHooks": "bash"}, "toolHooks"),
        ({"memorySaveRules": {"tool": "bash"}}, "toolHooks.memorySaveRules"),
        ({"memorySaveRules": ["bash"]}, "toolHooks.memorySaveRules[0]"),
        (
            {"memorySaveRules": [{"tool": "bash", "matchOutput": 7}]},
            "toolHooks.memorySaveRules[0].matchOutput",
        ),
        ({"memorySaveRules": [{"tool": "b", "matchArgs": "x"}]}, "toolHooks.memorySaveRules[0].matchArgs"),
        (
            {"memorySaveRules": [{"tool": "b", "matchOutput": "x" * 1001}]},
            "toolHooks.memorySaveRules[0].matchOutput",
        ),
        (
            {"memorySaveRules": [{"tool": "b", "matchOutput": "\udcff"}]},
            "toolHooks.memorySaveRules[0].matchOutput",
        ),
    ],
)
def test_rules_of_a_wrong_shape_are_refused_by_name(document, field):
    assert list(refused(document)) == [field]


@pytest.mark.parametrize(("text", "says"), [("a: [", "is not YAML"), ("hooks.yaml", "given as a Path")])
def test_text_that_holds_no_rules_is_refused(text, says):
    with pytest.raises(HooksError, match=says):
        HookRules.from_yaml(text)


def test_yaml_can_make_no_objects():
    with pytest.raises(HooksError, match="is not YAML"):
        HookRules.from_yaml("!!python/object/apply:os.system ['true']")


def test_keys_without_a_meaning_here_are_warned_of():
    document = {"blockedCommands": ["rm"], "memorySaveRules": [{"tool": "bash", "matchOuput": "x"}]}
    with pytest.warns(UserWarning, match="has no effect here") as warned:
        HookRules.from_dict(document)
    assert [str(one.message).split(" ", 1)[0] for one in warned] == [
        "toolHooks.blockedCommands",
        "toolHooks.memorySaveRules[0].matchOuput",
    ]


def test_a_missing_library_is_named_with_what_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "re2", None)
    assert adding("hooks") in refused({"memorySaveRules": [{"tool": "b", "matchOutput": "x"}]}).popitem()[1]
    assert saving()  # without patterns nothing is missing
    monkeypatch.setitem(sys.modules, "yaml", None)
    with pytest.raises(HooksError, match=re.escape(adding("hooks"))):
        HookRules.from_yaml(Path("hooks.yaml"))


# --- which rule -----------------------------------------------------------------------------------


def test_a_rule_saves_what_matches_with_a_title_that_tells_of_the_call():
    capture, skips = decide(
        saving(matchOutput="(?i)error", type="bugfix", scope="global"),
        "bash",
        {"command": "make\n deploy " + "x" * 200},
        "Error: no lock",
    )
    assert skips == []
    assert capture is not None
    assert (capture.type, capture.scope, capture.content) == ("bugfix", "global", "Error: no lock")
    assert (
        capture.title
        == ("Auto-captured: bash — make deploy " + "x" * 200)[: len("Auto-captured: bash — ") + 80]
    )
    assert capture.tags == ["auto-capture", "hook", "bash"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "arg_missing"),
        ({"command": ""}, "arg_missing"),
        ({"command": "ls"}, "arg_not_matched"),
        ({"command": "kubectl apply"}, None),
    ],
)
def test_all_patterns_of_arguments_must_match(arguments, reason):
    capture, skips = decide(saving(matchArgs={"command": "^kubectl"}), "bash", arguments, "done")
    assert (capture is None) == (reason is not None)
    assert [(skip.reason, skip.rule, skip.arg) for skip in skips] == (
        [(reason, 0, "command")] if reason else []
    )


def test_an_argument_that_is_no_text_is_matched_as_json():
    rules = saving(matchArgs={"options": '"force": true'})
    assert decide(rules, "bash", {"options": {"force": True}}, "done")[0] is not None


def test_the_first_rule_that_matches_saves_and_the_others_say_why_they_did_not():
    rules = HookRules.from_dict(
        {
            "memorySaveRules": [
                {"tool": "other"},
                {"tool": "bash", "matchOutput": "panic", "type": "bugfix"},
                {"tool": "bash", "type": "config"},
                {"tool": "bash", "type": "pattern"},
            ]
        }
    ).save_rules
    capture, skips = decide(rules, "bash", {}, "done")
    assert capture is not None
    assert capture.type == "config"
    assert [(skip.reason, skip.rule) for skip in skips] == [("output_not_matched", 1)]


def test_a_result_is_kept_up_to_the_limit_of_an_observation():
    capture, _ = decide(saving(), "bash", {}, "é" * 50_001)
    assert capture is not None
    assert capture.is_cut
    assert len(capture.content) == 50_000


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "^(a|a)*$", "(a|aa)+$", "(.*)(.*)(.*)(.*)(.*)[^!]$", "[ab]*a[ab]{900}$", "(x+x+)+y"]
)
def test_a_hostile_pattern_ends_in_a_skip(pattern):
    """Backtracking would take longer than the universe is old; the test's own limit would end it."""
    _, skips = decide(saving(matchOutput=pattern), "bash", {}, "a" * 49_999 + "!")
    [reason] = [skip.reason for skip in skips]
    assert reason in ("output_not_matched", "match_too_costly")


def test_a_pattern_too_large_for_a_text_is_not_tried_on_it():
    [costly, cheap] = saving(matchOutput="(?i)(a?){900}b") + saving(matchOutput="a")
    for output, reason in (
        ("a" * 3_000, "output_not_matched"),
        ("日" * 3_000, "match_too_costly"),  # a character of three bytes takes three steps
        ("a" * 50_000, "match_too_costly"),
    ):
        _, skips = decide([costly], "bash", {}, output)
        assert [skip.reason for skip in skips] == [reason]
    capture, _ = decide([costly, cheap], "bash", {}, "a" * 50_000)
    assert capture is not None


def test_the_patterns_of_one_call_share_what_it_may_cost():
    rules = saving(matchOutput="(?i)(a?){50}b") * 4  # each alone would do
    _, skips = decide(rules, "bash", {}, "a" * 40_000)
    assert [skip.reason for skip in skips] == ["output_not_matched"] + ["match_too_costly"] * 3


def test_usual_patterns_suit_the_longest_text():
    words = "|".join(f"error{number}" for number in range(60))
    _, skips = decide(saving(matchOutput=f"(?i)({words})"), "bash", {}, "x" * 60_000)
    assert [skip.reason for skip in skips] == ["output_not_matched"]


def test_a_pattern_that_would_take_too_much_room_is_refused():
    [message] = refused(
        {"memorySaveRules": [{"tool": "b", "matchOutput": "((a{0,100}){0,100}b){0,9}"}]}
    ).values()
    assert message.startswith("is not a pattern of RE2")


@pytest.mark.parametrize(
    ("tool", "own"),
    [
        ("mem_save", True),
        ("mcp__strata__mem_search", True),
        ("strata.memory_ask_about_user", True),
        ("mcp__strata__mem_entity", True),
        ("mem_saver", False),
        ("filmem_save", False),
        ("bash", False),
    ],
)
def test_the_memory_s_own_tools_are_known_by_their_names(tool, own):
    assert is_memory_tool(tool) is own


# --- what is searched -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "arguments", "searched"),
    [
        ("deploy rules", {"command": "ls"}, "deploy rules"),
        ("from_tool_args", {"path": "/etc", "command": "cat\n hosts"}, "cat hosts"),
        ("from_tool_args", {"query": " wal ", "path": "x"}, "wal"),
        ("from_tool_args", {"path": "/etc/hosts"}, "/etc/hosts"),
        ("from_tool_args", {"namespace": "prod", "replicas": 3, "image": "api"}, "prod api"),
        ("from_tool_args", {"replicas": 3}, ""),
        ("from_tool_args", {"command": "x" * 900}, "x" * 500),
    ],
)
def test_a_search_asks_for_a_fixed_text_or_for_what_the_arguments_say(query, arguments, searched):
    [rule] = HookRules.from_dict({"contextInjectTools": [{"tool": "bash", "query": query}]}).inject_rules
    assert query_of(rule, arguments) == searched


# --- results and arguments as text ----------------------------------------------------------------


class Odd:
    def __str__(self):
        return "odd"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("ok", "ok"),
        (None, ""),
        (b"caf\xc3\xa9 \xff", "café \N{REPLACEMENT CHARACTER}"),
        ({"n": 1.5, "é": [True, None]}, '{"n": 1.5, "é": [true, null]}'),
        ([Odd()], '["odd"]'),
        ("caf\udce9", "caf\N{REPLACEMENT CHARACTER}"),
        ({("a", 1): 2}, "{('a', 1): 2}"),
    ],
)
def test_any_result_has_a_text(value, text):
    assert as_text(value, 100) == text


def test_a_result_that_holds_itself_has_a_text():
    circle: list[object] = []
    circle.append(circle)
    assert as_text(circle, 100)


def test_models_and_dataclasses_are_their_fields():
    [rule] = HookRules.from_dict({"contextInjectTools": [{"tool": "bash"}]}).inject_rules
    assert json.loads(as_text(rule, 1000)) == {"tool": "bash", "query": "from_tool_args", "limit": 3}
    capture, _ = decide(saving(), "bash", {}, "done")
    assert json.loads(as_text(capture, 1000))["content"] == "done"


def test_of_a_result_without_end_only_the_beginning_is_read():
    class Endless(list[int]):
        def __iter__(self):
            while True:
                yield 7

    assert as_text(Endless([7]), 9) == "[7, 7, 7,"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    ),
    st.integers(0, 40),
)
def test_a_text_is_never_longer_than_asked_and_always_encodable(value, limit):
    text = as_text(value, limit)
    assert len(text) <= limit
    text.encode()


def test_arguments_have_the_names_of_the_signature():
    import inspect

    def tool(self, command, *rest, timeout=30, **more):
        pass

    signature = inspect.signature(tool)
    assert named_arguments(signature, (None, "ls"), {"timeout": 5, "cwd": "/"}) == {
        "command": "ls",
        "timeout": 5,
        "cwd": "/",
    }
    assert named_arguments(signature, (), {"command": "ls"}) == {"command": "ls"}
    assert named_arguments(None, ("ls",), {"cwd": "/"}) == {"cwd": "/"}


@pytest.mark.parametrize("args", [({"command": "ls"},), ()])
def test_one_mapping_as_the_only_argument_is_the_arguments(args):
    import inspect

    def tool(arguments):
        pass

    kwargs = {} if args else {"arguments": {"command": "ls"}}
    for signature in (inspect.signature(tool), None) if args else (inspect.signature(tool),):
        assert named_arguments(signature, args, kwargs) == {"command": "ls"}
