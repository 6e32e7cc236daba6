"""Out and in again: pages, repetition, foreign ids."""

import pytest

from strata.domain.errors import InvalidRequest, OwnedByAnother
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.domain.wire.fields import MAX_NUMBER
from strata.domain.wire.transfer import Export, Import
from strata.services.transfer.exporter import PAGE_BYTES, Exporter
from strata.services.transfer.importer import Importer
from support.facts import ANN, consent
from support.memory import LOCAL, Memory, application, observation
from support.person import Person
from support.side import Side


def export(memory, project=None) -> list[Export]:
    """Every page."""
    exporter = Exporter(memory.app.stores.table, memory.app.clock, memory.app.stream.current_totals)
    pages = [exporter.page(memory.scope, project, None)]
    while pages[-1].next:
        pages.append(exporter.page(memory.scope, project, pages[-1].next))
    return pages


def load(memory, page) -> tuple[int, int]:
    """The numbers of sessions and observations that were added, after the totals were folded."""
    data = page.model_dump() if isinstance(page, Export) else page
    importer = Importer(
        memory.app.stores.table,
        memory.app.clock,
        memory.app.people.ownership,
        memory.app.tenants.stored.admit,
        memory.app.entities.importing.add,
        memory.app.people.audit,
        dedupe_window=900,
    )
    done = importer.load(memory.scope, Import.model_validate(data))
    memory.count()
    return done.imported_sessions, done.imported_observations


def whole(memory):
    """Everything that an export holds, without its time."""
    pages = export(memory)
    return [each for page in pages for each in page.sessions], [
        each for page in pages for each in page.observations
    ]


@pytest.fixture
def other(tmp_path, clock):
    """A second, empty store."""
    app = application(tmp_path / "other", clock)
    yield Memory(app)
    app.close()


@pytest.fixture
def filled(memory):
    memory.start("s1", agent_id="a1", user_id="ann")
    memory.end("s1", "hello")
    memory.start("open", "Second#Project")
    metadata = {"env": "prod", "line": 7, "draft": False, "share": 0.5}
    memory.save("a fact", tags=["x", "y"], topic_key="k", user_id="ann", agent_id="a2", metadata=metadata)
    memory.save("a FACT", user_id="ann")
    memory.save("shared", scope="global", session_id="s2", project="Second#Project")
    memory.save("NUL \0 and 😀 and \u202e", session_id="s3")
    memory.follow()
    return memory


def test_an_export_is_whole_and_its_import_is_the_same(filled, other):
    sessions, observations = whole(filled)
    assert (len(sessions), len(observations)) == (2, 3)
    assert [load(other, page) for page in export(filled)] == [(2, 3)]
    assert whole(other) == (sessions, observations)
    assert other.stats() == filled.stats()


def test_an_import_twice_adds_nothing(filled, other):
    (page,) = export(filled)
    load(other, page)
    assert load(other, page) == (0, 0)
    assert load(filled, page) == (0, 0)
    assert whole(other) == whole(filled)


def test_an_import_of_what_has_changed_since_adds_nothing(filled):
    (page,) = export(filled)
    kept = next(each for each in page.observations if each.topic_key)
    filled.change(kept.id, content="rewritten")
    assert load(filled, page) == (0, 0)
    assert filled.get(kept.id).content == "rewritten"


def test_an_export_of_one_project_holds_that_project(filled):
    (page,) = export(filled, "second#project")
    assert [each.id for each in page.sessions] == ["open"]
    assert [each.content for each in page.observations] == ["shared"]


def test_large_exports_come_in_pages_under_four_megabytes(memory, other):
    for place in range(90):
        memory.save(f"{place} " + "é" * 40_000, project=f"p{place % 3}")
        memory.start(f"s{place}", f"p{place % 3}")
    memory.count()
    pages = export(memory)
    assert len(pages) > 1
    assert all(len(page.model_dump_json(exclude_none=True).encode()) <= PAGE_BYTES for page in pages)
    assert [load(other, page) for page in pages] == [
        (len(page.sessions), len(page.observations)) for page in pages
    ]
    assert whole(other) == whole(memory)
    ids = [each.id for page in pages for each in page.observations]
    assert len(ids) == len(set(ids)) == 90


