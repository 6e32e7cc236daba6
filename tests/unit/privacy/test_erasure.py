"""Erasing what is stored about a person."""

import logging
import random
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from strata.bootstrap import Application
from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.domain.wire.episodes import NewEpisode
from strata.domain.wire.observations import NewObservation
from strata.domain.wire.working_memory import WorkingMemoryChange
from strata.ports.rows import Delete, Key
from strata.services.privacy.erasure.work import Eraser
from strata.services.privacy.registry import HOLDINGS
from strata.services.records.episodes import episode_key, episode_number, episode_place_key
from strata.services.records.erasures import ERASURES_PK, erasure_key, tombstone_key
from strata.services.records.people import facts_head_key
from support.api import ClaimsFromHeader, client, stream
from support.api_calls import refused
from support.memory import LOCAL, Meddled, Memory, application, observation
from support.person import AGENT, Person, files_with

ERASED = {
    "changes_of_profiles": 1,
    "conclusions": 1,
    "consolidations": 1,
    "deleted_conclusions": 1,
    "deleted_observations": 2,
    "devices": 1,
    "entities": 1,
    "episodes": 4,
    "event_logs": 1,
    "events": 2,
    "facts": 1,
    "ledger_items": 1,
    "mentions_of_entities": 1,
    "observations": 3,
    "preferences": 1,
    "profiles": 1,
    "relationships_of_entities": 1,
    "sessions": 2,
    "sightings": 1,
    "transcripts": 1,
    "words_to_consolidate": 1,
    "working_memories": 2,
}
"""The rows that `Person.fills` leaves, with a fact, before its transcript was looked at."""


@pytest.fixture
def app(tmp_path, clock) -> Iterator[Application]:
    app = application(tmp_path, clock, AUTH="required", ERASURE_SETTLE="0")
    yield app
    app.close()


@pytest.fixture
def api(app, tmp_path) -> Iterator[httpx.Client]:
    with client(app, ClaimsFromHeader()) as api:
        yield api


class Followed(Memory):
    """A memory whose stream is followed as a server does it, which trims the change log."""

    def __init__(self, app: Application, folder: Path) -> None:
        super().__init__(app)
        self._stream = stream(app, folder)

    def follow(self) -> None:
        self._stream.drain()


@pytest.fixture
def memory(app, tmp_path) -> Memory:
    return Followed(app, tmp_path)


@pytest.fixture
def ann(app, api) -> Person:
    """Somebody with something of every kind."""
    return furnished(app, api, "ann")


def furnished(app: Application, api: httpx.Client, name: str, tenant: str = "local") -> Person:
    person = Person(api, name, tenant)
    person.fills()
    person.is_known(app)
    return person


def erased(person: Person, memory: Memory) -> dict[str, Any]:
    """The receipt of an erasure that was worked off."""
    erasure = person.asks_to_be_erased()
    memory.work()
    receipt = person.receipt(erasure)
    assert receipt["status"] == "done"
    return receipt


def rows_with(app: Application, word: str) -> list[Key]:
    """The rows whose key or item holds a word, whatever tenant's and however old."""
    with app.stores.database.reading() as connection:
        found = connection.execute(
            "SELECT pk, sk FROM items WHERE instr(lower(pk || sk || item), ?)", (word,)
        ).fetchall()
    return [Key(*each) for each in found]


def work(app: Application, erasure: str, table: Any = None, **settings: int) -> int | None:
    """One step, over a table of the test's own where it gives one."""
    chosen = {"settle_seconds": 0} | settings
    eraser = Eraser(table or app.stores.table, app.stores.index, app.clock, app.stores.remnants, **chosen)
    return eraser.work(LOCAL, erasure)


# --- nothing is left, and nothing else is lost ----------------------------------------------------


def test_no_byte_of_what_somebody_said_is_left_and_nobody_else_loses_anything(
    app, api, memory, ann, tmp_path
):
    bob, namesake = furnished(app, api, "bob"), furnished(app, api, "ann", "another")
    memory.work()
    before = [each.data() for each in (bob, namesake)]
    assert files_with(tmp_path, ann.word)

    erased(ann, memory)

    assert files_with(tmp_path, ann.word) == []
    assert [each.data() for each in (bob, namesake)] == before
    for each in (bob, namesake):
        found = each("GET", "/search", params={"q": each.word, "project": "demo"})
        assert each.word in found[0]["content"]


