"""Background work waits while it would slow down who is talking."""

from dataclasses import replace

import pytest

from strata.domain.guarding import Readings, Verdict, decide

IDLE = Readings(active_sessions=0, since_end=31.0, load=0.0, processors=4, pinned=0)


@pytest.mark.parametrize(
    ("policy", "provider", "host", "reason"),
    [
        ("always", "ollama", "localhost", "policy"),
        ("idle-only", "bedrock", "", "cloud_provider"),
        ("auto", "openai", "localhost", "cloud_provider"),
        ("auto", "none", "", "cloud_provider"),
        ("auto", "ollama", "gpu.example.com", "remote_ollama"),
    ],
)
def test_what_is_not_on_this_machine_is_never_asked_about(policy, provider, host, reason):
    assert decide(policy, provider, host, lambda: pytest.fail("it was read")) == Verdict(True, reason)


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        ({"active_sessions": 1, "since_end": 1.0, "load": 9.0, "pinned": 1}, "active_sessions"),
        ({"since_end": 29.9, "load": 9.0, "pinned": 1}, "session_cooldown"),
        ({"load": 3.3, "pinned": 1}, "system_load"),
        ({"pinned": 1}, "ollama_vram"),
    ],
)
def test_the_first_check_that_holds_puts_the_work_off(state, reason):
    assert decide("auto", "ollama", "127.0.0.1", lambda: replace(IDLE, **state)) == Verdict(False, reason)


@pytest.mark.parametrize(
    ("policy", "load", "safe"), [("auto", 3.2, True), ("idle-only", 1.3, False), ("idle-only", 1.2, True)]
)
def test_idle_only_allows_less_load(policy, load, safe):
    assert decide(policy, "ollama", "localhost", lambda: replace(IDLE, load=load)).safe is safe