def test_a_page_ends_between_sessions_too(memory, monkeypatch):
    monkeypatch.setattr("strata.services.transfer.exporter.PAGE_BYTES", 700)
    for place in range(30):
        memory.start(f"s{place}")
        memory.save(f"fact {place}")
    memory.follow()
    pages = export(memory)
    assert [each.id for page in pages for each in page.sessions] == [f"s{n}" for n in range(30)]
    assert [each.content for page in pages for each in page.observations] == [f"fact {n}" for n in range(30)]
    assert len(pages) > 10


def test_deletes_between_two_pages_skip_nothing(memory, monkeypatch):
    monkeypatch.setattr("strata.services.transfer.exporter.PAGE_BYTES", 2000)
    ids = [memory.save(f"fact {place}").id for place in range(20)]
    memory.follow()
    exporter = Exporter(memory.app.stores.table, memory.app.clock, memory.app.stream.current_totals)
    first = exporter.page(LOCAL, None, None)
    following = ids[len(first.observations)]
    memory.delete(following)
    second = exporter.page(LOCAL, None, first.next)
    assert second.observations[0].id == ids[len(first.observations) + 1]


def test_a_cursor_is_good_for_its_own_export_only(memory, monkeypatch):
    monkeypatch.setattr("strata.services.transfer.exporter.PAGE_BYTES", 500)
    stranger = Memory(memory.app, Scope("other"))
    for place in range(9):
        memory.save(f"fact {place}")
        stranger.save(f"foreign {place}")
    memory.follow()
    exporter = Exporter(memory.app.stores.table, memory.app.clock, memory.app.stream.current_totals)
    cursor = exporter.page(LOCAL, None, None).next
    for scope, project in ((Scope("other"), None), (LOCAL, "demo")):
        with pytest.raises(InvalidRequest, match="cursor"):
            exporter.page(scope, project, cursor)


# --- other stores ---------------------------------------------------------------------------------


def foreign(number: int, content: str, created: str = "2025-03-01T10:00:00Z", **fields):
    """A row of a store that counts from 1 and keeps whole seconds."""
    times = {"created_at": created, "updated_at": created, "last_seen_at": created}
    return observation(id=number, content=content, normalized_hash="theirs", **times) | fields


