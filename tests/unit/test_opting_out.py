"""Of a person who wants nothing kept nothing is kept from then on, until they say otherwise."""

import pytest

from people_support import ANN, consent
from strata.domain.episodes import NewEpisode
from strata.domain.events import NewEvent, NewEventSession
from strata.domain.working_memory import WorkingMemoryChange
from support import LOCAL


def writes(memory, session: str, user: str | None) -> None:
    """One write of every kind."""
    app = memory.app
    memory.save(f"the heron of {session}", session_id=session, user_id=user)
    app.working_memory.put(LOCAL, session, WorkingMemoryChange.model_validate({"topic": "herons"}), user)
    app.ledger.mark_many(LOCAL, session, ["item"], value="injected", user_id=user)
    episode = {"conversation_id": session, "agent_id": "a1", "summary": "the heron", "user_id": user}
    app.episodes.store(LOCAL, NewEpisode.model_validate(episode))
    app.event_logs.open(LOCAL, NewEventSession(session_id=session, user_id=user))
    event = {"event_type": "user_message", "content": "the heron"}
    app.events.append(LOCAL, session, [NewEvent.model_validate(event)], user)
    memory.end(session, "My name is Ann and I prefer herons.", "Noted.", "Bye", user_id=user)


def kept(memory, session: str) -> dict[str, int]:
    """How much of a session is there, by kind."""
    app = memory.app
    observations = app.reading.recent(LOCAL, project="demo", kind=None, scope_name=None, limit=100)
    events = app.event_reading.newest_of(LOCAL, session, limit=100)
    return {
        "observations": len([each for each in observations if each.session_id == session]),
        "fields": len(app.working_memory.get(LOCAL, session)),
        "items": len(app.ledger.items(LOCAL, session)),
        "episodes": len(app.episodes.of_conversation(LOCAL, session)),
        "events": len(list(events)),
        "summaries": len([each for each in app.sessions.recent(LOCAL, "demo", 100) if each.summary]),
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
    memory.app.event_logs.open(LOCAL, NewEventSession(session_id="s1", user_id=ANN))
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
