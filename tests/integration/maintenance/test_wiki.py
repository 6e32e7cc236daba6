"""A model reads what names entities behind a running server: over HTTP, from an episode to the page."""

import json
from collections import Counter
from pathlib import Path

import pytest

from support.model_server import OpenAi, model_server
from support.served_stores import client_of, eventually, served, settings_of

SAID = (
    "Ana Ruiz, after years of trying, bakes at Globex Bakery in Leeds.",
    "Ana Ruiz bakes at Globex Bakery with Tom Baker.",
)
ENDS = {"subject": "Ana Ruiz", "kind": "works-at", "object": "Globex Bakery"}


def answered(asked):
    """The answer of a model that copies the words before the stop; for facts and conclusions nothing."""
    system, shown = OpenAi().prompt(asked)[:2]
    if "how the people, places" in system:
        texts = json.loads(shown)["texts"]
        found = [
            ENDS | {"text": each["number"], "quote": each["words"][:-1], "confidence": 0.9} for each in texts
        ]
        return OpenAi().says(json.dumps({"relationships": found}))
    if "for a page" in system:
        texts = json.loads(shown)["texts"]
        found = (
            [{"text": "Bakes at Globex Bakery.", "sources": [1], "quotes": ["bakes at Globex Bakery"]}]
            if texts
            else []
        )
        return OpenAi().says(json.dumps({"sentences": found}))
    return OpenAi().says(json.dumps({"facts": [], "conclusions": [], "about": []}))


def test_what_a_model_reads_stands_in_relationships_and_on_the_page(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with model_server() as models:
        models.answer = answered
        chosen = {"MODEL": "openai", "MODEL_NAME": "small", "MODEL_URL": f"{models.url}/v1"}
        settings = settings_of(request, "dynamodb", "opensearch") | chosen
        with served(tmp_path, monkeypatch, **settings) as server, client_of(server) as api:
            for user in ("ann", "bob"):
                for said in SAID[: 2 if user == "ann" else 1]:
                    body = {"conversation_id": user, "agent_id": "a1", "user_id": user, "summary": said}
                    assert api.post("/episodic/store", json=body).status_code == 201

            def entities(user: str) -> dict[str, str]:
                found = api.get("/api/entities", params={"userId": user}).json()["entities"]
                return {each["name"]: each["id"] for each in found}

            eventually(lambda: "Tom Baker" in entities("ann") and "Leeds" in entities("bob"), 60)
            totals: Counter[str] = Counter()

            def all_read() -> bool:
                """Run maintenance: the marks by which it knows whom to look at come behind the entities."""
                begun = api.post("/api/memory/maintain").json()["timestamp"]
                history = f"/api/memory/maintain/history/{begun}"
                eventually(lambda: api.get(history).json()["status"] == "done", 60)
                totals.update(api.get(history).json()["summary"]["wiki"])
                return totals["read"] == 3

            eventually(all_read, 120)
            assert (totals["related"], totals["described"]) == (3, 2)

            def read(user: str, what: str) -> str:
                path = f"/api/entities/{entities(user)['Ana Ruiz']}/{what}"
                return api.get(path, params={"userId": user}).text

            eventually(lambda: all("Globex" in read(each, "relationships") for each in ("ann", "bob")), 60)
            assert "\n\nBakes at Globex Bakery. ([ep-" in read("ann", "page")
            assert "Bakes at Globex Bakery." not in read("bob", "page"), "one source is not worth prose"