def test_the_receipt_counts_every_kind_and_names_nobody(app, memory, ann):
    assert set(ERASED) == {each.name for each in HOLDINGS if each.counted and not each.kept}
    receipt = erased(ann, memory)
    # what was said was looked at by the functions that find facts and draw conclusions, or erased before
    assert receipt["erased"] | {"transcripts": 1, "words_to_consolidate": 1} == ERASED
    assert ann.word not in str(receipt)
    assert "ann" not in str(app.stores.table.get(LOCAL, erasure_key(receipt["erasure_id"])))
    assert len(receipt["subject"]) == 64
    assert receipt["requested_at"] < receipt["started_at"] < receipt["finished_at"]
    assert receipt["kept"]
    assert receipt["out_of_reach"]


def test_what_a_person_agreed_to_is_kept_and_nothing_else(memory, ann):
    erased(ann, memory)
    assert set(ann.data()) == {"consent", "statements"}


def test_what_a_person_is_given_has_its_times_and_words_as_text(ann):
    given = ann.data()
    for kind, name in [("consent", "updated_at"), ("statements", "at"), ("event_logs", "created_at")]:
        assert [each[name][:5] for each in given[kind]] == ["2026-"] * len(given[kind]), kind
    transcripts = given["transcripts"]
    assert all(each["session_id"] == ann.session for each in transcripts)
    assert ann.word in str(transcripts[0]["turns"])


def test_totals_follow(app, memory, ann):
    assert ann("GET", "/stats", params={"project": "demo"})["total_observations"] == 3
    erased(ann, memory)
    assert ann("GET", "/stats", params={"project": "demo"}) == {
        "total_sessions": 0,
        "total_observations": 0,
        "projects": [],
    }
    events = ann("GET", "/memory/stats")
    assert (events["total_sessions"], events["total_events"]) == (0, 0)


def test_what_is_past_its_time_and_still_stored_is_erased_too(app, api, memory, clock, ann):
    ann("PUT", "/working-memory/short", params={"user_id": "ann"}, json={"plan": ann.word, "ttl_seconds": 60})
    ann("POST", "/ledger/short/mark", json={"item": f"doc {ann.word}"})
    clock.forward(100 * 86400)
    assert len(rows_with(app, ann.word)) > 5
    erased(ann, memory)
    assert rows_with(app, ann.word) == []


def test_memories_of_others_in_a_persons_session_stay(app, api, memory, ann):
    guest = observation(content="the guest was here", session_id=ann.session, user_id="bob")
    ann("POST", "/import", json={"observations": [guest | {"scope": "project"}]})
    erased(ann, memory)
    recent = ann("GET", "/observations/recent", params={"project": "demo"})
    assert [each["content"] for each in recent] == ["the guest was here"]


def test_logs_tell_nothing_of_the_person(memory, ann, caplog):
    caplog.set_level(logging.DEBUG, "strata")
    erased(ann, memory)
    assert ann.word not in caplog.text


def test_somebody_of_whom_nothing_is_stored_gets_a_receipt_of_nothing(api, memory):
    assert erased(Person(api, "nobody"), memory)["erased"] == {}


def test_what_is_left_of_forgotten_episodes_and_deleted_facts_goes_too(app, memory, ann):
    body = {"conversation_id": ann.session, "agent_id": AGENT, "summary": "soon forgotten"}
    episode = ann("POST", "/episodic/store", json=body)["id"]
    ann("DELETE", f"/api/memory/episodes/{episode}?userId={ann.name}")
    facts = f"/api/agents/{AGENT}/users/{ann.name}/facts"
    for fact in ann("GET", facts)["facts"]:
        ann("DELETE", f"{facts}/{fact['id']}")
    # as when an erasure that looked just before has taken the head
    app.stores.table.transact(LOCAL, [Delete(facts_head_key(AGENT, ann.name))])
    erased(ann, memory)
    left = {key.pk for key in rows_with(app, f'"{ann.name}"') + rows_with(app, f"#{ann.name}")}
    assert left == {f"local#USER#{ann.name}"}


def test_the_pointer_of_an_episode_that_is_past_its_time_goes_too(app, memory, clock, ann):
    body = {"conversation_id": ann.session, "agent_id": AGENT, "summary": "a day long", "ttl_days": 1}
    episode = ann("POST", "/episodic/store", json=body)["id"]
    clock.forward(86_400 + 60)
    app.stores.table.transact(LOCAL, [Delete(episode_key(ann.name, episode_number(episode)))])
    erased(ann, memory)
    pointer = app.stores.table.get(LOCAL, episode_place_key(episode_number(episode)))
    assert pointer is not None
    assert ann.name not in str(pointer)


