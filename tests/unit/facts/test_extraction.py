"""Facts are found once, in ended sessions, by agents that may remember and of people who did not refuse."""

import json

import pytest

from strata.domain.errors import ModelFailed, Unavailable
from strata.domain.wire.events import NewEvent, NewEventSession
from strata.services.facts.extraction import SHIFT_SECONDS
from strata.services.facts.orders import EXTRACTION, WAITS_SECONDS
from strata.services.records.people import extraction_key, fact_key, fact_number, transcript_key
from support.facts import AGENT, ANN, TURNS, ScriptedFinder, consent, converse, enable, extract, known
from support.memory import LOCAL, Meddled, Memory

DAY = 86_400


@pytest.fixture
def finder() -> ScriptedFinder:
    return ScriptedFinder()


@pytest.fixture
def memory(memory: Memory, finder: ScriptedFinder) -> Memory:
    memory.use(fact_finder=finder)
    return memory


def order(memory: Memory, session: str = "s1"):
    return memory.row(extraction_key(session))


def queued(memory: Memory) -> list[object]:
    return [message.body for message in memory.app.queues.named("extraction").receive(100)]


def test_what_a_user_said_of_themselves_is_known_after_the_session(memory, finder):
    enable(memory)
    converse(memory)
    memory.follow()
    assert queued(memory) == [{"tenant": "local", "session_id": "s1"}]
    extract(memory)
    assert known(memory) == ["Loves jazz", "Lives in Valencia"]
    assert finder.asked == [list(TURNS[::2])]
    (fact, _) = memory.app.facts.catalog.listed(LOCAL, AGENT, ANN, 10)
    assert (fact.category, fact.value, fact.basis, fact.session_id) == (
        "preference",
        "jazz",
        "I love jazz",
        "s1",
    )


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"agent": None}, TURNS),
        ({"owner": None}, TURNS),
        ({"agent": "another"}, TURNS),
        ({}, TURNS[:4]),
        (
            {},
            ("I live in Valencia.", "Noted.", "<memory:facts>\n- Lives in Rome\n</memory:facts>", "", "Bye"),
        ),
    ],
)
def test_a_session_of_no_agent_no_user_a_forgetful_agent_or_two_turns_leaves_nothing(memory, given, said):
    enable(memory)
    converse(memory, "s1", *said, **given)
    assert order(memory) is None
    assert memory.row(transcript_key("s1")) is None


def test_nothing_is_left_of_who_has_refused(memory, finder):
    enable(memory)
    consent(memory, ai_consent=False)
    converse(memory)
    assert order(memory) is None
    assert memory.row(transcript_key("s1")) is None


def test_the_transcript_holds_the_users_own_words_without_secrets(memory):
    enable(memory)
    secret = "ghp_" + "a1B2" * 9
    converse(
        memory,
        "s1",
        f"my token is {secret}",
        "I see 1",
        "<memory:facts>\n- x\n</memory:facts>two",
        "",
        "three",
    )
    turns = json.loads(memory.row(transcript_key("s1"))["turns"])
    assert turns[1:] == ["two", "three"]
    assert secret not in turns[0]


def test_the_transcript_goes_once_its_facts_are_found_and_at_the_latest_after_a_fortnight(memory, clock):
    enable(memory)
    converse(memory)
    converse(memory, "s2")
    extract(memory)
    assert memory.row(transcript_key("s1")) is None
    clock.forward(WAITS_SECONDS + 60)
    assert memory.row(transcript_key("s2")) is None
    extract(memory, "s2")
    assert order(memory, "s2")["outcome"] == "expired"


def test_a_transcript_is_kept_as_long_as_the_agent_is_told_to(memory, clock):
    enable(memory, transcript_retention_days=2)
    converse(memory)
    extract(memory)
    clock.forward(2 * DAY - 60)
    assert memory.row(transcript_key("s1")) is not None
    clock.forward(120)
    assert memory.row(transcript_key("s1")) is None


def test_a_message_that_comes_ten_times_is_worked_off_once(memory, finder):
    enable(memory)
    converse(memory)
    for _ in range(10):
        extract(memory)
    assert len(finder.asked) == 1
    assert len(known(memory)) == 2


def test_a_message_without_an_order_does_nothing(memory, finder):
    extract(memory, "unknown")
    assert finder.asked == []


def test_a_second_delivery_waits_while_the_first_is_at_work(memory, finder):
    enable(memory)
    converse(memory)

    def again() -> None:
        with pytest.raises(Unavailable):
            extract(memory)

    finder.happening = again
    extract(memory)
    assert len(finder.asked) == 1
    assert len(known(memory)) == 2


