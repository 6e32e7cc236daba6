"""Of a person who wants nothing kept nothing is kept from then on, until they say otherwise."""

import pytest

from strata.domain.errors import OwnedByAnother
from strata.domain.wire.episodes import DEFAULT_OWNER, NewEpisode, NewIngest
from strata.domain.wire.events import NewEvent, NewEventSession
from strata.domain.wire.sessions import NewSession
from strata.domain.wire.working_memory import WorkingMemoryChange
from strata.ports.table import ConditionFailed
from strata.services.people.ownership import UNKEPT_SESSION_SECONDS
from strata.services.records.sessions import session_key
from strata.services.search.filters import EpisodeFilter
from support.facts import ANN, consent
from support.memory import LOCAL


def save(memory, session: str, user: str | None) -> None:
    memory.save(f"the heron of {session}", session_id=session, user_id=user)


def put(memory, session: str, user: str | None) -> None:
    change = WorkingMemoryChange.model_validate({"topic": "herons"})
    memory.app.conversations.working_memory.put(LOCAL, session, change, user)


def mark(memory, session: str, user: str | None) -> None:
    memory.app.conversations.ledger.mark_many(LOCAL, session, ["item"], value="injected", user_id=user)


def remember(memory, session: str, user: str | None) -> None:
    episode = {"conversation_id": session, "agent_id": "a1", "summary": "the heron", "user_id": user}
    memory.app.episodes.catalog.store(LOCAL, NewEpisode.model_validate(episode))


def ingest(memory, session: str, user: str | None) -> None:
    answer = {
        "session_id": session,
        "response": "In summary, herons wade. " * 50,
        "tool_calls": 2,
        "steps": 3,
    }
    new = NewIngest.model_validate(answer | {"user_id": user})
    memory.app.episodes.ingester.ingest(LOCAL, new, user="default")


def open_log(memory, session: str, user: str | None) -> None:
    memory.app.events.logs.open(LOCAL, NewEventSession(session_id=session, user_id=user))


def append(memory, session: str, user: str | None) -> None:
    event = NewEvent.model_validate({"event_type": "user_message", "content": "the heron"})
    memory.app.events.appender.append(LOCAL, session, [event], user)


def end(memory, session: str, user: str | None) -> None:
    memory.end(session, "My name is Ann and I prefer herons.", "Noted.", "Bye", user_id=user)


def start(memory, session: str, user: str | None) -> None:
    memory.start(session, user_id=user)


WRITES = (save, put, mark, remember, ingest, open_log, append, end)


def writes(memory, session: str, user: str | None) -> None:
    """One write of every kind."""
    for each in WRITES:
        each(memory, session, user)


def kept(memory, session: str) -> dict[str, int]:
    """The number of rows of a session, by kind."""
    app = memory.app
    observations = app.observations.reader.recent(
        LOCAL, project="demo", kind=None, scope_name=None, limit=100
    )
    events = app.events.reader.newest_of(LOCAL, session, limit=100)
    return {
        "observations": len([each for each in observations if each.session_id == session]),
        "fields": len(app.conversations.working_memory.get(LOCAL, session)),
        "items": len(app.conversations.ledger.items(LOCAL, session)),
        "episodes": len(app.episodes.finder.of_conversation(LOCAL, session)),
        "events": len(list(events)),
        "summaries": len([each for each in app.sessions.catalog.recent(LOCAL, "demo", 100) if each.summary]),
    }


@pytest.mark.parametrize("named", [ANN, None])
def test_nothing_is_kept_of_a_new_session_of_theirs(memory, named):
    consent(memory, persist=False)
    memory.start("s1", user_id=ANN)
    writes(memory, "s1", named)
    assert set(kept(memory, "s1").values()) == {0}


@pytest.mark.parametrize("named", [ANN, None])
def test_nor_of_a_session_of_theirs_that_only_events_know(memory, named):
    consent(memory, persist=False)
    memory.app.events.logs.open(LOCAL, NewEventSession(session_id="s1", user_id=ANN))
    writes(memory, "s1", named)
    assert set(kept(memory, "s1").values()) == {0}


