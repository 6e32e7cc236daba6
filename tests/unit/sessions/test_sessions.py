"""Sessions: start, end, owners, and what is kept of them."""

import pytest

from strata.domain.errors import NotFound, OwnedByAnother
from strata.domain.ids import IdSource
from strata.domain.wire.sessions import NewSession, SessionEnd
from strata.services.episodes.derived import DerivedEpisodes
from strata.services.records.sessions import line_of
from strata.services.sessions.catalog import SessionCatalog
from strata.services.sessions.end import SessionEnder
from support.memory import LOCAL, Meddled, dialogue


def recent(memory, project="demo", limit=10):
    return [session.id for session in memory.app.sessions.catalog.recent(LOCAL, project, limit)]


def test_a_session_starts_once_and_stays_as_it_was(memory):
    first = memory.start("s1", "Demo", agent_id="a1")
    assert (first.project, first.message_count, first.ended_at, first.summary) == ("demo", 0, None, None)
    assert memory.start("s1", "other", agent_id="a2") == first


def test_an_ended_session_stays_ended_when_it_is_started_again(memory):
    memory.start()
    memory.end("s1", "hello")
    assert memory.start().summary == 'Session with 1 messages. Started: "hello"'


def test_an_end_counts_summarises_and_shows_in_the_list(memory):
    memory.start()
    ended = memory.end("s1", "first", "answer", "last")
    assert ended.message_count == 3
    assert ended.summary == 'Session with 3 messages. Started: "first" — Ended: "last"'
    (kept,) = memory.app.sessions.catalog.recent(LOCAL, "demo", 5)
    assert (kept.summary, kept.message_count) == (ended.summary, 3)
    assert kept.ended_at > kept.started_at


def test_an_unknown_session_cannot_be_ended(memory):
    with pytest.raises(NotFound):
        memory.end("nobody")


def test_a_session_that_only_a_save_named_is_not_started(memory):
    memory.save("a fact", session_id="s1", user_id="ann")
    with pytest.raises(NotFound):
        memory.end("s1")
    assert recent(memory) == []
    assert memory.start("s1").user_id == "ann"


@pytest.mark.parametrize("messages", [None, []])
def test_a_session_may_end_without_messages(memory, messages):
    memory.start()
    ended = memory.app.sessions.ender.end(LOCAL, "s1", SessionEnd(messages=messages))
    assert (ended.summary, ended.message_count) == ("Session with 0 messages.", 0)


def test_a_second_end_replaces_the_summary(memory):
    memory.start()
    memory.end("s1", "one")
    memory.end("s1", "two")
    assert memory.app.sessions.catalog.summaries(LOCAL, "demo", 3) == [
        'Session with 1 messages. Started: "two"'
    ]


def test_a_second_end_that_says_nothing_leaves_the_summary(memory):
    memory.start()
    first = memory.end("s1", "Where do the invoices go?", "To the archive")
    assert memory.end("s1") == first
    assert memory.start().summary == first.summary
    assert memory.start().message_count == 2


@pytest.mark.parametrize("said", [(), ("Where do the invoices go?", "To the archive")])
def test_a_summary_that_comes_with_the_end_is_kept(memory, said):
    for session in ("s1", "s2"):
        memory.start(session)
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    ended = memory.end("s1", *said, summary=f" We archived the invoices with {token}. ")
    assert ended.summary == "We archived the invoices with [redacted:github_token]."
    assert ended.message_count == len(said)
    assert memory.start().summary == ended.summary
    assert memory.end("s1") == ended, "an end that says nothing leaves it"
    assert memory.end("s2", *said, summary=" ").summary.startswith("Session with")
    assert memory.end("s1", "one").summary == 'Session with 1 messages. Started: "one"'


def test_a_given_summary_is_that_of_the_episode_too(memory):
    memory.start(autoSummarize=False)
    said = [f"We decided on invoice {number} because of reason {number}" for number in range(8)]
    memory.end("s1", *said, summary="Invoices go to the archive.")
    (episode,), _ = memory.app.episodes.finder.recent(LOCAL, "default", 5)
    assert episode.summary == "Invoices go to the archive."


def lines(memory, project="demo"):
    return {row["id"]: line_of(row) for row in memory.app.sessions.catalog.summarized(LOCAL, project, 9)}


def test_a_line_comes_from_what_was_said_and_saved_in_the_session_itself(memory):
    for session, tool in (("s1", "Redis"), ("s2", "Postgres")):
        memory.start(session)
        memory.save(f"Since it is known: {tool}.", session_id=session, title=f"{tool} is kept for the queue")
        memory.end(session, f"We agreed to drop the old {tool} cluster in May.", "ok")
    assert lines(memory) == {
        session: f"{tool} is kept for the queue. We agreed to drop the old {tool} cluster in May."
        for session, tool in (("s1", "Redis"), ("s2", "Postgres"))
    }


def test_a_summary_that_the_agent_writes_is_the_line(memory):
    for session in ("s1", "s2"):
        memory.start(session)
        memory.save(f"## Goal\nExport of {session}", session_id=session, type="session_summary", title="Sum")
    memory.end("s1", "We decided to use Postgres for orders.", summary="Moved the invoices.")
    memory.end("s2", "We decided to use Redis for orders.")
    assert lines(memory) == {"s1": "Moved the invoices.", "s2": "## Goal\nExport of s2"}