def test_who_died_at_work_is_followed_by_another_when_the_lease_is_over(memory, finder, clock):
    enable(memory)
    converse(memory)

    def die() -> None:
        raise KeyboardInterrupt  # not an Exception: nothing is cleaned up after a process that is killed

    finder.happening = die
    with pytest.raises(KeyboardInterrupt):
        extract(memory)
    with pytest.raises(Unavailable):
        extract(memory)
    clock.forward(EXTRACTION.lease_seconds + 1)
    finder.happening = lambda: None
    extract(memory)
    assert len(finder.asked) == 2
    assert len(known(memory)) == 2


def test_a_run_that_fails_says_why_and_can_be_tried_again_at_once(memory, finder):
    enable(memory)
    converse(memory)

    def fail() -> None:
        raise ModelFailed("the words of somebody in confidence")

    finder.happening = fail
    with pytest.raises(ModelFailed):
        extract(memory)
    assert "ModelFailed" in order(memory)["reason"]
    assert "confidence" not in order(memory)["reason"]
    finder.happening = lambda: None
    extract(memory)
    assert order(memory)["outcome"] == "found"
    assert "reason" not in order(memory)


@pytest.mark.parametrize("said", [{"ai_consent": False}, {"persist": False}])
def test_a_refusal_after_the_end_stops_what_is_queued(memory, finder, said):
    enable(memory)
    converse(memory)
    consent(memory, **said)
    extract(memory)
    assert finder.asked == []
    assert known(memory) == []
    assert order(memory)["outcome"] == "refused"
    assert memory.row(transcript_key("s1")) is None


def test_so_does_an_agent_that_may_no_longer_remember(memory, finder):
    enable(memory)
    converse(memory)
    enable(memory, memory_enabled=False)
    extract(memory)
    assert finder.asked == []
    assert order(memory)["outcome"] == "refused"


def test_a_refusal_while_the_model_thinks_leaves_no_fact(memory, finder):
    enable(memory)
    converse(memory)
    finder.happening = lambda: consent(memory, ai_consent=False)
    extract(memory)
    assert known(memory) == []
    assert order(memory)["outcome"] == "refused"


def test_a_refusal_in_the_last_moment_leaves_no_fact(memory, finder):
    enable(memory)
    converse(memory)
    late = Meddled(memory.app.stores.table, lambda: consent(memory, ai_consent=False))
    extract(memory, written_to=late)
    assert finder.asked
    assert known(memory) == []
    assert order(memory)["outcome"] == "refused"


def test_who_agrees_again_is_remembered_from_the_next_session_on(memory, finder):
    enable(memory)
    converse(memory)
    consent(memory, ai_consent=False)
    extract(memory)
    consent(memory, ai_consent=True)
    extract(memory)
    assert known(memory) == []
    converse(memory, "s2")
    extract(memory, "s2")
    assert len(known(memory)) == 2


def test_an_end_that_is_sent_again_orders_nothing_new(memory, finder):
    enable(memory)
    converse(memory)
    extract(memory)
    memory.end("s1", *TURNS)
    memory.follow()
    extract(memory)
    assert len(finder.asked) == 1
    assert order(memory)["state"] == "done"


def test_a_session_that_went_on_is_looked_at_again_and_adds_what_is_new(memory, finder):
    enable(memory)
    converse(memory)
    extract(memory)
    memory.end("s1", *TURNS, "I love chess.", "Fine.")
    extract(memory)
    assert known(memory) == ["Loves chess", "Loves jazz", "Lives in Valencia"]


def test_an_end_while_facts_are_found_is_worked_off_by_the_next_delivery(memory, finder):
    enable(memory)
    converse(memory)

    def end_anew() -> None:
        finder.happening = lambda: None
        memory.end("s1", *TURNS, "I love chess.", "Fine.")

    finder.happening = end_anew
    with pytest.raises(Unavailable):
        extract(memory)
    extract(memory)
    assert known(memory) == ["Loves chess", "Loves jazz", "Lives in Valencia"]


def test_a_newer_value_takes_the_place_of_an_older_one_and_says_so(memory):
    enable(memory)
    converse(memory)
    extract(memory)
    older = next(
        fact for fact in memory.app.facts.catalog.listed(LOCAL, AGENT, ANN, 10) if fact.category == "place"
    )
    converse(memory, "s2", "I live in Rome.", "", "a", "", "b")
    extract(memory, "s2")
    assert known(memory) == ["Lives in Rome", "Loves jazz"]
    newest = memory.app.facts.catalog.listed(LOCAL, AGENT, ANN, 10)[0]
    assert newest.supersedes == [older.id]
    superseded = memory.row(fact_key(AGENT, ANN, fact_number(older.id)))
    assert f"fact-{superseded['superseded_by']}" == newest.id