def test_the_rows_that_name_applied_changes_of_a_persons_episodes_go_too(tmp_path, clock):
    app = application(tmp_path, clock, ERASURE_SETTLE="0", INDEX_REFRESH="60")
    memory = Memory(app)
    for user in ("ann", "bob"):
        new = NewEpisode(conversation_id=f"of-{user}", agent_id=AGENT, user_id=user, summary="a heron")
        app.episodes.catalog.store(LOCAL, new)
    memory.follow()
    kept = [key for key in rows_with(app, "applied#") if "bob" in key.pk]
    assert len(kept) == 1
    clock.forward(120)  # past their time, and stored still
    erasure = app.privacy.erasures.begin(LOCAL, "ann", "tests").erasure_id
    memory.work()
    assert app.privacy.erasures.get(LOCAL, erasure).status == "done"
    assert rows_with(app, "applied#") == kept
    app.close()


# --- killed anywhere ------------------------------------------------------------------------------


class Killed(BaseException):
    """The process is no more."""


class Mortal:
    """A table whose process dies at the nth write: before it, or when it was written and not answered."""

    def __init__(self, table: Any, dies_at: int, *, after: bool) -> None:
        self._table = table
        self._left = dies_at
        self._after = after

    def transact(self, scope: Scope, actions: Any) -> None:
        self._left -= 1
        if self._left == 0 and not self._after:
            raise Killed
        self._table.transact(scope, actions)
        if self._left == 0:
            raise Killed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


@pytest.mark.parametrize("seed", range(8))
def test_an_erasure_that_is_killed_again_and_again_is_completed_with_an_exact_receipt(app, memory, ann, seed):
    rng = random.Random(seed)
    erasure = ann.asks_to_be_erased()
    memory.follow()
    kills = 0
    while kills < 5:
        table = Mortal(app.stores.table, rng.randrange(1, 5), after=rng.random() < 0.5)
        try:
            if work(app, erasure, table, rows=rng.choice([1, 3, 2000])) is None:
                break
        except Killed:
            kills += 1
        memory.follow()
    memory.work()
    receipt = ann.receipt(erasure)
    assert receipt["status"] == "done"
    assert receipt["erased"] | {"transcripts": 1, "words_to_consolidate": 1} == ERASED
    assert rows_with(app, ann.word) == []


def test_two_that_work_on_one_erasure_count_nothing_twice(app, memory, ann):
    erasure = ann.asks_to_be_erased()
    memory.follow()
    together = threading.Barrier(4)

    def works(_: int) -> None:
        together.wait()
        for _ in range(20):
            work(app, erasure, rows=2)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(works, range(4)))
    memory.work()
    receipt = ann.receipt(erasure)
    assert receipt["status"] == "done"
    assert receipt["erased"] | {"transcripts": 1, "words_to_consolidate": 1} == ERASED
    assert rows_with(app, ann.word) == []


def test_a_step_does_its_share_and_goes_on(app, ann):
    erasure = ann.asks_to_be_erased()
    assert work(app, erasure, rows=3) == 0
    receipt = ann.receipt(erasure)
    assert receipt["status"] == "running"
    assert 0 < sum(receipt["erased"].values()) < sum(ERASED.values())


def test_erasures_that_are_not_done_are_told_of_again(app, memory, ann):
    erasure = ann.asks_to_be_erased()
    queue = app.queues.named("erasure")
    lost = queue.receive(10)
    queue.delete([message.receipt for message in lost])
    assert app.privacy.erasures.resume(LOCAL) == 1
    memory.work()
    assert ann.receipt(erasure)["status"] == "done"
    assert app.privacy.erasures.resume(LOCAL) == 0
    listed, device = memory.rows(ERASURES_PK)
    assert set(listed) == {"erasure_id", "subject", "requested_at"}
    assert set(device) == {*listed, "device"}


# --- what comes late ------------------------------------------------------------------------------


def test_an_erasure_is_done_when_nothing_more_was_found_for_a_while(app, memory, clock, ann):
    erasure = ann.asks_to_be_erased()
    waits = work(app, erasure, settle_seconds=60)
    memory.follow()
    assert waits == 60
    assert 0 < work(app, erasure, settle_seconds=60) <= 60
    clock.forward(60)
    assert work(app, erasure, settle_seconds=60) == 0
    assert ann.receipt(erasure)["status"] == "finishing"
    assert work(app, erasure, settle_seconds=60) is None
    assert ann.receipt(erasure)["status"] == "done"


