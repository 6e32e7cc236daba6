"""A real small model behind the dreamer: whatever it proposes, conclusions stand in the person's words."""

from functools import partial
from pathlib import Path

import pytest
from benchmarks.server import SERVE, running

from servers.llama_cpp import NAME, llama_cpp
from support.memory import dialogue
from support.served_stores import client_of, eventually

SAID = {
    "ann": ("I live in Valencia and I work as a nurse.", "We decided to move the nursery to Leith in May."),
    "ben": ("I prefer tea to coffee.", "I moved to Oslo last year."),
}


@pytest.mark.timeout(2400)
def test_what_a_small_model_proposes_is_checked_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = {"CONSOLIDATION_MODEL": "openai", "CONSOLIDATION_MODEL_NAME": NAME}
    patient = {"MODEL_TIMEOUT": "300", "MODEL_DEADLINE": "600"}
    with (
        llama_cpp() as url,
        running(tmp_path, SERVE, CONSOLIDATION_MODEL_URL=url, **named, **patient) as server,
        client_of(server) as api,
    ):
        for user, said in SAID.items():
            api.post("/sessions", json={"id": user, "project": "demo", "user_id": user})
            api.post(f"/sessions/{user}/end", json={"messages": dialogue(said[0], "ok", said[1])})
        for user, said in SAID.items():
            whose = {"userId": user}
            asked = partial(api.get, "/api/memory/consolidations", params=whose)
            eventually(lambda: asked().json()["consolidations"], 900)  # noqa: B023
            (run,) = asked().json()["consolidations"]
            assert run["outcome"] == "concluded"
            found = api.get("/api/memory/conclusions", params=whose).json()["conclusions"]
            assert found, "the rules conclude, whatever the model says"
            for each in found:
                assert all(any(quote["text"] in words for words in said) for quote in each["quotes"])
            assert run["refused"] or len(found) > 1, "every proposal is taken, or refused with its reason"
