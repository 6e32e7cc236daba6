"""Tools with hooks: what is saved and looked up around them, and that they never notice."""

import asyncio
import functools
import gc
import inspect
import json
import logging
import threading
import weakref

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.client import Client
from strata.client.hooks import ToolHooks
from strata.client.hooks import spans as hook_spans
from strata.client.retries import RetryPolicy
from strata.local.transport import InProcessTransport
from support.api import gateway
from support.clocks import HandClock
from support.fake_strata import FakeStrata
from support.memory import application

RULES = """
toolHooks:
  memorySaveRules:
    - tool: bash
      matchOutput: "error|panic|fatal"
      type: bugfix
    - tool: kubectl_apply
      type: decision
      scope: global
  contextInjectTools:
    - tool: bash
      query: from_tool_args
"""


@pytest.fixture
def server():
    return FakeStrata()


@pytest.fixture
def client(server):
    return Client("http://strata.test", transport=server, sleep=lambda _: None)


@pytest.fixture
def hooks(client):
    hooks = hooked_with(client)
    yield hooks
    hooks.close()


def hooked_with(client, rules=RULES, **options):
    usual = {"session_id": "s1", "project": "web", "client": client, "search_timeout": 30}
    return ToolHooks.from_yaml(rules, **usual | options)


def bash(command: str, timeout: float = 30.0) -> str:
    """Run a command."""
    return f"{command}: fatal: no lock"


async def bash_async(command: str) -> str:
    """Run a command, too."""
    await asyncio.sleep(0)
    return f"{command}: fatal: no lock"


def saved(hooks, server):
    assert hooks.flush(30)
    return list(server.observations.values())


def events(span):
    return [(event.name, dict(event.attributes)) for event in span.events]


def reasons(span):
    return [a["reason"] for name, a in events(span) if name == "hook.memory_save_skipped"]


class Slow(httpx.BaseTransport):
    """Answers when it is let."""

    def __init__(self, server):
        self.server = server
        self.gate = threading.Event()
        self.asked = threading.Event()

    def handle_request(self, request):
        self.asked.set()
        self.gate.wait(30)
        return self.server.handle_request(request)


@pytest.fixture
def slow(server):
    slow = Slow(server)
    yield slow
    slow.gate.set()


# --- what is saved --------------------------------------------------------------------------------


def test_a_result_that_matches_is_saved_as_an_observation_of_the_session(hooks, server):
    assert hooks.wrap(bash)("make deploy") == "make deploy: fatal: no lock"
    [observation] = saved(hooks, server)
    assert {
        "session_id": "s1",
        "project": "web",
        "type": "bugfix",
        "scope": "project",
        "title": "Auto-captured: bash — make deploy",
        "content": "make deploy: fatal: no lock",
        "tags": ["auto-capture", "hook", "bash"],
    }.items() <= observation.items()


def test_an_async_tool_is_hooked_the_same(hooks, server):
    assert asyncio.run(hooks.wrap(bash_async, name="bash")("ls")) == "ls: fatal: no lock"
    assert [observation["content"] for observation in saved(hooks, server)] == ["ls: fatal: no lock"]


def test_a_result_that_is_no_text_is_saved_as_json(hooks, server):
    result = {"applied": ["api"], "replicas": 3}
    assert hooks.wrap(lambda: result, name="kubectl_apply")() is result
    [observation] = saved(hooks, server)
    assert json.loads(observation["content"]) == result
    assert (observation["type"], observation["scope"]) == ("decision", "global")


def test_of_a_tool_that_fails_the_error_is_the_output(hooks, server):
    error = ValueError("fatal: no lock")

    def bash(command):
        raise error

    with pytest.raises(ValueError, match="fatal") as caught:
        hooks.wrap(bash)("ls")
    assert caught.value is error
    assert [observation["content"] for observation in saved(hooks, server)] == ["ValueError: fatal: no lock"]


def test_of_an_async_tool_that_fails_the_error_is_the_output(hooks, server):
    async def bash(command):
        raise KeyError("fatal")

    with pytest.raises(KeyError):
        asyncio.run(hooks.wrap(bash)("ls"))
    assert [observation["content"] for observation in saved(hooks, server)] == ["KeyError: 'fatal'"]