def late(app: Application, happening: Callable[[], object], **fields: Any) -> Any:
    """A save that has read its session when something happens, and writes only then."""
    meddled = app.with_overrides(table=Meddled(app.stores.table, happening))
    return meddled.observations.saver.save(LOCAL, NewObservation.model_validate(observation(**fields)))


def test_a_write_that_was_under_way_is_found_afterwards(app, memory, clock, ann):
    erasure = ann.asks_to_be_erased()
    late(
        app,
        lambda: work(app, erasure, settle_seconds=60),
        content=f"late {ann.word}",
        session_id=ann.session,
    )
    memory.follow()
    assert rows_with(app, ann.word)
    clock.forward(61)
    assert work(app, erasure, settle_seconds=60) == 60
    memory.follow()
    assert rows_with(app, ann.word) == []


def test_working_memory_that_comes_late_is_found_in_the_emptied_session(app, memory, clock, ann):
    erasure = ann.asks_to_be_erased()
    table = Meddled(app.stores.table, lambda: work(app, erasure, settle_seconds=60))
    change = WorkingMemoryChange.model_validate({"plan": f"late {ann.word}"})
    app.with_overrides(table=table).conversations.working_memory.put(LOCAL, ann.session, change)
    memory.follow()
    assert rows_with(app, ann.word)
    clock.forward(61)
    work(app, erasure, settle_seconds=60)
    memory.follow()
    assert rows_with(app, ann.word) == []


def test_saves_that_go_on_meanwhile_leave_nothing(app, memory, ann, tmp_path):
    erasure = ann.asks_to_be_erased()
    memory.follow()
    stop = threading.Event()

    def saves(number: int) -> None:
        count = 0
        while not stop.is_set():
            count += 1
            new = observation(content=f"{ann.word} {number} {count}", session_id=f"s{count}", user_id="ann")
            app.observations.saver.save(LOCAL, NewObservation.model_validate(new))
            new = observation(content=f"{ann.word} {number} {count} b", session_id=ann.session)
            app.observations.saver.save(LOCAL, NewObservation.model_validate(new))

    with ThreadPoolExecutor(2) as threads:
        running = [threads.submit(saves, number) for number in range(2)]
        for _ in range(5):
            work(app, erasure, rows=5)
        stop.set()
        for each in running:
            each.result()
    memory.work()
    assert ann.receipt(erasure)["status"] == "done"
    assert rows_with(app, ann.word) == []


LATE_WRITES = {
    "POST /sessions": ("/sessions", {"id": "new", "project": "demo"}),
    "POST /observations": ("/observations", observation(session_id="new", content="late words")),
    "PUT /working-memory": ("/working-memory/new?user_id=ann", {"a": "late words"}),
    "POST /ledger": ("/ledger/new/mark", {"item": "late words"}),
    "POST /memory/sessions": ("/memory/sessions", {"session_id": "new"}),
    "POST /episodic/store": (
        "/episodic/store",
        {"conversation_id": "new", "agent_id": "a", "summary": "late words"},
    ),
    "POST /import": (
        "/import",
        {
            "observations": [
                observation(session_id="new", content="late words", user_id="ann", scope="project")
            ]
        },
    ),
}


@pytest.mark.parametrize("route", LATE_WRITES)
def test_for_an_hour_nothing_new_is_kept_of_the_person_and_then_again(app, memory, clock, ann, route):
    erased(ann, memory)
    method, (path, body) = route.split()[0], LATE_WRITES[route]
    body = body | {"user_id": "ann"} if "user_id" not in path and route != "POST /import" else body

    ann(method, path, json=body)
    assert rows_with(app, "late words") == []
    assert app.privacy.access.page(LOCAL, "ann", None).items.keys() <= {"consent", "statements"}

    clock.forward(3700)
    ann(method, path, json=body)
    assert app.privacy.access.page(LOCAL, "ann", None).items.keys() > {"consent", "statements"}