def test_an_end_without_messages_leaves_the_line(memory):
    memory.start()
    memory.end("s1", "We decided to use Postgres for orders.")
    memory.end("s1")
    assert lines(memory) == {"s1": "We decided to use Postgres for orders."}
    memory.end("s1", "thanks")
    assert lines(memory) == {"s1": ""}


def test_rows_without_a_line_tell_by_their_summary_unless_it_only_counts():
    assert line_of({"summary": 'Session with 3 messages. Started: "hi"'}) == ""
    assert line_of({"summary": "Painted the fence"}) == "Painted the fence"
    assert line_of({}) == ""


def test_a_session_without_auto_summary_ends_without_one(memory):
    memory.start("s1", autoSummarize=False)
    assert memory.end("s1", "hello").summary == ""
    (kept,) = memory.app.sessions.catalog.recent(LOCAL, "demo", 5)
    assert (kept.summary, kept.message_count, kept.ended_at is not None) == (None, 1, True)


def test_nothing_is_kept_of_a_session_that_asks_for_that(memory):
    assert memory.start("s1", persist=False).id == "s1"
    assert memory.end("s1", "hello").summary == 'Session with 1 messages. Started: "hello"'
    assert recent(memory) == []
    assert memory.app.sessions.catalog.summaries(LOCAL, "demo", 3) == []
    assert memory.stats().total_sessions == 0
    assert b"hello" not in b"".join(
        path.read_bytes() for path in memory.app.stores.database.path.parent.iterdir()
    )


def test_recent_sessions_are_the_newest_first_over_one_project_or_all(memory):
    for place in range(4):
        memory.start(f"s{place}", "one" if place % 2 else "two")
    memory.follow()
    assert recent(memory, "one") == ["s3", "s1"]
    assert recent(memory, None) == ["s3", "s2", "s1", "s0"]
    assert recent(memory, None, 2) == ["s3", "s2"]


def test_summaries_pass_over_sessions_without_one(memory):
    memory.start("old")
    memory.end("old", "something")
    for place in range(40):
        memory.start(f"open{place}")
    assert memory.app.sessions.catalog.summaries(LOCAL, "demo", 3) == [
        'Session with 1 messages. Started: "something"'
    ]


def test_a_secret_at_the_edge_of_a_quotation_is_redacted_whole(memory):
    memory.start()
    secret = "AKIA" + "IOSFODNN7EXAMPLE"
    ended = memory.end("s1", "x" * 190 + " " + secret)
    assert "AKIA" not in ended.summary
    assert "redacted" in ended.summary


# --- owners ---------------------------------------------------------------------------------------


def test_the_first_user_owns_the_session(memory):
    memory.start("s1", user_id="ann")
    for call in (
        lambda: memory.start("s1", user_id="bob"),
        lambda: memory.end("s1", "hello", user_id="bob"),
        lambda: memory.save("a fact", user_id="bob"),
    ):
        with pytest.raises(OwnedByAnother):
            call()
    assert memory.start("s1").user_id == "ann"


def test_a_session_without_an_owner_takes_the_next_user_that_is_named(memory):
    memory.start("s1")
    assert memory.start("s1", user_id="ann").user_id == "ann"
    memory.start("s2")
    memory.end("s2", "hello", user_id="ann", agent_id="a1")
    kept = memory.start("s2")
    assert (kept.user_id, kept.agent_id) == ("ann", "a1")


def test_the_end_inherits_what_the_start_said(memory):
    memory.start("s1", user_id="ann", agent_id="a1")
    memory.end("s1", "hello", agent_id="a2")
    kept = memory.start("s1")
    assert (kept.user_id, kept.agent_id) == ("ann", "a1")


def test_a_start_keeps_the_owner_that_a_save_gave(memory):
    memory.save("a fact", user_id="ann")
    with pytest.raises(OwnedByAnother):
        memory.start("s1", user_id="bob")
    assert memory.start("s1", user_id="ann").project == "demo"


def test_messages_of_any_shape_count_by_their_text(memory):
    memory.start()
    parts = [{"type": "text", "text": "two"}, {"type": "image"}, "words", {"content": [{"text": "more"}]}]
    messages = [*dialogue("one"), {"role": "user", "content": parts}, {"role": "system", "content": "no"}]
    ended = memory.app.sessions.ender.end(LOCAL, "s1", SessionEnd.model_validate({"messages": messages}))
    assert ended.summary == 'Session with 2 messages. Started: "one" — Ended: "two words more"'


def test_an_end_that_another_user_overtakes_is_refused(memory):
    memory.start()
    late = SessionEnder(
        Meddled(memory.app.stores.table, lambda: memory.start("s1", user_id="bob")),
        memory.app.clock,
        memory.app.people.ownership,
        memory.app.events.reader,
        (memory.app.facts.orders, memory.app.knowledge.orders),
        DerivedEpisodes(memory.app.clock, IdSource(), lambda words: [1.0] * len(words), ttl_seconds=60),
    )
    with pytest.raises(OwnedByAnother):
        late.end(LOCAL, "s1", SessionEnd(user_id="ann"))
    assert memory.start().ended_at is None


def test_a_start_that_another_user_overtakes_is_refused(memory):
    late = SessionCatalog(
        Meddled(memory.app.stores.table, lambda: memory.save("a fact", user_id="bob")),
        memory.app.clock,
        memory.app.stream.current_totals,
        memory.app.people.ownership,
        memory.app.stores.parallel,
        memory.app.tenants.stored.admit,
    )
    with pytest.raises(OwnedByAnother):
        late.start(LOCAL, NewSession(id="s1", project="demo", user_id="ann"))
