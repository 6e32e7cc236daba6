"""Episodes: stored by hand, listed, found and forgotten."""

import pytest
from pydantic import ValidationError

from strata.domain.errors import NotFound, OwnedByAnother
from strata.domain.retrieval import Mode
from strata.domain.scope import Scope
from strata.domain.wire.episodes import DEFAULT_OWNER, EpisodeQuery, NewEpisode
from strata.services.records.episodes import episode_number, episode_place_key, episodes_pk
from support.faults import away
from support.memory import LOCAL

DAY = 86_400


def store(memory, summary="The user asked for the weather in Lisbon", scope=LOCAL, **fields):
    body = {"conversation_id": "c1", "agent_id": "a1", "summary": summary} | fields
    return memory.app.episodes.catalog.store(scope, NewEpisode.model_validate(body))


def recent(memory, user=DEFAULT_OWNER, limit=20, scope=LOCAL):
    episodes, _ = memory.app.episodes.finder.recent(scope, user, limit)
    return [episode.id for episode in episodes]


def conversation(memory, conversation_id="c1"):
    return memory.app.episodes.finder.of_conversation(LOCAL, conversation_id)


def similar(memory, query, scope=LOCAL, **fields):
    asked = EpisodeQuery.model_validate({"query": query, "agent_id": "a1"} | fields)
    return memory.app.episodes.finder.similar(scope, asked)


def matching(memory, query, user=DEFAULT_OWNER, mode=Mode.HYBRID, limit=10):
    return memory.app.episodes.finder.matching(LOCAL, user, query, limit=limit, mode=mode)


def test_an_episode_comes_back_as_it_was_stored(memory):
    identity = store(
        memory,
        user_id="ann",
        key_decisions=["Use Postgres", {"decision": "ship", "on": 3.5, "sure": None}],
        entities=[{"type": "Well", "id": "42-123", "name": "Smith #1"}],
        tools_used=["search"],
        importance=0.9,
        keywords=["weather"],
        topic="travel",
        type="trip",
    )
    (episode,) = conversation(memory)
    assert episode.model_dump(exclude={"timestamp"}) == {
        "id": identity,
        "summary": "The user asked for the weather in Lisbon",
        "keywords": ["weather"],
        "topic": "travel",
        "importance": 0.9,
        "type": "trip",
        "conversation_id": "c1",
        "agent_id": "a1",
        "user_id": "ann",
        "key_decisions": ["Use Postgres", {"decision": "ship", "on": 3.5, "sure": None}],
        "entities": [{"type": "Well", "id": "42-123", "name": "Smith #1"}],
        "tools_used": ["search"],
        "project": None,
    }
    assert episode.timestamp * 1000 <= episode_number(identity) < (episode.timestamp + 1) * 1000


def test_keywords_topic_importance_and_type_are_found_when_not_given(memory):
    store(memory, "The weather forecast for San Francisco", entities=[{"name": "Golden Gate"}])
    (episode,) = conversation(memory)
    assert {"weather forecast", "san francisco", "golden gate"} <= set(episode.keywords)
    assert episode.topic == episode.keywords[0]
    assert (episode.importance, episode.type) == (0.5, "conversation")


def test_episodes_stored_by_hand_stay_unless_they_are_given_an_end(memory, clock):
    kept = store(memory, "one")
    short = store(memory, "two", ttl_days=2)
    clock.forward(2 * DAY - 60)
    assert recent(memory) == [short, kept]
    clock.forward(120)
    assert recent(memory) == [kept]
    clock.forward(4000 * DAY)
    assert [episode.id for episode in conversation(memory)] == [kept]


def test_the_newest_come_first_in_the_list_and_last_in_the_conversation(memory):
    ids = [store(memory, f"number {n}") for n in range(4)]
    assert recent(memory, limit=3) == ids[:0:-1]
    assert [episode.id for episode in conversation(memory)] == ids


def test_a_conversation_shows_its_own_episodes_only(memory):
    store(memory, conversation_id="c2")
    assert conversation(memory) == []
    assert len(conversation(memory, "c2")) == 1