def test_what_an_imported_conversation_says_of_earlier_times_replaces_nothing(memory):
    enable(memory)
    converse(memory, "now", "I live in Valencia.", "", "I love jazz.", "", "b")
    extract(memory, "now")
    converse(memory, "old", "I live in Rome.", "", "I love chess.", "", "b", ended_at="2020-05-01T10:00:00Z")
    extract(memory, "old")
    assert known(memory) == ["Loves jazz", "Lives in Valencia", "Loves chess"]
    *_, oldest = memory.app.facts.catalog.listed(LOCAL, AGENT, ANN, 10)
    assert oldest.created_at.startswith("2020-05-01T10:00:00")
    converse(memory, "older", "I live in Oslo.", "", "a", "", "b", ended_at="2019-05-01T10:00:00Z")
    extract(memory, "older")
    converse(memory, "newest", "I live in Bern.", "", "a", "", "b")
    extract(memory, "newest")
    assert "Lives in Bern" in known(memory)
    assert not {"Lives in Valencia", "Lives in Rome", "Lives in Oslo"} & set(known(memory))


def test_who_comes_back_to_an_older_value_is_believed(memory):
    enable(memory)
    for session, place in (("s1", "Rome"), ("s2", "Oslo"), ("s3", "Rome")):
        converse(memory, session, f"I live in {place}.", "", "a", "", "b")
        extract(memory, session)
    assert known(memory) == ["Lives in Rome"]


def test_the_last_word_of_one_conversation_holds(memory):
    enable(memory)
    converse(memory, "s1", "I live in Rome.", "", "I live in Oslo.", "", "I live in Bern.")
    extract(memory)
    assert known(memory) == ["Lives in Bern"]


def test_two_likings_stand_beside_each_other(memory):
    enable(memory)
    converse(memory, "s1", "I love purple.", "", "I love cyan.", "", "b")
    extract(memory)
    assert known(memory) == ["Loves cyan", "Loves purple"]


def test_a_deleted_fact_does_not_come_back_within_a_day(memory, clock):
    enable(memory)
    converse(memory)
    extract(memory)
    jazz = memory.app.facts.catalog.listed(LOCAL, AGENT, ANN, 1)[0]
    memory.app.facts.catalog.delete(LOCAL, AGENT, ANN, jazz.id)
    assert known(memory) == ["Lives in Valencia"]
    memory.end("s1", *TURNS, "I love chess.", "Fine.")
    extract(memory)
    assert known(memory) == ["Loves chess", "Lives in Valencia"]
    clock.forward(DAY + 60)
    converse(memory, "s2")
    extract(memory, "s2")
    assert known(memory) == ["Loves jazz", "Loves chess", "Lives in Valencia"]


def test_the_caps_hold_and_the_order_says_what_was_left_out(memory):
    enable(memory, max_facts=3, max_facts_per_session=2)
    converse(memory, "s1", "I love a.", "", "I love b.", "", "I love c.")
    extract(memory)
    assert known(memory) == ["Loves b", "Loves a"]
    assert (order(memory)["facts"], order(memory)["left_out"]) == (2, 1)
    converse(memory, "s2", "I love d.", "", "I love e.", "", "bye")
    extract(memory, "s2")
    assert known(memory) == ["Loves e", "Loves d", "Loves b"]


def test_facts_of_an_agent_with_a_retention_end_in_time(memory, clock):
    enable(memory, fact_retention_days=30)
    converse(memory)
    extract(memory)
    clock.forward(30 * DAY - 60)
    assert len(known(memory)) == 2
    clock.forward(120)
    assert known(memory) == []


def test_of_many_facts_at_once_none_is_lost(memory):
    enable(memory, max_facts_per_session=200)
    said = [text for number in range(95) for text in (f"I love thing {number}.", "")]
    converse(memory, "s1", *said)
    extract(memory)
    assert sorted(known(memory)) == sorted(f"Loves thing {number}" for number in range(95))


def test_a_long_conversation_is_looked_at_whole_and_handed_on_when_a_shift_is_over(memory, finder, clock):
    enable(memory, max_facts_per_session=200)
    said = [text for number in range(40) for text in (f"I love thing {number}. " + "word " * 400, "")]
    converse(memory, "s1", *said)
    finder.happening = lambda: clock.forward(SHIFT_SECONDS / 2 + 1)
    deliveries = 0
    while order(memory)["state"] != "done":
        memory.follow()
        assert queued(memory)
        extract(memory)
        deliveries += 1
    assert deliveries > 1
    assert {turn.split(". ")[0] for part in finder.asked for turn in part} == {
        f"I love thing {number}" for number in range(40)
    }