@pytest.mark.parametrize("named", [ANN, None])
def test_nothing_more_is_kept_of_a_session_that_was_theirs_already(memory, named):
    memory.start("s1", user_id=ANN)
    memory.save("the first heron", session_id="s1")
    consent(memory, persist=False)
    writes(memory, "s1", named)
    assert kept(memory, "s1") == {
        "observations": 1,
        "fields": 0,
        "items": 0,
        "episodes": 0,
        "events": 0,
        "summaries": 0,
    }


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("first", [start, *WRITES])
def test_nor_what_follows_their_name_in_a_session_of_nobodys(memory, first, known):
    if known:
        memory.start("s1")
    consent(memory, persist=False)
    if not known and first in {append, end}:
        open_log(memory, "s1", None)
    first(memory, "s1", ANN)
    memory.start("s1")
    writes(memory, "s1", None)
    assert set(kept(memory, "s1").values()) == {0}


def test_a_session_of_nobodys_is_heard_again_after_a_week(memory, clock):
    memory.start("s1")
    consent(memory, persist=False)
    save(memory, "s1", ANN)
    clock.forward(UNKEPT_SESSION_SECONDS)
    writes(memory, "s1", None)
    assert 0 not in kept(memory, "s1").values()


def test_who_names_themselves_in_a_session_of_nobodys_is_kept_though_another_was_not(memory):
    memory.start("s1")
    consent(memory, persist=False)
    save(memory, "s1", ANN)
    writes(memory, "s1", "bob")
    assert 0 not in kept(memory, "s1").values()


def test_what_was_kept_of_a_session_of_nobodys_stays(memory):
    memory.start("s1")
    writes(memory, "s1", None)
    before = kept(memory, "s1")
    consent(memory, persist=False)
    save(memory, "s1", ANN)
    assert kept(memory, "s1") == before


def test_an_unkept_session_is_remembered_without_its_person(memory):
    consent(memory, persist=False)
    save(memory, "s1", ANN)
    row = memory.app.stores.table.get(LOCAL, session_key("s1"))
    assert row is not None
    assert row["persist"] is False
    assert ANN not in repr(row)


def test_what_others_say_is_kept(memory):
    consent(memory, persist=False)
    memory.start("s1", user_id="bob")
    writes(memory, "s1", "bob")
    assert 0 not in kept(memory, "s1").values()


def test_who_changes_their_mind_is_kept_again(memory):
    memory.start("s1", user_id=ANN)
    consent(memory, persist=False)
    consent(memory, persist=True)
    writes(memory, "s1", None)
    assert 0 not in kept(memory, "s1").values()


@pytest.mark.parametrize("first", [start, *WRITES])
def test_a_new_session_in_which_they_were_dropped_keeps_what_names_them_once_they_want_it(
    memory, clock, first
):
    consent(memory, persist=False)
    if first in {append, end}:
        open_log(memory, "s1", ANN)
        save(memory, "s1", ANN)
    first(memory, "s1", ANN)
    consent(memory, persist=True)
    for each in WRITES[:-1]:
        each(memory, "s1", None)
    assert set(kept(memory, "s1").values()) == {0}, "without a name it counts as theirs of before"
    writes(memory, "s1", ANN)
    memory.follow()
    clock.forward(2 * UNKEPT_SESSION_SECONDS)
    row = memory.app.stores.table.get(LOCAL, session_key("s1"))
    assert (row["user_id"], "herons" in row["summary"]) == (ANN, True), "for good"
    assert 0 not in {kept(memory, "s1")[each] for each in ("observations", "episodes", "events")}
    assert (memory.stats().total_sessions, memory.stats().total_observations) == (1, 1)


def test_what_names_them_there_while_they_refuse_is_dropped_for_a_week_each_time(memory, clock):
    consent(memory, persist=False)
    for _ in range(3):
        save(memory, "s1", ANN)
        clock.forward(UNKEPT_SESSION_SECONDS - 10)
        save(memory, "s1", None)
    assert set(kept(memory, "s1").values()) == {0}
    writes(memory, "s1", "bob")
    row = memory.app.stores.table.get(LOCAL, session_key("s1"))
    assert (row["user_id"], kept(memory, "s1")["observations"]) == ("bob", 1)