def test_the_conversations_owner_owns_its_episodes(memory):
    memory.start("c1", user_id="ann")
    identity = store(memory)
    assert recent(memory, "ann") == [identity]
    assert recent(memory) == []
    with pytest.raises(OwnedByAnother):
        store(memory, user_id="bob")


def test_the_first_user_that_is_named_owns_the_conversation(memory):
    alone = store(memory)
    named = store(memory, user_id="ann")
    assert (recent(memory), recent(memory, "ann")) == ([alone], [named])
    assert memory.start("c1").user_id == "ann"
    assert [episode.id for episode in conversation(memory)] == [alone, named]


def test_nothing_of_a_session_that_keeps_nothing_is_stored(memory):
    memory.start("c1", persist=False)
    assert store(memory) == "ep-0"
    assert conversation(memory) == []
    assert memory.rows(episodes_pk(DEFAULT_OWNER)) == []


def test_secrets_are_taken_out_of_all_that_is_kept(memory):
    key = "sk-ant-" + "a1B2" * 10
    store(
        memory,
        f"The key is {key}",
        key_decisions=[f"use {key}"],
        entities=[{"name": [f"x {key}"]}],
        keywords=[key],
        topic=key,
        type=key[:50],
    )
    memory.follow()
    (row,) = memory.rows(episodes_pk(DEFAULT_OWNER))[-1:]
    assert key[:50] not in str(row)
    (episode,) = conversation(memory)
    assert episode.entities == [{"name": ["x [redacted:anthropic_key]"]}]


def test_a_search_by_similarity_gives_cosines_best_first(memory):
    close = store(memory, "The dog barked at the mailman")
    far = store(memory, "Quarterly revenue grew by four percent")
    memory.follow()
    answer = similar(memory, "a puppy and the postman")
    assert [hit.id for hit in answer.results] == [close, far]
    assert 1 >= answer.results[0].similarity > answer.results[1].similarity >= -1
    assert not answer.degraded


def test_similar_episodes_are_those_of_the_agent_and_of_the_user_if_one_is_named(memory):
    mine = store(memory, "tea", user_id="ann")
    other = store(memory, "tea", conversation_id="c2", user_id="bob")
    store(memory, "tea", conversation_id="c3", agent_id="a2")
    for _ in range(2):  # from the notes, then from the index
        assert {hit.id for hit in similar(memory, "tea").results} == {mine, other}
        assert [hit.id for hit in similar(memory, "tea", user_id="ann").results] == [mine]
        assert len(similar(memory, "tea", top_k=1).results) == 1
        memory.follow()


@pytest.mark.parametrize(
    ("mode", "query", "found"),
    [
        (Mode.BM25, "mailman", "keyword"),
        (Mode.VECTOR, "puppy postman", "semantic"),
        (Mode.HYBRID, "mailman", "hybrid"),
    ],
)
def test_a_user_searches_by_words_meaning_or_both(memory, mode, query, found):
    identity = store(memory, "The dog barked at the mailman")
    store(memory, "a mailman", conversation_id="c2", user_id="ann")
    for _ in range(2):
        (hit,) = matching(memory, query, mode=mode).results
        assert (hit.id, hit.match_type) == (identity, found)
        memory.follow()


def test_words_of_keywords_decisions_and_entities_are_found_too(memory):
    identity = store(
        memory, "nothing", keywords=["zebra"], key_decisions=["buy okapi"], entities=[{"name": "Quokka"}]
    )
    memory.follow()
    for word in ("zebra", "okapi", "quokka"):
        assert [hit.id for hit in matching(memory, word, mode=Mode.BM25).results] == [identity]


def test_a_forgotten_episode_is_gone_from_everywhere_at_once(memory):
    identity = store(memory, "the heron")
    memory.follow()
    memory.app.episodes.catalog.forget(LOCAL, DEFAULT_OWNER, identity)
    for _ in range(2):
        assert recent(memory) == []
        assert conversation(memory) == []
        assert matching(memory, "heron").results == []
        assert similar(memory, "heron").results == []
        memory.follow()
    with pytest.raises(NotFound):
        memory.app.episodes.catalog.forget(LOCAL, DEFAULT_OWNER, identity)


