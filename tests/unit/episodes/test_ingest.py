"""Query-as-Ingest: an agent's answers that are worth it are kept, a few of each session."""

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import ValidationError

from strata.domain.errors import OwnedByAnother
from strata.domain.retrieval import Mode
from strata.domain.wire.episodes import DEFAULT_OWNER, NewIngest
from strata.domain.wire.events import NewEvent, NewEventSession
from strata.services.records.episodes import episode_number, ingests_key
from support.memory import LOCAL, Memory, application

DAY = 86_400
SYNTHESIS = "Compared to Postgres, SQLite is simpler to run."


def ingest(memory, response=SYNTHESIS, session_id="s1", user=DEFAULT_OWNER, **fields):
    body = {"session_id": session_id, "response": response, "tool_calls": [{}], "steps": 2} | fields
    return memory.app.episodes.ingester.ingest(LOCAL, NewIngest.model_validate(body), user=user)


def episodes(memory, user=DEFAULT_OWNER):
    return memory.app.episodes.finder.recent(LOCAL, user, 100)[0]


def test_a_synthesis_becomes_an_episode_of_its_points(memory):
    answer = ingest(memory)
    (episode,) = episodes(memory)
    assert (answer.ingested, answer.importance, answer.id) == (True, 1.0, episode.id)
    assert (episode.type, episode.summary, episode.importance) == ("RESPONSE_INGEST", SYNTHESIS, 1.0)
    assert (episode.conversation_id, episode.user_id) == ("s1", None)
    assert "sqlite" in episode.keywords


def test_from_six_points_on_it_is_kept(memory):
    below = ingest(memory, tool_calls=None, steps=None)
    assert (below.ingested, below.importance, below.id) == (False, 0.5, None)
    at = ingest(memory, "Noon.", tool_calls=0, steps=2)
    assert (at.ingested, at.importance) == (True, 0.6)


def test_the_same_answer_is_kept_once_in_five_seconds(memory, clock):
    assert ingest(memory).ingested
    clock.forward(4.9)
    again = ingest(memory, SYNTHESIS.upper())
    assert (again.ingested, again.importance, again.id) == (False, 1.0, None)
    clock.forward(0.2)
    assert ingest(memory).ingested


def test_a_session_keeps_five(memory):
    kept = [ingest(memory, f"{SYNTHESIS} {n}").ingested for n in range(8)]
    assert kept == [True] * 5 + [False] * 3
    assert ingest(memory, session_id="s2").ingested


def test_the_limit_can_be_set(tmp_path, clock):
    memory = Memory(application(tmp_path, clock, INGEST_LIMIT="1", EPISODE_TTL="1h"))
    assert [ingest(memory, f"{SYNTHESIS} {n}").ingested for n in range(2)] == [True, False]
    clock.forward(3601)
    assert episodes(memory) == []
    memory.app.close()


def test_of_twenty_at_once_one_is_kept_if_they_are_the_same(memory):
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: ingest(memory), range(20)))
    assert sum(answer.ingested for answer in answers) == 1
    assert len(episodes(memory)) == 1


def test_of_twenty_at_once_five_are_kept_if_they_differ(memory):
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda n: ingest(memory, f"{SYNTHESIS} {n}"), range(20)))
    assert sum(answer.ingested for answer in answers) == 5
    assert len(episodes(memory)) == memory.row(ingests_key("s1"))["count"] == 5


def test_the_sessions_owner_owns_it_then_who_is_named_then_the_caller(memory):
    memory.start("s1", user_id="ann", agent_id="a1")
    ingest(memory, user="carl")
    ingest(memory, session_id="s2", user_id="bob", user="carl")
    ingest(memory, session_id="s3", user="carl")
    for user, session in (("ann", "s1"), ("bob", "s2"), ("carl", "s3")):
        (episode,) = episodes(memory, user)
        assert (episode.conversation_id, episode.user_id) == (session, user)
    assert memory.start("s2").user_id == "bob"
    assert episodes(memory, "ann")[0].agent_id == "a1"
    with pytest.raises(OwnedByAnother):
        ingest(memory, user_id="bob")


def test_nothing_of_a_session_that_keeps_nothing_is_kept(memory):
    memory.start(persist=False)
    assert not ingest(memory).ingested
    assert episodes(memory) == []
    assert memory.row(ingests_key("s1")) is None


def test_secrets_and_recalled_memory_are_left_out(memory):
    key = "sk-ant-" + "a1B2" * 10
    recalled = "<memory:context>\n- [fact] x: " + "y" * 2000 + "\n</memory:context>\n"
    ingest(memory, f"{recalled}The key {key} is shared.", steps=0)
    (episode,) = episodes(memory)
    assert episode.summary == "The key [redacted:anthropic_key] is shared."
    assert not ingest(memory, recalled, tool_calls=None, steps=None).ingested


def test_an_answer_that_is_recalled_memory_alone_is_not_kept_whatever_tools_it_took(memory):
    recalled = "<memory:context>\n- [fact] x: y\n</memory:context>\n"
    answer = ingest(memory, recalled)
    assert (answer.ingested, answer.id) == (False, None)
    respond(memory, recalled, tools=1, steps=2)
    assert episodes(memory) == []