@pytest.mark.parametrize("error", [StopIteration, GeneratorExit, KeyboardInterrupt, SystemExit])
def test_odd_errors_pass_unchanged(hooks, error):
    def bash():
        raise error("over")

    with pytest.raises(error, match="over"):
        hooks.wrap(bash)()


def test_recalled_text_is_not_saved_again(hooks, server, spans):
    tool = hooks.wrap(lambda text: text, name="kubectl_apply")
    tool("applied\n<memory:context>\n- [fact] Old: known\n</memory:context>\n")
    tool("<memory:sessions>\n- fatal")
    assert [observation["content"] for observation in saved(hooks, server)] == ["applied"]
    assert reasons(spans()[-1]) == ["empty_output"]


def test_a_save_that_failed_before_it_was_done_is_tried_again(hooks, server):
    server.refusals.append(httpx.Response(503, json={"error": "away", "code": "unavailable"}))
    hooks.wrap(lambda: "done", name="kubectl_apply")()
    assert len(saved(hooks, server)) == 1


# --- what is looked up ----------------------------------------------------------------------------


def test_what_is_found_stands_in_the_span_and_nowhere_else(hooks, server, client, spans):
    client.save("make needs a lock", project="web", session_id="s0", title="Locks", type="lesson")
    told = []
    hooks.wrap(told.append, name="bash")("lock")
    [span] = spans()
    assert span.name == "tool.execute: bash"
    assert span.attributes["gen_ai.operation.name"] == "execute_tool"
    assert span.attributes["gen_ai.tool.name"] == "bash"
    assert events(span)[:2] == [
        ("hook.context_injected", {"tool": "bash", "results": 1}),
        (
            "search.result",
            {
                "memory.injected.observation_id": 1,
                "memory.injected.type": "lesson",
                "memory.injected.title": "Locks",
                "memory.injected.rank": -0.5,
                "memory.injected.method": "hybrid",
            },
        ),
    ]
    assert told == ["lock"]
    [search] = [request for request in server.requests if request.url.path == "/search"]
    assert dict(search.url.params) == {"q": "lock", "project": "web", "limit": "3"}


def test_the_requests_of_the_hooks_belong_to_the_call_s_trace(hooks, server, spans):
    hooks.wrap(bash)("ls")
    assert saved(hooks, server)
    [span] = spans()
    parent = f"00-{span.context.trace_id:032x}-{span.context.span_id:016x}-"
    sent = [request.headers["traceparent"].startswith(parent) for request in server.requests]
    assert sent == [True, True]


def test_the_tool_s_own_spans_belong_to_the_call_s(hooks, spans):
    from opentelemetry import trace

    def kubectl_apply():
        trace.get_tracer("tool").start_span("inner").end()

    hooks.wrap(kubectl_apply)()
    inner, outer = spans()
    assert inner.parent.span_id == outer.context.span_id


@pytest.mark.parametrize(
    ("arguments", "name", "about"),
    [
        ({"command": "nothing"}, "hook.context_inject_empty", {"tool": "bash"}),
        ({"timeout": 3}, "hook.context_inject_skipped", {"tool": "bash", "reason": "empty_query"}),
    ],
)
def test_a_search_without_results_or_words_is_told(hooks, spans, arguments, name, about):
    hooks.wrap(lambda **given: "ok", name="bash")(**arguments)
    assert events(spans()[0])[0] == (name, about)


def test_a_search_that_is_refused_is_told_by_its_code(hooks, server, spans):
    server.refusals += [httpx.Response(403, json={"error": "no", "code": "forbidden"})]
    assert hooks.wrap(bash)("ls").startswith("ls")
    about = {"tool": "bash", "reason": "search_failed", "error": "forbidden"}
    assert events(spans()[0])[0] == ("hook.context_inject_skipped", about)