@pytest.mark.parametrize("named", [ANN, "bob", None])
def test_a_session_that_was_asked_to_keep_nothing_keeps_nothing_whoever_is_named(memory, named):
    for refusing in (True, False):
        consent(memory, persist=not refusing)
        save(memory, "s1", ANN)
        memory.start("s1", persist=False)
        memory.start("s2", persist=False)
        memory.start("s2", user_id=named)
        for session in ("s1", "s2"):
            writes(memory, session, named)
            assert set(kept(memory, session).values()) == {0}


def test_a_session_that_was_marked_keeps_nothing_once_its_start_asks_for_that(memory):
    consent(memory, persist=False)
    memory.start("s1", user_id=ANN)
    memory.app.sessions.catalog.start(
        LOCAL, NewSession(id="s1", project="demo", user_id="bob", persist=False)
    )
    consent(memory, persist=True)
    for user in (ANN, "bob", None):
        writes(memory, "s1", user)
    assert set(kept(memory, "s1").values()) == {0}


def test_a_claim_that_meets_a_mark_made_meanwhile_reads_again(memory):
    early = memory.app.people.ownership.admit(LOCAL, "s1", None, "bob")
    consent(memory, persist=False)
    save(memory, "s1", ANN)
    with pytest.raises(ConditionFailed):
        memory.app.stores.table.update(LOCAL, *early.claim)
    save(memory, "s1", "bob")
    session = memory.row(session_key("s1"))
    assert session["user_id"] == "bob"
    assert session.keys().isdisjoint({"persist", "marked", "expires_at"})


def test_a_session_that_is_started_without_a_name_after_they_were_dropped_is_not_forgotten(memory, clock):
    consent(memory, persist=False)
    save(memory, "s1", ANN)
    memory.start("s1")
    writes(memory, "s1", None)
    assert set(kept(memory, "s1").values()) == {0}
    clock.forward(UNKEPT_SESSION_SECONDS)
    writes(memory, "s1", None)
    assert 0 not in kept(memory, "s1").values()
    assert memory.app.stores.table.get(LOCAL, session_key("s1"))["project"] == "demo"


@pytest.mark.parametrize("opted_out", [True, False], ids=["of-hers", "by-choice"])
def test_what_a_session_held_before_it_kept_nothing_stays_its_persons(memory, clock, opted_out):
    open_log(memory, "s1", ANN)
    append(memory, "s1", None)
    if opted_out:
        consent(memory, persist=False)
        memory.start("s1", user_id=ANN)
    else:
        memory.start("s1", user_id=ANN, persist=False)
    append(memory, "s1", None)
    clock.forward(2 * UNKEPT_SESSION_SECONDS)
    assert len(memory.app.privacy.access.page(LOCAL, ANN, None).items["events"]) == 1


def test_nobody_starts_a_session_of_anothers_so_that_it_keeps_nothing(memory):
    put(memory, "s1", "bob")
    consent(memory, persist=False)
    with pytest.raises(OwnedByAnother):
        memory.start("s1", user_id=ANN)
    memory.start("s1", user_id="bob")
    writes(memory, "s1", None)
    assert 0 not in kept(memory, "s1").values()


def episodes_of_nobodys(memory) -> int:
    """The number of them after each write that makes one."""
    remember(memory, "s1", None)
    ingest(memory, "s2", None)
    memory.start("s3")
    end(memory, "s3", None)
    return len(memory.app.episodes.recent.newest_wanted(LOCAL, EpisodeFilter(owner=DEFAULT_OWNER), 100))


def test_episodes_of_nobodys_are_kept_unless_default_wants_nothing_kept(memory):
    assert episodes_of_nobodys(memory) == 3
    consent(memory, DEFAULT_OWNER, persist=False)
    assert episodes_of_nobodys(memory) == 3
    consent(memory, DEFAULT_OWNER, persist=True)
    assert episodes_of_nobodys(memory) == 4  # the answer was just kept, and so was the session's end


def test_nor_while_default_is_being_erased(memory):
    memory.app.privacy.erasures.begin(LOCAL, DEFAULT_OWNER, "tests")
    assert episodes_of_nobodys(memory) == 0