def test_a_long_answer_is_cut_to_a_summarys_length(memory):
    assert ingest(memory, "x" * 20_000).ingested
    assert len(episodes(memory)[0].summary) == 10_000


def test_it_is_kept_for_thirty_days(memory, clock):
    ingest(memory)
    clock.forward(30 * DAY - 60)
    assert len(episodes(memory)) == 1
    clock.forward(120)
    assert episodes(memory) == []


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"response": ""}, "response"),
        ({"response": " "}, "response"),
        ({"response": "x" * 50_001}, "response"),
        ({"session_id": ""}, "session_id"),
        ({"steps": -1}, "steps"),
        ({"tool_calls": "many"}, "tool_calls"),
        ({"tool_calls": True}, "tool_calls"),
        ({"steps": False}, "steps"),
    ],
)
def test_what_breaks_a_limit_is_refused_by_its_name(fields, name):
    with pytest.raises(ValidationError) as refused:
        NewIngest.model_validate({"session_id": "s1", "response": "r"} | fields)
    assert {error["loc"][0] for error in refused.value.errors()} == {name}


# --- automatic ---------------------------------------------------------------------------------


def respond(memory, content=SYNTHESIS, kind="agent_response", session_id="k1", **metadata):
    memory.app.events.logs.open(LOCAL, NewEventSession(session_id=session_id))
    event = NewEvent(event_type=kind, content=content, metadata=metadata)
    return memory.app.events.appender.append(LOCAL, session_id, [event])


@pytest.mark.parametrize(
    "metadata",
    [
        {"tools": ["search"], "steps": 3},
        {"tools": ["search"], "steps": ["a", "b"]},
        {"tools": 1, "steps": 0},
        {"tools": [], "steps": 2},
        {"tools": True, "steps": None},
    ],
)
def test_an_agents_answer_with_tools_and_steps_is_ingested_by_itself(memory, metadata):
    respond(memory, **metadata)
    (episode,) = episodes(memory)
    assert (episode.type, episode.conversation_id) == ("RESPONSE_INGEST", "k1")


def test_an_event_that_is_sent_again_is_ingested_once_however_late(memory, clock):
    memory.app.events.logs.open(LOCAL, NewEventSession(session_id="k1"))
    body = {"event_type": "agent_response", "content": SYNTHESIS, "metadata": {"tools": 1, "steps": 2}}
    event = NewEvent.model_validate(body | {"event_id": "e1"})
    for _ in range(2):
        memory.app.events.appender.append(LOCAL, "k1", [event])
        clock.forward(60)
    assert len(episodes(memory)) == 1
    memory.app.events.appender.append(LOCAL, "k1", [NewEvent.model_validate(body | {"event_id": "e2"})])
    assert len(episodes(memory)) == 2


@pytest.mark.parametrize(
    ("kind", "metadata"),
    [
        ("agent_response", {}),
        ("agent_response", {"tools": ["search"]}),
        ("agent_response", {"steps": 3}),
        ("agent_response", {"tools": [], "steps": 0}),
        ("user_message", {"tools": ["search"], "steps": 3}),
    ],
)
def test_other_events_are_not(memory, kind, metadata):
    respond(memory, kind=kind, **metadata)
    assert episodes(memory) == []


def test_content_of_any_shape_is_read_for_its_words(memory):
    respond(memory, content=[{"type": "text", "text": SYNTHESIS}], tools=["x"], steps=2)
    assert [episode.summary for episode in episodes(memory)] == [SYNTHESIS]
    respond(memory, content={"n": 1}, session_id="k2", tools=["x"], steps=2)
    assert len(episodes(memory)) == 1


def test_half_a_surrogate_pair_keeps_no_answer_from_being_ingested(memory):
    respond(memory, content=f"{SYNTHESIS} \ud83d", tools=["x"], steps=2)
    assert [episode.summary for episode in episodes(memory)] == [f"{SYNTHESIS} ?"]


def test_events_are_kept_where_ingesting_fails(memory):
    memory.use(lexicon=object())  # no word's rarity can be looked up
    (event_id,) = respond(memory, tools=["x"], steps=2)
    assert event_id
    assert episodes(memory) == []


def test_ingested_episodes_are_found(memory):
    answer = ingest(memory)
    memory.follow()
    found = memory.app.episodes.finder.matching(
        LOCAL, DEFAULT_OWNER, "postgres", limit=5, mode=Mode.HYBRID
    ).results
    assert [hit.id for hit in found] == [answer.id]
    assert episode_number(answer.id)


def test_metadata_comes_back_as_it_went_in(memory):
    (event_id,) = respond(memory, tools=["x"], steps=2)
    log = memory.app.events.reader.log(LOCAL, "k1")
    (event,) = memory.app.events.reader.newest(LOCAL, log, limit=5)
    assert (event.event_id, json.loads(event.metadata)) == (event_id, {"tools": ["x"], "steps": 2})