@pytest.mark.parametrize("asynchronous", [False, True])
def test_a_slow_search_is_given_up(slow, spans, asynchronous):
    hooks = hooked_with(Client("http://strata.test", transport=slow), search_timeout=0.01)
    if asynchronous:
        asyncio.run(hooks.wrap(bash_async, name="bash")("ls"))
    else:
        hooks.wrap(bash)("ls")
    about = {"tool": "bash", "reason": "search_timeout"}
    assert events(spans()[0])[0] == ("hook.context_inject_skipped", about)


def test_searches_that_pile_up_are_skipped(slow, spans):
    hooks = hooked_with(Client("http://strata.test", transport=slow))

    async def run():
        started, released = [], asyncio.Event()

        async def bash(command):
            started.append(command)
            if len(started) == 9:  # more than may run and wait
                slow.gate.set()
                released.set()
            await released.wait()

        await asyncio.gather(*map(hooks.wrap(bash), "abcdefghi"))

    asyncio.run(run())
    told = [events(span)[0] for span in spans()]
    assert ("hook.context_inject_skipped", {"tool": "bash", "reason": "too_many_searches"}) in told
    assert ("hook.context_inject_empty", {"tool": "bash"}) in told


def test_the_tool_runs_while_the_search_is_under_way(slow, spans):
    hooks = hooked_with(Client("http://strata.test", transport=slow))

    def bash(command):
        assert slow.asked.wait(30)
        slow.gate.set()  # the search can only end because the tool has begun
        return command

    assert hooks.wrap(bash)("ls") == "ls"
    assert events(spans()[0])[0][0] == "hook.context_inject_empty"


def test_an_async_tool_s_loop_goes_on_while_a_search_is_waited_for(slow):
    hooks = hooked_with(Client("http://strata.test", transport=slow))

    async def run():
        call = asyncio.create_task(hooks.wrap(bash_async, name="bash")("ls"))
        while not slow.asked.is_set():
            await asyncio.sleep(0.001)
        slow.gate.set()  # only a loop that goes on comes here
        return await call

    assert asyncio.run(run()).startswith("ls")


def test_what_one_call_taught_the_next_one_finds(tmp_path, spans):
    """Over the service itself: redacted, counted when it is the same, and found again."""
    app = application(tmp_path, HandClock())
    with Client("http://localhost", transport=InProcessTransport(gateway(app))) as client:
        client.create_session("s1", "web")
        hooks = hooked_with(client)
        tool = hooks.wrap(lambda command: f"fatal: no lock, key AKIA{'Q7WERTYUIOPASDFG'}", name="bash")
        for _ in range(2):
            tool("make deploy lock")
            assert hooks.flush(30)
        [observation] = client.recent("web")
        assert "AKIA" not in observation.content
        assert (observation.session_id, observation.duplicate_count) == ("s1", 2)
        first, second = [events(span)[:2] for span in spans() if span.name.startswith("tool.execute")]
        assert first[0] == ("hook.context_inject_empty", {"tool": "bash"})
        assert second[0] == ("hook.context_injected", {"tool": "bash", "results": 1})
        assert second[1][1]["memory.injected.observation_id"] == observation.id
        hooks.close()
    app.close()


# --- what is skipped ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "result", "reason"),
    [
        ("grep", "fatal", "no_rule"),
        ("bash", "fine", "output_not_matched"),
        ("bash", None, "empty_output"),
        ("mem_search", "fatal", "memory_tool"),
    ],
)
def test_what_is_not_saved_is_told_with_its_reason(hooks, server, spans, name, result, reason):
    assert hooks.wrap(lambda: result, name=name)() is result
    assert reasons(spans()[0]) == [reason]
    assert saved(hooks, server) == []


def test_nothing_is_saved_where_saving_is_off(client, server, spans):
    hooks = hooked_with(client, auto_save=False)
    hooks.wrap(bash)("ls")
    assert reasons(spans()[0]) == ["auto_save_off"]
    assert saved(hooks, server) == []


def test_a_full_queue_drops_results_and_tells(slow, spans):
    hooks = hooked_with(Client("http://strata.test", transport=slow), queue_size=1)
    tool = hooks.wrap(lambda: "done", name="kubectl_apply")
    tool()
    assert slow.asked.wait(30)  # the first is being saved, the second waits, the third is one too many
    tool()
    tool()
    assert [reasons(span) for span in spans()] == [[], [], ["queue_full"]]