@pytest.mark.parametrize("identity", ["ep-1", "1", "ep-0", "ep-", "ep-01", "ep-1x", "ep-" + "9" * 40, "x"])
def test_an_unknown_episode_cannot_be_forgotten(memory, identity):
    store(memory)
    with pytest.raises(NotFound):
        memory.app.episodes.catalog.forget(LOCAL, DEFAULT_OWNER, identity)
    assert len(recent(memory)) == 1


def test_only_its_owner_forgets_an_episode(memory):
    identity = store(memory, user_id="ann")
    for user in (DEFAULT_OWNER, "bob"):
        with pytest.raises(NotFound):
            memory.app.episodes.catalog.forget(LOCAL, user, identity)
    with pytest.raises(NotFound):
        memory.app.episodes.catalog.forget(Scope("other"), "ann", identity)
    assert recent(memory, "ann") == [identity]


def test_another_tenant_sees_nothing(memory):
    store(memory, "the heron")
    other = Scope("other")
    assert recent(memory, scope=other) == []
    assert memory.app.episodes.finder.of_conversation(other, "c1") == []
    assert similar(memory, "heron", scope=other).results == []


def test_with_the_index_away_the_newest_episodes_are_ranked(memory):
    close = store(memory, "The dog barked at the mailman")
    store(memory, "Quarterly revenue grew")
    memory.follow()
    with away(memory):
        answer = similar(memory, "puppy and postman")
        assert (answer.results[0].id, answer.degraded) == (close, True)
        assert matching(memory, "mailman").degraded
        assert memory.app.episodes.finder.recent(LOCAL, DEFAULT_OWNER, 5)[1] is False
    assert memory.app.episodes.finder.recent(LOCAL, DEFAULT_OWNER, 5)[1] is True


def test_the_pointer_of_an_episode_leads_to_its_owner_and_for_a_day_tells_that_it_is_gone(memory, clock):
    identity = store(memory, user_id="ann")
    key = episode_place_key(episode_number(identity))
    assert memory.row(key) == {"owner": "ann", "state": "live"}
    memory.app.episodes.catalog.forget(LOCAL, "ann", identity)
    assert memory.row(key)["state"] == "gone"
    clock.forward(DAY + 1)
    assert memory.row(key) is None


def test_index_and_table_agree_after_all_of_it(memory, clock):
    kept = store(memory, "one")
    store(memory, "two", ttl_days=1)
    memory.app.episodes.catalog.forget(LOCAL, DEFAULT_OWNER, store(memory, "three"))
    memory.follow()
    clock.forward(3600)
    verdict = memory.app.repair.verifier.verify()
    assert verdict.differences == 0
    assert kept in recent(memory)


WRONG = [
    ({"summary": ""}, "summary"),
    ({"summary": "  "}, "summary"),
    ({"summary": "x" * 10_001}, "summary"),
    ({"agent_id": ""}, "agent_id"),
    ({"conversation_id": "x" * 201}, "conversation_id"),
    ({"importance": 1.1}, "importance"),
    ({"importance": float("nan")}, "importance"),
    ({"importance": -0.1}, "importance"),
    ({"importance": True}, "importance"),
    ({"ttl_days": True}, "ttl_days"),
    ({"ttl_days": 0}, "ttl_days"),
    ({"ttl_days": 3651}, "ttl_days"),
    ({"key_decisions": ["x"] * 101}, "key_decisions"),
    ({"key_decisions": [1]}, "key_decisions"),
    ({"entities": [{"a": "x" * 2000}]}, "entities"),
    ({"entities": [{"a": "\ud800"}]}, "entities"),
    ({"entities": [{"a": float("inf")}]}, "entities"),
    ({"keywords": ["k"] * 21}, "keywords"),
    ({"topic": "t" * 201}, "topic"),
    ({"tools_used": [""]}, "tools_used"),
]


@pytest.mark.parametrize(("fields", "name"), WRONG, ids=lambda each: str(each)[:40])
def test_what_breaks_a_limit_is_refused_by_its_name(fields, name):
    body = {"conversation_id": "c1", "agent_id": "a1", "summary": "s"} | fields
    with pytest.raises(ValidationError) as refused:
        NewEpisode.model_validate(body)
    assert {error["loc"][0] for error in refused.value.errors()} == {name}
