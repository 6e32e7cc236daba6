"""Ended sessions that are worth it become episodes."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.domain.errors import NotFound
from strata.domain.retrieval import Mode
from strata.domain.wire.episodes import DEFAULT_OWNER
from strata.domain.wire.events import NewEvent, NewEventSession
from strata.domain.wire.sessions import SessionEnd
from strata.services.records.episodes import episode_number, episodes_pk
from strata.services.records.sessions import line_of, session_key
from support.clocks import START, HandClock
from support.memory import LOCAL, Meddled, Memory, application, dialogue

DAY = 86_400
PREFERENCE = ("I prefer metric units in every report.", "Noted.", "Thanks!")
TRIVIAL = ("Hi", "Hello!", "What's the capital of Australia?", "Canberra.", "thanks")


def episodes(memory, user=DEFAULT_OWNER):
    return memory.app.episodes.finder.recent(LOCAL, user, 20)[0]


def test_a_session_worth_it_becomes_an_episode_with_all_that_one_has(memory):
    memory.start("s1", agent_id="a1", user_id="ann")
    ended = memory.end("s1", *PREFERENCE)
    (episode,) = episodes(memory, "ann")
    assert (ended.summary[:12], episode.summary) == ("Session with", PREFERENCE[0])
    assert episode.key_decisions == [PREFERENCE[0]]
    assert (episode.type, episode.importance) == ("preference", 0.8)
    assert episode.keywords[0] == episode.topic == "metric units"
    assert (episode.conversation_id, episode.agent_id, episode.user_id) == ("s1", "a1", "ann")
    assert episode.timestamp >= START // 1000


def test_it_is_found_by_what_was_said_in_its_middle(memory):
    memory.start()
    memory.end("s1", "Hello", "Hi", "From now on call the project Quetzal.", "All right.", "Bye", "Bye")
    memory.follow()
    found = memory.app.episodes.finder.matching(
        LOCAL, DEFAULT_OWNER, "quetzal", limit=5, mode=Mode.BM25
    ).results
    assert [hit.conversation_id for hit in found] == ["s1"]


@pytest.mark.parametrize("said", [TRIVIAL, (), ("Hi", "Hello")])
def test_a_session_not_worth_it_becomes_none(memory, said):
    memory.start()
    memory.end("s1", *said)
    assert episodes(memory) == []


def test_it_is_kept_for_thirty_days(memory, clock):
    memory.start()
    memory.end("s1", *PREFERENCE)
    clock.forward(30 * DAY - 60)
    assert len(episodes(memory)) == 1
    clock.forward(120)
    assert episodes(memory) == []


def test_ending_again_replaces_the_one_episode(memory):
    memory.start()
    memory.end("s1", *PREFERENCE)
    (first,) = episodes(memory)
    memory.end("s1", "My name is Ann.", "Hello Ann")
    (second,) = episodes(memory)
    assert (second.id, second.timestamp, second.type) == (first.id, first.timestamp, "fact")
    memory.follow()
    found = memory.app.episodes.finder.matching(LOCAL, DEFAULT_OWNER, "metric", limit=5, mode=Mode.BM25)
    assert found.results == []


def test_ending_again_with_nothing_worth_it_takes_the_episode_away(memory):
    memory.start()
    memory.end("s1", *PREFERENCE)
    memory.end("s1", *TRIVIAL)
    assert episodes(memory) == []
    memory.end("s1", *PREFERENCE)
    assert len(episodes(memory)) == 1


def test_ending_again_without_a_transcript_leaves_the_episode(memory):
    memory.start()
    memory.end("s1", *PREFERENCE)
    memory.end("s1")
    assert len(episodes(memory)) == 1


def test_an_episode_follows_its_session_to_the_owner_who_is_named_late(memory):
    memory.start()
    memory.end("s1", *PREFERENCE)
    memory.end("s1", *PREFERENCE, user_id="ann")
    assert episodes(memory) == []
    assert len(episodes(memory, "ann")) == 1
    memory.follow()
    found = memory.app.episodes.finder.matching(LOCAL, "ann", "metric", limit=5, mode=Mode.BM25).results
    assert len(found) == 1


def test_what_was_forgotten_does_not_come_back_when_an_end_is_sent_again(memory):
    memory.start()
    memory.end("s1", *PREFERENCE)
    (episode,) = episodes(memory)
    memory.app.episodes.catalog.forget(LOCAL, DEFAULT_OWNER, episode.id)
    assert memory.end("s1", *PREFERENCE).message_count == 3
    assert episodes(memory) == []


def test_the_line_of_a_session_goes_with_its_episode(memory):
    for session in ("s1", "s2"):
        memory.start(session)
        memory.end(session, f"From now on call the project of {session} Quetzal.")
    (_, first) = episodes(memory)
    memory.app.episodes.catalog.forget(LOCAL, DEFAULT_OWNER, first.id)
    memory.end("s1", "From now on call the project of s1 Quetzal.")
    lines = {row["id"]: line_of(row) for row in memory.app.sessions.catalog.summarized(LOCAL, "demo", 5)}
    assert lines == {"s1": "", "s2": "From now on call the project of s2 Quetzal."}


def test_a_session_that_keeps_nothing_or_wants_no_summary_becomes_none(memory):
    memory.start("s1", persist=False)
    memory.start("s2", autoSummarize=False)
    assert memory.end("s1", *PREFERENCE).message_count == 3
    assert memory.end("s2", *PREFERENCE).summary == ""
    assert episodes(memory) == []


def test_secrets_are_in_none_of_its_parts(memory):
    key = "ghp_" + "a1B2" * 9
    memory.start()
    memory.end("s1", f"Remember that my token {key} is for the staging cluster.", "Done.", f"bye {key}")
    assert key not in str(memory.rows(episodes_pk(DEFAULT_OWNER)))
    assert "[redacted:github_token]" in episodes(memory)[0].key_decisions[0]


def test_recalled_memory_is_not_taken_in(memory):
    recalled = "<memory:context>\n- [preference] Tea: I prefer tea\n</memory:context>\n"
    memory.start()
    ended = memory.end("s1", recalled + "What time is it?", "Noon.", recalled)
    assert episodes(memory) == []
    assert (ended.summary, ended.message_count) == (
        'Session with 2 messages. Started: "What time is it?"',
        2,
    )


def test_the_session_and_its_episode_change_together(memory):
    memory.start()
    table = Meddled(memory.app.stores.table, lambda: memory.end("s1", "My name is Ann."))
    late = memory.app.with_overrides(table=table).sessions.ender
    late.end(LOCAL, "s1", SessionEnd(messages=dialogue(*PREFERENCE)))
    (episode,) = episodes(memory)
    assert episode.type == "preference"
    assert memory.row(session_key("s1"))["episode"] == episode_number(episode.id)


def test_of_many_ends_at_once_one_episode_is_left(memory):
    memory.start()
    names = [f"My name is {name}." for name in ("Ann", "Bea", "Cleo", "Dora", "Eve", "Fay", "Gil", "Hal")]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda said: memory.end("s1", said, "Hello"), names))
    (episode,) = episodes(memory)
    row = memory.row(session_key("s1"))
    assert row["about"] == episode.summary
    assert episode.summary in row["summary"]


# --- sessions of events ---------------------------------------------------------------------------


def tell(memory, session_id, *events):
    memory.app.events.appender.append(
        LOCAL, session_id, [NewEvent(event_type=kind, content=content) for kind, content in events]
    )


def test_without_messages_the_sessions_events_are_its_transcript(memory):
    memory.start()
    tell(memory, "s1", ("user_message", PREFERENCE[0]), ("agent_response", "Noted."))
    ended = memory.app.sessions.ender.end(LOCAL, "s1", SessionEnd())
    assert ended.summary == f'Session with 2 messages. Started: "{PREFERENCE[0]}"'
    assert len(episodes(memory)) == 1


def test_messages_that_are_given_count_for_more_than_events(memory):
    memory.start()
    tell(memory, "s1", ("user_message", PREFERENCE[0]))
    assert memory.end("s1", "Hi").message_count == 1
    assert episodes(memory) == []


def test_a_session_that_only_its_events_know_ends_in_the_project_of_its_app(memory):
    memory.app.events.logs.open(LOCAL, NewEventSession(session_id="k1", app_name="Robot", user_id="ann"))
    tell(memory, "k1", ("user_message", PREFERENCE[0]), ("agent_response", "Noted."))
    assert memory.end("k1").message_count == 2
    (session,) = memory.app.sessions.catalog.recent(LOCAL, "robot", 5)
    assert (session.id, session.user_id, session.message_count) == ("k1", "ann", 2)
    assert session.ended_at >= session.started_at
    assert memory.app.sessions.catalog.summaries(LOCAL, "robot", 5) == [session.summary]
    assert [episode.conversation_id for episode in episodes(memory, "ann")] == ["k1"]
    assert memory.stats("robot").total_sessions == 1


def test_a_session_that_nobody_knows_cannot_be_ended(memory):
    with pytest.raises(NotFound):
        memory.end("nobody", *PREFERENCE)
    assert episodes(memory) == []


def test_a_very_long_session_is_read_at_its_beginning_and_its_end(memory):
    said = ["What next?", "This."] * 1500
    memory.start()
    memory.end("s1", "My name is Ann.", "Hello", *said, "I prefer tea.")
    (episode,) = episodes(memory)
    assert episode.key_decisions == ["My name is Ann.", "I prefer tea."]


def test_so_is_one_of_very_long_messages(memory, monkeypatch):
    monkeypatch.setattr("strata.services.sessions.transcript.FIRST", (200, 1_000))
    monkeypatch.setattr("strata.services.sessions.transcript.LAST", (1800, 2_000))
    log = "What does this log say? " + "line " * 150
    said = [log, "It stopped."] * 3
    memory.start()
    memory.end("s1", "My name is Ann.", "Hello", *said, "I prefer coffee.", "Noted.", *said, "I prefer tea.")
    (episode,) = episodes(memory)
    assert episode.key_decisions == ["My name is Ann.", "I prefer tea."]


# --- any order of things ----------------------------------------------------------------------------

WORTH = st.sampled_from([PREFERENCE, ("My name is Ann.", "Hello Ann"), TRIVIAL, ()])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("end"), WORTH, st.sampled_from([None, "ann"])),
        st.tuples(st.just("forget")),
        st.tuples(st.just("follow")),
        st.tuples(st.just("wait"), st.sampled_from([60, DAY + 1, 31 * DAY])),
    ),
    max_size=8,
)


@settings(max_examples=40, deadline=None)
@given(STEPS)
def test_whatever_happens_a_session_has_one_episode_at_most_and_the_index_knows_it(steps):
    clock = HandClock()
    with TemporaryDirectory() as folder:
        app = application(Path(folder), clock)
        memory = Memory(app)
        memory.start()
        for name, *given_ in steps:
            if name == "end":
                said, user = given_
                memory.end("s1", *said, **({"user_id": user} if user else {}))
            elif name == "forget":
                for user in (DEFAULT_OWNER, "ann"):
                    for episode in episodes(memory, user):
                        app.episodes.catalog.forget(LOCAL, user, episode.id)
            elif name == "follow":
                memory.follow()
            else:
                clock.forward(given_[0])
            live = episodes(memory) + episodes(memory, "ann")
            session = memory.row(session_key("s1"))
            assert [episode_number(each.id) for each in live] in ([], [session.get("episode")])
            assert [each.id for each in app.episodes.finder.of_conversation(LOCAL, "s1")] == [
                each.id for each in live
            ]
            owner = session.get("user_id") or DEFAULT_OWNER
            if name == "end" and live and given_[0] in (PREFERENCE, TRIVIAL):
                assert [each.id for each in episodes(memory, owner)] == [live[0].id]
        memory.follow()
        clock.forward(DAY)
        verdict = app.repair.verifier.verify()
        assert (verdict.missing, verdict.stale, verdict.forgotten) == (0, 0, 0)
        app.close()


def test_what_a_tool_gave_beside_recalled_memory_is_not_taken_for_the_users_word(memory):
    result = {
        "type": "tool_result",
        "content": "<memory:context>\n- tea\n</memory:context>\n" + PREFERENCE[0],
    }
    turns = [{"role": "user", "content": "Read the file"}, {"role": "user", "content": [result]}]
    memory.start("s1")
    memory.app.sessions.ender.end(LOCAL, "s1", SessionEnd.model_validate({"messages": turns}))
    assert episodes(memory) == []
