"""Lists, timelines and contexts."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.domain.errors import NotFound
from strata.domain.wire.contexts import Context
from support.memory import LOCAL, Memory, application


def recent(memory, **asked):
    wanted = {"project": "demo", "kind": None, "scope_name": None, "limit": 20} | asked
    return [row.content for row in memory.app.observations.reader.recent(LOCAL, **wanted)]


def context(memory, query="", **asked):
    wanted = {"project": "demo", "scope_name": None, "limit": 5} | asked
    return memory.app.context.plain.assemble(LOCAL, query=query, **wanted).context


def contents(given: Context):
    return [seen.content for seen in given.recent_observations]


@pytest.fixture
def filled(memory):
    memory.save("own one", type="decision")
    memory.save("own two", type="bugfix", scope="personal")
    memory.save("shared", type="bugfix", project="other", scope="global")
    memory.save("foreign", project="other")
    memory.save("own three", scope="global")
    memory.follow()
    return memory


def test_the_newest_come_first(filled):
    assert recent(filled) == ["own three", "own two", "own one"]
    assert recent(filled, limit=2) == ["own three", "own two"]


def test_a_list_keeps_to_type_and_scope(filled):
    assert recent(filled, kind="bugfix") == ["own two"]
    assert recent(filled, scope_name="global") == ["own three"]
    assert recent(filled, kind="bugfix", scope_name="global") == []


def test_without_a_project_the_list_spans_all(filled):
    assert recent(filled, project=None) == ["own three", "foreign", "shared", "own two", "own one"]
    assert recent(filled, project=None, limit=2) == ["own three", "foreign"]
    assert recent(filled, project=None, scope_name="global") == ["own three", "shared"]
    assert recent(filled, project=None, scope_name="global", kind="bugfix") == ["shared"]


def test_a_filter_looks_past_what_it_leaves_out(memory):
    memory.save("the old one", type="rare")
    for place in range(150):
        memory.save(f"fact {place}")
    assert recent(memory, kind="rare", limit=1) == ["the old one"]


# --- context --------------------------------------------------------------------------------------


def test_a_context_without_a_query_is_the_newest_with_the_global_ones(filled):
    assert contents(context(filled)) == ["own three", "shared", "own two", "own one"]
    assert contents(context(filled, limit=1)) == ["own three"]
    assert contents(context(filled, scope_name="global")) == ["own three", "shared"]
    assert contents(context(filled, scope_name="personal")) == ["own two"]


def test_a_context_has_what_the_query_finds_first_then_the_newest_and_nothing_twice(memory):
    memory.save("the zebra crossed the street")
    for place in range(6):
        memory.save(f"plain fact number {place}")
    memory.follow()
    seen = contents(context(memory, "where was the zebra?", limit=4))
    assert seen[0] == "the zebra crossed the street"
    assert len(seen) == len(set(seen)) == 4


def test_global_observations_are_found_from_every_project(filled):
    assert contents(context(filled, "shared", project="third"))[0] == "shared"
    assert "foreign" not in contents(context(filled, "foreign", project="third"))


def test_a_context_holds_at_most_three_summaries_newest_first(memory):
    for place in range(5):
        memory.start(f"s{place}")
        memory.end(f"s{place}", f"question {place}")
    summaries = [session.summary for session in context(memory).recent_sessions]
    assert summaries == [f'Session with 1 messages. Started: "question {place}"' for place in (4, 3, 2)]


def test_contents_are_cut_to_300_characters_of_any_script(memory):
    memory.save("é😀" * 200)
    (seen,) = contents(context(memory))
    assert seen == "é😀" * 150


def test_a_limit_of_nothing_gives_summaries_only(filled):
    filled.start()
    filled.end("s1", "hello")
    given = context(filled, "own", limit=0)
    assert (len(given.recent_sessions), given.recent_observations) == (1, [])


def test_of_a_query_of_more_than_500_characters_the_beginning_and_the_end_count(filled):
    padded = "zzz " * 125
    for query in (f"{padded}foreign", f"foreign {padded}"):
        assert contents(context(filled, query, project="other", limit=3))[0] == "foreign"
    within = context(filled, f"{padded}foreign {padded}", project="other", limit=3)
    assert contents(within) == contents(context(filled, padded, project="other", limit=3))


def test_a_project_that_nobody_knows_has_an_empty_context(memory):
    assert context(memory, "anything", project="unknown") == Context(
        recent_sessions=[], recent_observations=[]
    )


# --- timeline -------------------------------------------------------------------------------------


@given(count=st.integers(1, 8), anchor=st.integers(0, 7), before=st.integers(0, 9), after=st.integers(0, 9))
@settings(max_examples=40, deadline=None)
def test_a_timeline_is_the_neighbours_in_the_project_oldest_first(
    tmp_path_factory, count, anchor, before, after
):
    memory = Memory(application(tmp_path_factory.mktemp("store")))
    ids = []
    for place in range(count):
        ids.append(memory.save(f"fact {place}").id)
        memory.save(f"fact {place}", project="elsewhere")
    gone = memory.save("deleted").id
    memory.delete(gone)
    anchor %= count
    entries = memory.app.observations.reader.timeline(LOCAL, ids[anchor], before=before, after=after)
    assert [entry.id for entry in entries] == ids[max(0, anchor - before) : anchor + after + 1]
    memory.app.close()


def test_a_deleted_observation_has_no_timeline(memory):
    gone = memory.save("a fact").id
    memory.delete(gone)
    with pytest.raises(NotFound):
        memory.app.observations.reader.timeline(LOCAL, gone, before=1, after=1)