def test_a_long_result_is_cut_and_told(hooks, server, spans):
    hooks.wrap(lambda: "x" * 60_000, name="kubectl_apply")()
    assert [len(observation["content"]) for observation in saved(hooks, server)] == [50_000]
    name, about = events(spans()[0])[-1]
    assert name == "hook.memory_saved"
    assert about["content_cut"] is True
    assert about["content_length"] == 50_000


def test_a_hostile_pattern_does_not_hold_the_tool_up(client, spans):
    rules = "memorySaveRules: [{tool: bash, matchOutput: '(a+)+$'}]"
    hooked_with(client, rules).wrap(lambda: "a" * 50_000 + "!" * 2, name="bash")()
    hooked_with(client, rules).wrap(lambda: "a" * 49_999 + "!", name="bash")()
    assert reasons(spans()[-1]) == ["output_not_matched"]


def test_words_of_users_stay_off_the_span_where_they_may_not_stand(client, spans):
    client.save("secret plans", project="web", session_id="s0", title="secret plans", type="lesson")
    hooked_with(client, trace_text=False).wrap(bash)("secret")
    told = json.dumps(events(spans()[-1]))
    assert "search.result" in told
    assert "hook.memory_saved" in told
    assert "secret" not in told


def test_a_failing_tool_s_span_names_the_error_and_does_not_quote_it(hooks, spans):
    def bash(command):
        raise ValueError("fatal: my password")

    with pytest.raises(ValueError, match="fatal"):
        hooks.wrap(bash)("ls")
    [span] = spans()
    assert span.attributes["error.type"] == "ValueError"
    assert not span.status.is_ok
    assert "password" not in span.to_json()


# --- what can be wrapped --------------------------------------------------------------------------


def test_a_wrapped_tool_looks_like_itself(hooks):
    for tool in (bash, bash_async):
        wrapped = hooks.wrap(tool)
        assert wrapped.__name__ == tool.__name__
        assert wrapped.__doc__ == tool.__doc__
        assert inspect.signature(wrapped) == inspect.signature(tool)
        assert inspect.iscoroutinefunction(wrapped) is inspect.iscoroutinefunction(tool)


class Shell:
    """A tool with a state."""

    def __init__(self):
        self.ran = []

    def bash(self, command):
        self.ran.append(command)
        return "fatal"

    async def __call__(self, command):
        return self.bash(command)


def test_methods_partials_and_callable_objects_are_hooked(hooks, server):
    shell = Shell()
    assert hooks.wrap(shell.bash)("one") == "fatal"
    assert hooks.wrap(functools.partial(shell.bash, "two"), name="bash")() == "fatal"
    assert asyncio.run(hooks.wrap(shell, name="bash")("three")) == "fatal"
    assert shell.ran == ["one", "two", "three"]
    assert [o["title"] for o in saved(hooks, server)] == [
        "Auto-captured: bash — one",
        "Auto-captured: bash",
        "Auto-captured: bash — three",
    ]


def test_a_method_can_be_decorated_in_its_class(hooks, server):
    class Tools:
        @hooks.wrap
        def bash(self, command):
            return f"fatal: {command}"

    assert Tools().bash("ls") == "fatal: ls"
    assert [o["title"] for o in saved(hooks, server)] == ["Auto-captured: bash — ls"]


def test_an_async_tool_behind_a_sync_function_is_hooked(hooks, server):
    def bash(command):
        return bash_async(command)

    assert asyncio.run(hooks.wrap(bash)("ls")).startswith("ls")
    assert len(saved(hooks, server)) == 1


def test_generators_are_given_back_as_they_are(hooks):
    def lines():
        yield "fatal"

    async def more_lines():
        yield "fatal"

    assert hooks.wrap(lines) is lines
    assert hooks.wrap(more_lines) is more_lines


def test_a_streamed_result_is_not_read(hooks, spans):
    stream = hooks.wrap(lambda: (line for line in ["fatal"]), name="bash")()
    assert list(stream) == ["fatal"]
    assert reasons(spans()[0]) == ["no_result"]