@pytest.mark.parametrize(
    "path",
    [
        "/observations",
        "/memory/sessions/{session}/events",
        "/working-memory/{session}",
        "/sessions/{session}/end",
    ],
)
def test_for_an_hour_nothing_is_kept_in_a_session_that_was_erased(app, memory, ann, path):
    erased(ann, memory)
    if path == "/observations":
        assert (
            ann("POST", path, json=observation(content="late words", session_id=ann.session))["action"]
            == "skipped"
        )
    elif path.endswith("/end"):
        said = [{"role": "user", "content": "late words"}] * 3
        assert ann("POST", path.format(session=ann.session), json={"messages": said})["message_count"] == 3
    elif "events" in path:
        event = {"event_type": "user_message", "content": "late words"}
        ann("POST", path.format(session=ann.session), json=event)
    else:
        ann("PUT", path.format(session=ann.session), json={"a": "late words"})
    assert rows_with(app, "late words") == []


def test_a_session_that_was_erased_can_be_started_again_and_keeps_nothing_for_now(memory, ann):
    erased(ann, memory)
    ann("POST", "/sessions", json={"id": ann.session, "project": "demo"})
    assert ann.saves("late words")["action"] == "skipped"


def test_for_an_hour_nothing_is_kept_of_what_a_device_of_theirs_writes(app, memory, clock, ann):
    for device, user in (("kitchen", "ann"), ("cellar", "bob")):
        ann("PUT", f"/api/devices/{device}", json={"userId": user})

    def writes(device: str, content: str) -> str:
        clock.forward(1)
        body = observation(content=content, session_id=f"at {clock.now_us()}", device_id=device)
        return str(ann("POST", "/observations", json=body)["action"])

    erased(ann, memory)
    assert writes("kitchen", "late words") == "skipped"
    assert rows_with(app, "late words") == []
    assert (writes("cellar", "words of bob"), writes("porch", "words of nobody")) == ("created", "created")

    ann("PUT", "/api/devices/kitchen", json={"userId": "bob"})
    assert writes("kitchen", "words of its next user") == "created"
    ann("DELETE", "/api/devices/kitchen")
    clock.forward(3700)
    assert writes("kitchen", "its own words") == "created"


def test_what_a_device_itself_wrote_outlives_its_user_and_can_be_erased_on_its_own(memory, ann):
    own = observation(content="early words", session_id="early", device_id="kitchen")
    ann("POST", "/observations", json=own)
    ann("PUT", "/api/devices/kitchen", json={"userId": "ann"})
    receipt = erased(ann, memory)
    for of_one in ({}, {"user_id": "device:kitchen"}):
        wanted = {"format": "jsonl", "kinds": "all"} | of_one
        assert "early words" in ann.api.get("/export", headers={"x-tenant": "local"}, params=wanted).text
    device = Person(ann.api, "device:kitchen")
    after = erased(device, memory)
    assert after["erasure_id"] != receipt["erasure_id"]
    assert after["erased"]["observations"] == 1


# --- asking ---------------------------------------------------------------------------------------


def test_asking_again_while_it_is_under_way_is_the_same_erasure(app, memory, ann):
    first = ann.asks_to_be_erased()
    assert ann.asks_to_be_erased() == first
    memory.work()
    again = ann.asks_to_be_erased()
    assert again != first
    memory.work()
    assert ann.receipt(again)["status"] == "done"


def test_of_many_that_ask_at_once_one_begins(app, ann):
    with ThreadPoolExecutor(8) as threads:
        begun = list(
            threads.map(lambda _: app.privacy.erasures.begin(LOCAL, "ann", "tests").erasure_id, range(8))
        )
    assert len(set(begun)) == 1


def test_an_unknown_erasure_is_not_found(api):
    answer = api.get("/api/rgpd/erasures/nothing", headers={"x-tenant": "local"})
    assert refused(answer, 404, "not_found") == []


# --- the index ------------------------------------------------------------------------------------


def test_an_erasure_waits_for_the_index_and_is_given_up_when_that_does_not_follow(app, memory, clock, ann):
    memory.follow()
    erasure = ann.asks_to_be_erased()
    work(app, erasure)
    assert work(app, erasure) == 0
    assert app.privacy.erasures.get(LOCAL, erasure).status == "running"  # nobody follows the stream
    clock.forward(1000)
    with pytest.raises(Unavailable):
        work(app, erasure)
    memory.follow()
    assert work(app, erasure) == 0
    assert ann.receipt(erasure)["status"] == "finishing"


def test_the_tombstone_does_not_name_the_person(app, memory, ann):
    ann.asks_to_be_erased()
    assert "ann" not in tombstone_key("ann").pk
    assert memory.row(tombstone_key("ann"))
