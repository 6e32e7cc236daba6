"""Episodes under many callers at once, over either store, and through servers over every pair of stores."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from strata.bootstrap import Application
from strata.domain.errors import NotFound, OwnedByAnother
from strata.domain.wire.episodes import DEFAULT_OWNER, EpisodeQuery, NewEpisode, NewIngest
from strata.domain.wire.sessions import SessionEnd
from strata.services.records.episodes import EPISODE_KIND, episode_number
from strata.services.records.sessions import session_key
from support import simultaneous
from support.memory import LOCAL, Memory, application, dialogue
from support.served_stores import PAIRS, client_of, eventually, served, settings_of

DAY = 86_400
SYNTHESIS = "Compared to Postgres, SQLite is simpler to run."


def at_once(call: Callable[[int], Any], count: int) -> list[Any]:
    return simultaneous.at_once(call, count, OwnedByAnother, NotFound)


def store(app: Application, **fields: Any) -> str:
    body = {"conversation_id": "c1", "agent_id": "a1", "summary": "the heron"} | fields
    return app.episodes.catalog.store(LOCAL, NewEpisode.model_validate(body))


def ingest(app: Application, response: str) -> bool:
    new = NewIngest.model_validate({"session_id": "s1", "response": response, "steps": 2})
    return app.episodes.ingester.ingest(LOCAL, new, user=DEFAULT_OWNER).ingested


def recent(app: Application, user: str = DEFAULT_OWNER) -> list[Any]:
    return app.episodes.finder.recent(LOCAL, user, 100)[0]


def test_of_twenty_identical_answers_one_is_kept(app):
    assert Counter(at_once(lambda _: ingest(app, SYNTHESIS), 20)) == {True: 1, False: 19}
    assert len(recent(app)) == 1


def test_of_twenty_different_answers_five_are_kept(app):
    answers = at_once(lambda place: ingest(app, f"{SYNTHESIS} {place}"), 20)
    assert Counter(answers) == {True: 5, False: 15}
    assert len(recent(app)) == 5


def test_of_many_ends_of_a_session_one_episode_is_left(app):
    Memory(app).start("s1")

    def end(place: int) -> str:
        messages = dialogue(f"I prefer the colour number {place}.", "Noted.")
        return app.sessions.ender.end(LOCAL, "s1", SessionEnd.model_validate({"messages": messages})).summary

    summaries = at_once(end, 12)
    (episode,) = recent(app)
    session = app.stores.table.get(LOCAL, session_key("s1"))
    assert episode.summary == session["about"]
    assert session["summary"] in summaries
    assert episode.summary in session["summary"]
    assert episode_number(episode.id) == session["episode"]
    assert [each.id for each in app.episodes.finder.of_conversation(LOCAL, "s1")] == [episode.id]


def test_episodes_stored_at_once_are_all_there_and_of_many_users_one_gets_the_conversation(app):
    ids = at_once(lambda place: store(app, summary=f"number {place}"), 20)
    assert {episode.id for episode in app.episodes.finder.of_conversation(LOCAL, "c1")} == set(ids)
    answers = at_once(lambda place: store(app, user_id=f"user{place}", conversation_id="c2"), 20)
    assert Counter(isinstance(answer, OwnedByAnother) for answer in answers) == {True: 19, False: 1}
    assert len(app.episodes.finder.of_conversation(LOCAL, "c2")) == 1


def test_of_many_who_forget_an_episode_one_does(app):
    identity = store(app)
    answers = at_once(lambda _: app.episodes.catalog.forget(LOCAL, DEFAULT_OWNER, identity), 10)
    assert Counter(isinstance(answer, NotFound) for answer in answers) == {True: 9, False: 1}
    assert recent(app) == []
    assert app.episodes.finder.of_conversation(LOCAL, "c1") == []


def test_what_is_past_its_time_is_gone_while_it_is_still_stored(app):
    store(app, ttl_days=1)
    app.clock.forward(DAY + 1)
    assert recent(app) == []
    assert app.episodes.finder.of_conversation(LOCAL, "c1") == []
    asked = EpisodeQuery(query="heron", agent_id="a1")
    assert app.episodes.finder.similar(LOCAL, asked).results == []


def test_a_large_episode_comes_back_whole(app):
    entities = [{"text": "é" * 900, "n": n} for n in range(100)]
    decisions = ["ü" * 900 for _ in range(100)]
    store(app, entities=entities, key_decisions=decisions, summary="x" * 10_000)
    (episode,) = recent(app)
    assert (episode.entities, episode.key_decisions) == (entities, decisions)
    app.episodes.catalog.forget(LOCAL, DEFAULT_OWNER, episode.id)
    assert recent(app) == []


@pytest.mark.parametrize(("store_name", "index"), PAIRS, ids=["-".join(pair) for pair in PAIRS])
def test_the_loop_of_an_episode(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    store_name: str,
    index: str,
) -> None:
    settings = settings_of(request, store_name, index)
    with served(tmp_path, monkeypatch, **settings) as server, client_of(server) as api:
        body = {"conversation_id": "c1", "agent_id": "a1", "user_id": "ann"}
        kept = _store(api, body | {"summary": "The dog barked at the mailman", "entities": [{"n": "Rex"}]})
        far = _store(api, body | {"summary": "Quarterly revenue grew by four percent"})
        gone = _store(api, body | {"summary": "The mailman retired"})
        assert api.delete(f"/api/memory/episodes/{gone}", params={"userId": "ann"}).status_code == 200
        _finds(api, kept, far)  # at once, whatever the index shows

        app = application(tmp_path, **settings)
        eventually(lambda: {key for key, _ in app.stores.index.catalog(LOCAL, EPISODE_KIND)} == {kept, far})
        eventually(lambda: len(app.stores.table.query(LOCAL, _notes()).rows) == 0)
        app.close()
        _finds(api, kept, far)
        listed = api.get("/episodic/c1").json()["episodes"]
        assert [episode["id"] for episode in listed] == [kept, far]


def _notes() -> Any:
    from strata.ports.table import Query
    from strata.services.records.episodes import episodes_pk
    from strata.services.records.parts import CHANGE_PREFIX

    return Query(episodes_pk("ann"), prefix=CHANGE_PREFIX)


def _store(api: httpx.Client, body: dict[str, Any]) -> str:
    response = api.post("/episodic/store", json=body)
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


def _finds(api: httpx.Client, kept: str, far: str) -> None:
    asked = {"query": "a puppy and the postman", "agent_id": "a1"}
    for more in ({}, {"user_id": "ann"}):
        response = api.post("/episodic/search", json=asked | more)
        assert "strata-degraded" not in response.headers
        assert [hit["id"] for hit in response.json()["results"]] == [kept, far]
    assert api.post("/episodic/search", json=asked | {"user_id": "bob"}).json()["results"] == []
    for mode in ("bm25", "vector", "hybrid"):
        found = api.get("/api/memory/search", params={"q": "mailman", "mode": mode, "userId": "ann"})
        assert [hit["id"] for hit in found.json()["results"]][:1] == [kept]
    entity = api.get("/api/memory/search", params={"q": "rex", "mode": "bm25", "userId": "ann"}).json()
    assert [hit["id"] for hit in entity["results"]] == [kept]
    answer = api.get("/api/memory/episodes", params={"userId": "ann"}).json()
    assert [episode["id"] for episode in answer["episodes"]] == [far, kept]
    assert answer["available"] is True