def test_the_messages_of_a_batch_are_reported_one_by_one(memory, finder, caplog):
    enable(memory)
    converse(memory)
    converse(memory, "s2")
    handler = memory.app.handlers.extraction()

    def fail_first() -> None:
        finder.happening = lambda: None
        raise ModelFailed("in confidence")

    finder.happening = fail_first
    bodies = [{"tenant": "local", "session_id": each} for each in ("s1", "s2")]
    records = [{"messageId": f"m{n}", "body": json.dumps(body)} for n, body in enumerate(bodies)]
    broken = [{"messageId": "m2", "body": "no JSON"}, {"messageId": "m3", "body": '{"tenant": "_directory"}'}]
    answer = handler({"Records": [*records, *broken]}, None)
    assert [each["itemIdentifier"] for each in answer["batchItemFailures"]] == ["m0", "m2", "m3"]
    assert (order(memory)["state"], order(memory, "s2")["state"]) == ("due", "done")
    assert "confidence" not in caplog.text


def test_a_crash_between_sending_and_noting_it_sends_again_and_nothing_is_lost(memory):
    enable(memory)
    converse(memory)
    table = memory.app.stores.table

    def die() -> None:
        raise KeyboardInterrupt

    from strata.services.orders.dispatch import Dispatch

    dying = Dispatch(Meddled(table, die), EXTRACTION, memory.app.queues.named("extraction"))
    with pytest.raises(KeyboardInterrupt):
        dying.follow(LOCAL, [extraction_key("s1")])
    memory.follow()
    assert queued(memory) == [{"tenant": "local", "session_id": "s1"}] * 2


def test_sessions_that_only_events_know_are_remembered_by_their_app(memory):
    enable(memory, "concierge")
    memory.app.events.logs.open(LOCAL, NewEventSession(session_id="e1", app_name="concierge", user_id=ANN))
    for text in ("I live in Valencia.", "I love jazz.", "Bye"):
        event = NewEvent.model_validate({"event_type": "user_message", "content": text})
        memory.app.events.appender.append(LOCAL, "e1", [event])
    memory.end("e1")
    extract(memory, "e1")
    assert known(memory, "concierge") == ["Loves jazz", "Lives in Valencia"]


def test_idle_sessions_are_ended_piece_by_piece_each_once(memory, clock):
    said = NewEvent.model_validate({"event_type": "user_message", "content": "I live in Valencia."})
    for app in ("concierge", "concierge#2", "%"):
        enable(memory, app)
        for number in range(17):
            session = f"{app}-{number}"
            memory.app.events.logs.open(LOCAL, NewEventSession(session_id=session, app_name=app, user_id=ANN))
            memory.app.events.appender.append(LOCAL, session, [said])
    clock.forward(6 * 3600 + 60)
    ended, cursor = memory.app.sessions.idle_ender.end_idle(LOCAL)
    pieces = [ended]
    while cursor:
        ended, cursor = memory.app.sessions.idle_ender.end_idle(LOCAL, cursor=cursor)
        pieces.append(ended)
    assert pieces == [20, 20, 11]
    assert memory.app.sessions.idle_ender.end_idle(LOCAL)[0] == 0


def test_an_idle_session_is_ended_once_for_its_facts(memory, clock):
    enable(memory, "concierge")
    for session, owner in (("e1", ANN), ("e2", None)):
        memory.app.events.logs.open(
            LOCAL, NewEventSession(session_id=session, app_name="concierge", user_id=owner)
        )
        events = [
            NewEvent.model_validate({"event_type": "user_message", "content": text})
            for text in ("I live in Valencia.", "I love jazz.", "Bye")
        ]
        memory.app.events.appender.append(LOCAL, session, events)
    assert memory.app.sessions.idle_ender.end_idle(LOCAL) == (0, None)
    clock.forward(6 * 3600 + 60)
    assert memory.app.sessions.idle_ender.end_idle(LOCAL) == (2, None)
    assert memory.app.sessions.idle_ender.end_idle(LOCAL) == (0, None)
    extract(memory, "e1")
    assert len(known(memory, "concierge")) == 2
    since = clock.now_us()
    clock.forward(6 * 3600 + 60)
    memory.app.events.appender.append(
        LOCAL, "e1", [NewEvent.model_validate({"event_type": "user_message", "content": "I love chess."})]
    )
    clock.forward(6 * 3600 + 60)
    assert memory.app.sessions.idle_ender.end_idle(LOCAL, since=since) == (1, None)