def test_a_cancelled_tool_is_cancelled_and_not_saved(hooks, server, spans):
    async def bash(command):
        await asyncio.sleep(600)

    async def run():
        call = asyncio.create_task(hooks.wrap(bash)("ls"))
        await asyncio.sleep(0)
        call.cancel()
        await call

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(run())
    assert reasons(spans()[0]) == ["no_result"]
    assert saved(hooks, server) == []


def test_a_tool_refuses_wrong_arguments_itself(hooks):
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        hooks.wrap(bash)()


# --- what fails around it -------------------------------------------------------------------------


def test_a_tool_works_without_a_server_and_the_log_says_what_was_lost(caplog):
    def refuse(request):
        raise httpx.ConnectError("no route")

    client = Client("http://strata.test", transport=httpx.MockTransport(refuse), retry=RetryPolicy(retries=0))
    hooks = hooked_with(client)
    with caplog.at_level(logging.WARNING, "strata.client.hooks"):
        assert hooks.wrap(bash)("my password").startswith("my password")
        assert hooks.flush(30)
    assert [record.getMessage() for record in caplog.records] == [
        "a result of the tool bash was not saved: unreachable"
    ]


class Spoilt:
    """A result that can't be shown."""

    def __str__(self):
        raise RuntimeError("my password")


def test_a_result_that_can_not_be_read_harms_nobody(hooks, caplog, spans):
    result = Spoilt()
    with caplog.at_level(logging.WARNING, "strata.client.hooks"):
        assert hooks.wrap(lambda: result, name="kubectl_apply")() is result
    assert "password" not in caplog.text
    assert "RuntimeError" in caplog.text
    assert len(spans()) == 1


def test_tools_go_on_without_hooks_after_the_end(hooks, server, spans):
    tool = hooks.wrap(bash)
    hooks.close()
    assert tool("ls").startswith("ls")
    assert server.observations == {}
    assert reasons(spans()[0]) == ["queue_full"]


def test_a_block_saves_what_is_queued_before_it_ends(client, server):
    with hooked_with(client) as hooks:
        hooks.wrap(bash)("ls")
    assert len(server.observations) == 1


def test_hooks_that_nobody_holds_save_what_is_queued_and_leave_no_thread(client, server):
    def threads():
        return {thread for thread in threading.enumerate() if thread.name.startswith("strata-")}

    before = threads()
    hooks = hooked_with(client)
    hooks.wrap(bash)("ls")
    mine = threads() - before
    gone = weakref.ref(hooks)
    del hooks
    gc.collect()
    assert gone() is None
    for thread in mine:
        thread.join(30)
    assert mine
    assert not any(thread.is_alive() for thread in mine)
    assert len(server.observations) == 1


def test_hooks_work_where_opentelemetry_is_not_installed(hooks, server, monkeypatch):
    monkeypatch.setattr(hook_spans, "tracing_api", lambda: None)
    assert hooks.wrap(bash)("ls").startswith("ls")
    assert asyncio.run(hooks.wrap(bash_async, name="bash")("pwd")).startswith("pwd")
    assert len(saved(hooks, server)) == 2


def test_calls_from_many_threads_are_all_saved(hooks, server):
    tool = hooks.wrap(lambda number: f"fatal {number}", name="bash")
    threads = [threading.Thread(target=tool, args=(str(number),)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {o["content"] for o in saved(hooks, server)} == {f"fatal {number}" for number in range(50)}


@settings(max_examples=30)
@given(
    st.recursive(
        st.none() | st.integers() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    ),
    st.lists(st.text() | st.integers()),
    st.dictionaries(st.text(), st.text()),
)
def test_whatever_a_tool_takes_and_gives_passes_unchanged(result, args, kwargs):
    client = Client("http://strata.test", transport=FakeStrata())
    seen = []
    with hooked_with(client) as hooks:
        tool = hooks.wrap(lambda *args, **kwargs: seen.append((args, kwargs)) or result, name="kubectl_apply")
        assert tool(*args, **kwargs) is result
    assert seen == [(tuple(args), kwargs)]