def test_two_servers_that_both_count_from_one_are_both_imported(memory):
    one = {"sessions": [], "observations": [foreign(n, f"one {n}") for n in (1, 2, 3)]}
    two = {"observations": [foreign(n, f"two {n}") for n in (1, 2, 3)], "sessions": None}
    assert load(memory, one) == (0, 3)
    assert load(memory, two) == (0, 3)
    assert [load(memory, each) for each in (one, two, two)] == [(0, 0)] * 3
    contents = {each.content for each in whole(memory)[1]}
    assert contents == {f"{name} {n}" for name in ("one", "two") for n in (1, 2, 3)}
    ids = [each.id for each in whole(memory)[1]]
    assert all(each // 1_000_000 == ids[0] // 1_000_000 > 10**9 for each in ids)  # in the order of time
    assert memory.stats().total_observations == 6


def test_thousands_of_rows_of_one_second_find_a_place_in_their_order(memory):
    count = 1100
    load(memory, {"observations": [foreign(n, f"one {n}") for n in range(1, count)]})
    assert load(memory, {"observations": [foreign(n, f"two {n}") for n in range(1, count)]}) == (0, count - 1)
    seconds = [each.content for each in whole(memory)[1] if each.content.startswith("two")]
    assert seconds == [f"two {n}" for n in range(1, count)]


MICROSECOND = "2025-03-01T10:00:00.123457Z"


def test_rows_of_one_microsecond_are_rows_of_their_own(memory):
    data = {"observations": [foreign(n, f"one {n}", MICROSECOND) for n in (1, 2, 3)]}
    assert load(memory, data) == (0, 3)
    assert load(memory, data) == (0, 0)


@pytest.mark.parametrize("moment", ["1970-01-01T00:00:00.000001Z", "2255-06-05T23:47:34.740991Z"])
def test_rows_of_the_first_and_of_the_last_moment_have_ids_that_clients_can_name(memory, moment):
    data = {"observations": [foreign(0, f"one {n}", moment) for n in (1, 2, 3)]}
    assert load(memory, data) == (0, 3)
    assert load(memory, data) == (0, 0)
    ids = {each.id for each in whole(memory)[1]}
    assert len(ids) == 3
    assert all(1 <= each <= MAX_NUMBER for each in ids)


@pytest.mark.parametrize("other", [{"user_id": "bob"}, {"project": "another"}, {"type": "lesson"}])
def test_the_same_words_of_the_same_time_are_each_imported_where_they_belong(memory, other):
    data = {"observations": [foreign(1, "a fact", MICROSECOND), foreign(1, "a fact", MICROSECOND, **other)]}
    assert load(memory, data) == (0, 2)
    assert load(memory, data) == (0, 0)


def test_rows_without_id_and_time_are_imported_once(memory):
    data = {"observations": [observation(content="a fact"), observation(content="a fact", type="lesson")]}
    assert load(memory, data) == (0, 2)
    assert load(memory, data) == (0, 0)


def test_an_imported_row_is_found_by_dedup_and_topic(memory, clock):
    load(memory, {"observations": [foreign(7, "a fact", topic_key="k")]})
    (imported,) = whole(memory)[1]
    assert memory.save("newer", topic_key="k").id == imported.id
    memory.change(imported.id, content="newest")
    assert memory.get(imported.id).content == "newest"


def test_an_import_leaves_topic_and_content_to_the_row_that_has_them(memory):
    own = memory.save("a fact", topic_key="k")
    assert load(memory, {"observations": [foreign(7, "a fact", topic_key="k")]}) == (0, 1)
    assert memory.save("newer", topic_key="k").id == own.id


def test_the_hash_of_an_import_is_our_own(memory):
    load(memory, {"observations": [foreign(7, "A  Fact")]})
    memory.save("a fact", session_id="s2")
    assert all(len(each.normalized_hash) == 64 for each in whole(memory)[1])


def test_an_import_is_redacted(memory):
    key = "AKIA" + "IOSFODNN7EXAMPLE"
    session = {"id": "s", "project": "p", "started_at": "2025-01-01T00:00:00Z", "summary": f"about {key}"}
    load(memory, {"sessions": [session], "observations": [foreign(7, f"it is {key}")]})
    assert key not in "".join(page.model_dump_json() for page in export(memory))


def test_redacted_words_at_their_limit_can_be_imported_again(memory, other):
    words = "password=abcdef "
    memory.save(words * 3125, title=words * 31, tags=[words * 6], topic_key=words * 12)
    memory.follow()
    assert [load(other, page) for page in export(memory)] == [(0, 1)]
    assert whole(other) == whole(memory)


def test_a_session_that_somebody_claimed_keeps_its_owner(memory):
    memory.save("a fact", session_id="s", user_id="ann")
    session = {"id": "s", "project": "p", "started_at": "2025-01-01T00:00:00Z"}
    assert load(memory, {"sessions": [session]}) == (1, 0)
    with pytest.raises(OwnedByAnother):
        memory.save("another", session_id="s", user_id="bob")


def test_a_session_of_somebody_is_not_put_into_one_that_another_claimed(memory):
    memory.save("a fact", session_id="s1", user_id="bob")
    assert load(memory, {"sessions": past("s1", ANN)["sessions"]}) == (0, 0)
    assert memory.start("s1").summary is None


def test_a_session_that_is_here_stays_as_it_is(memory):
    memory.start("s", "demo")
    memory.end("s", "hello")
    session = {"id": "s", "project": "p", "started_at": "2025-01-01T00:00:00Z"}
    assert load(memory, {"sessions": [session]}) == (0, 0)
    assert memory.start("s").summary == 'Session with 1 messages. Started: "hello"'


def test_an_import_into_another_tenant_is_a_copy(filled):
    (page,) = export(filled)
    copy = Memory(filled.app, Scope("copy"))
    assert load(copy, page) == (2, 3)
    assert whole(copy) == whole(filled)
    assert load(Memory(filled.app, Scope("third")), {"observations": []}) == (0, 0)


def test_the_sessions_of_who_wants_nothing_kept_are_passed_over_with_what_is_in_them(memory):
    consent(memory, persist=False)
    session = {"project": "demo", "started_at": "2026-01-01T00:00:00Z"}
    sessions = [session | {"id": "s1", "user_id": ANN}, session | {"id": "s2"}]
    notes = [observation(content=f"the heron of {each}", session_id=each) for each in ("s1", "s2")]
    assert load(memory, {"sessions": sessions, "observations": notes}) == (1, 1)


def past(session: str, user: str | None) -> dict[str, list[dict[str, object]]]:
    """A session with an observation, from another store."""
    row = {"id": session, "project": "demo", "started_at": "2025-01-01T00:00:00Z", "summary": "of herons"}
    named = {} if user is None else {"user_id": user}
    note = observation(content=f"the heron of {session}", session_id=session)
    return {"sessions": [row | named], "observations": [note | named]}


@pytest.mark.parametrize("user", [None, "bob"])
def test_nothing_is_imported_into_a_session_that_is_theirs_here(memory, user):
    memory.save("the first heron", session_id="s1", user_id=ANN)
    consent(memory, persist=False)
    assert load(memory, past("s1", user)) == (0, 0)


def test_nor_of_theirs_into_a_session_that_is_anothers_here(memory):
    memory.save("the first heron", session_id="s1", user_id="bob")
    consent(memory, persist=False)
    assert load(memory, past("s1", ANN)) == (0, 0)


def test_nor_into_one_in_which_they_have_spoken_since(memory):
    memory.save("the first heron", session_id="s1")
    consent(memory, persist=False)
    for session in ("s1", "s2"):
        memory.save("the second heron", session_id=session, user_id=ANN)
        assert load(memory, past(session, None)) == (0, 0)


def test_nor_into_one_that_keeps_nothing(memory):
    memory.start("s1", persist=False)
    assert load(memory, past("s1", None)) == (0, 0)
    assert load(memory, past("s2", None)) == (1, 1)


def reasons(memory, document) -> list[tuple[str, int, str]]:
    """The rows that an import left out."""
    done = memory.app.transfer.importer.load(memory.scope, Import.model_validate(document))
    memory.count()
    return [(each.kind, each.index, each.reason) for each in done.skipped or ()]


def test_a_row_that_names_nobody_belongs_to_the_owner_of_its_session(memory):
    memory.start("hers", user_id=ANN)
    memory.start("nobodys")
    assert load(memory, past("hers", None)) == (0, 1)
    assert load(memory, past("nobodys", None)) == (0, 1)
    owners = {each.session_id: each.user_id for each in whole(memory)[1]}
    assert owners == {"hers": ANN, "nobodys": None}


def test_an_import_leaves_what_was_deleted_in_the_store_that_it_comes_from(memory):
    rows = [
        {"id": place, "session_id": f"s-{user}", "content": f"the {bird} of {user}", "type": "note"}
        | {"title": bird, "project": "demo", "scope": "project", "user_id": user, "deleted_at": deleted}
        for place, (user, bird, deleted) in enumerate(
            [
                (ANN, "heron", None),
                (ANN, "otter", "2026-01-02 03:04:05"),
                ("bob", "heron", "2026-01-02T03:04:05Z"),
                ("bob", "otter", ""),
            ],
            start=1,
        )
    ]
    left = [("observation", place, "it was deleted there") for place in (1, 2)]
    for tenant in (memory, Memory(memory.app, Scope("globex"))):
        assert reasons(tenant, {"observations": rows}) == left
        assert {each.content for each in whole(tenant)[1]} == {f"the heron of {ANN}", "the otter of bob"}
    lines = [{"kind": "observation"} | each for each in rows]
    assert reasons(memory, {"lines": lines}) == left


def test_an_import_takes_the_rows_that_it_can_read_and_names_the_others(memory):
    good = observation(content="the heron stands still", session_id="s1")
    untitled = {name: value for name, value in good.items() if name not in ("title", "type")}
    document = {
        "sessions": [{"id": "s1", "project": "demo", "started_at": "2026-01-02 03:04:05"}, {"id": "s2"}, "x"],
        "observations": [
            good | {"title": "t" * 501},
            untitled | {"content": "first line\nsecond line"},
            good | {"project": ""},
            good | {"content": " "},
            7,
        ],
    }
    named = reasons(memory, document)
    assert [(kind, index) for kind, index, _ in named] == [
        ("session", 1),
        ("session", 2),
        ("observation", 2),
        ("observation", 3),
        ("observation", 4),
    ]
    assert "project" in named[0][2]
    assert "content" in named[3][2]
    assert {(each.title, each.type) for each in whole(memory)[1]} == {
        ("t" * 500, good["type"]),
        ("first line", "discovery"),
    }


def test_an_import_does_not_bring_back_what_was_deleted(memory, other):
    for hard in (False, True):
        memory.save("the heron", session_id="s1")
        memory.save("the otter", session_id="s1")
        memory.count()
        (page,) = export(memory)
        for each in page.observations:
            if each.content == "the heron":
                memory.delete(each.id, hard=hard)
        left = {each.content for each in whole(memory)[1]}
        assert "it was deleted here" in {reason for _, _, reason in reasons(memory, page.model_dump())}
        assert {each.content for each in whole(memory)[1]} == left == {"the otter"}
    assert load(other, page) == (0, 2)


def test_an_import_into_another_project_copies(memory):
    memory.save("the heron", session_id="s1", project="one")
    memory.count()
    (page,) = export(memory)
    copied = page.model_dump()
    for each in copied["observations"]:
        each["project"] = "two"
    assert load(memory, copied) == (0, 1)
    assert load(memory, copied) == (0, 0)
    assert {(each.content, each.project) for each in whole(memory)[1]} == {
        ("the heron", "one"),
        ("the heron", "two"),
    }


@pytest.mark.parametrize("hard", [False, True])
def test_what_was_deleted_in_the_project_that_it_was_moved_to_stays_deleted(memory, hard):
    others = Memory(memory.app, Scope("others"))
    for each in (memory, others):
        each.save("the heron", session_id="s1", project="one", user_id=ANN)
        each.save("the otter", session_id="s1", project="one", user_id=ANN)
        each.save("the heron", session_id="s2", project="docs", user_id="bob")
        each.count()
    (page,) = export(memory, "one")
    theirs = whole(others)
    memory.app.transfer.mover.move(memory.scope, "one", "two")
    deleted = next(each.id for each in page.observations if each.content == "the heron")
    memory.delete(deleted, hard=hard)
    document = page.model_dump()
    document["observations"] = [each for each in document["observations"] if each["id"] == deleted]
    assert reasons(memory, document) == [("observation", 0, "it was deleted here")]
    assert {(each.content, each.project) for each in whole(memory)[1]} == {
        ("the otter", "two"),
        ("the heron", "docs"),
    }

    asked = Import.model_validate(document)
    done = memory.app.transfer.importer.load(memory.scope, asked, resurrect=True)
    assert (done.imported_observations, done.skipped) == (1, None)
    memory.follow()
    assert (memory.get(deleted).project, memory.get(deleted).content) == ("two", "the heron")
    totals = memory.stats()
    assert totals.total_observations == 3
    assert [memory.stats(each).total_observations for each in ("one", "two", "docs")] == [0, 2, 1]
    assert whole(others) == theirs


def test_an_observation_that_names_nobody_is_exported_with_the_owner_of_its_session(memory):
    memory.start("hers", user_id=ANN)
    for session, named in (("hers", {}), ("nobodys", {}), ("his", {"user_id": "bob"})):
        memory.save(f"the heron of {session}", session_id=session, **named)
    memory.save("said before it was hers", session_id="late")
    memory.save("it is hers", session_id="late", user_id=ANN)
    memory.count()
    told = {each.content: (each.user_id, each.session_user_id) for each in whole(memory)[1]}
    assert told == {
        "the heron of hers": (ANN, None),
        "the heron of nobodys": (None, None),
        "the heron of his": ("bob", None),
        "said before it was hers": (None, ANN),
        "it is hers": (ANN, None),
    }


@pytest.mark.parametrize("together", [True, False])
def test_pages_bring_back_nobody_who_was_erased(tmp_path, clock, together):
    side = Side(tmp_path / "side", clock)
    pages = {}
    for tenant in ("local", "others"):
        for name in (ANN, "bob"):
            ask = Person(side.api, name, tenant)
            ask("POST", "/sessions", json={"id": f"of {name}", "project": "shop"})
            said = observation(content=f"my heron is {name}'s", session_id=f"of {name}", project="shop")
            ask("POST", "/observations", json=said)
            ask("PUT", f"/working-memory/of {name}", params={"user_id": name}, json={"a": 1})
        pages[tenant] = Person(side.api, ANN, tenant)("GET", "/export", params={"project": "shop"})
    ann, others = Person(side.api, ANN), Person(side.api, ANN, "others")
    ann.asks_to_be_erased()
    for _ in range(3):
        side.memory.work()
        clock.forward(4000)
    clock.forward(40 * DAY)
    side.memory.work()
    page = pages["local"]
    parts = [page] if together else [page | {"observations": []}, page | {"sessions": []}]
    answers = [ann("POST", "/import", json=each) for each in parts]
    assert sum(each["imported_observations"] for each in answers) == 0
    left = {each["content"] for each in ann("GET", "/export")["observations"]}
    assert left == {"my heron is bob's"}
    assert "this person was erased since" in {skip["reason"] for each in answers for skip in each["skipped"]}
    assert len(others("GET", "/export")["observations"]) == 2
    side.app.close()
