"""The indexer loses nothing, is held up by nothing, and does not mind how its records come."""

import random

import pytest

from strata.ports.rows import Key
from strata.services.records.observations import observation_key
from strata.services.search.filters import ObservationFilter
from support.faults import Away, away, changes, moody
from support.memory import LOCAL, Memory, application, record
from support.random_writes import many_writes


def deliver(memory, keys, tenant="local"):
    """One batch; the answer, as the numbers of the records that are to come again."""
    records = [record(tenant, key) for key in keys]
    places = {each["dynamodb"]["SequenceNumber"]: place for place, each in enumerate(records)}
    answer = memory.app.handlers.indexer()({"Records": records}, None)
    return [places[failure["itemIdentifier"]] for failure in answer["batchItemFailures"]]


def indexed(memory):
    return {int(key) for key, _ in memory.app.stores.index.catalog(LOCAL, "observation")}


def aside(memory):
    return [message.body for message in memory.app.queues.redrive.receive(1000)]


@pytest.fixture
def saved(memory):
    """A hundred observations whose embedding fails on the 13th and the 77th."""
    moody(memory)
    return [memory.save("poison" if n in {13, 77} else f"fact number {n}").id for n in range(100)]


def rows(saved):
    return [observation_key("demo", each) for each in saved]


def test_bad_rows_are_put_aside_and_hold_nothing_up(memory, saved):
    embedder = memory.app.models.embedder
    saved[77] = memory.save("another poison").id
    assert deliver(memory, rows(saved)) == []
    assert indexed(memory) == set(saved) - {saved[13], saved[77]}
    bodies = aside(memory)
    assert {body["pk"] for body in bodies} == {"local#PROJECT#demo"}
    assert {body["sk"] for body in bodies} == {rows(saved)[n].sk for n in (13, 77)}
    assert embedder.calls < 40


def test_why_a_row_was_put_aside_is_told_without_its_words(memory, saved):
    deliver(memory, rows(saved))
    (reason,) = {body["reason"] for body in aside(memory)}
    assert reason.startswith("ValueError in ")
    assert "poison" not in reason


def test_a_row_put_aside_is_still_found_by_its_note(memory):
    embedder = moody(memory)
    memory.save("poison was found in the well", title="Bad")
    memory.follow()
    assert len(aside(memory)) == 2  # the row and its note
    embedder.bad = "nothing"
    found = memory.app.search.observations.search(
        LOCAL, "what was in the well?", ObservationFilter(), limit=5
    ).hits
    assert [hit.title for hit in found] == ["Bad"]


def test_while_the_index_is_away_every_record_comes_again(memory, saved):
    with away(memory):
        assert deliver(memory, rows(saved[:10])) == list(range(10))
    assert aside(memory) == []
    assert deliver(memory, rows(saved[:10])) == []
    assert indexed(memory) == set(saved[:10])


def test_a_bad_row_behind_an_outage_is_judged_when_it_comes_again(memory, saved):
    class Flaky:
        """Goes away after the first half was written."""

        def __init__(self, index):
            self.index, self.writes = index, 0

        def write(self, *arguments):
            self.writes += 1
            if self.writes > 1:
                Away().write()
            self.index.write(*arguments)

    index = memory.app.stores.index
    memory.use(index=Flaky(index))
    again = deliver(memory, rows(saved[:16]))  # the 13th makes them fail together, so halves are tried
    assert again == list(range(8, 16))
    assert aside(memory) == []
    memory.use(index=index)
    assert deliver(memory, rows(saved[8:16])) == []
    assert indexed(memory) == set(saved[:16]) - {saved[13]}
    assert len(aside(memory)) == 1


def test_while_the_queue_is_away_a_bad_row_comes_again(memory, saved):
    with away(memory, queues=lambda name, deliveries: Away()):
        assert deliver(memory, rows(saved[:20])) == [13]
    assert indexed(memory) == set(saved[:20]) - {saved[13]}
    assert deliver(memory, [rows(saved)[13]]) == []
    assert len(aside(memory)) == 1


def test_an_outage_met_by_one_tenant_is_not_tried_on_the_next(memory, saved):
    class Counting(Away):
        tries = 0

        def write(self, *_):
            self.tries += 1
            super().__getattr__("write")()

    index = Counting()
    memory.use(index=index)
    other = Memory(memory.app, type(LOCAL)("acme"))
    theirs = observation_key("demo", other.save("of another tenant").id)
    records = [record("local", rows(saved)[0]), record("acme", theirs)]
    answer = memory.app.handlers.indexer()({"Records": records}, None)
    assert len(answer["batchItemFailures"]) == 2
    assert index.tries == 1


@pytest.mark.parametrize("key", [Key("PROJECT#demo", "OBS#nonsense"), Key("PROJECT#demo", "CHANGE#1")])
def test_a_key_that_nobody_understands_is_put_aside(memory, saved, key):
    assert deliver(memory, [*rows(saved[:3]), key]) == []
    assert [body["sk"] for body in aside(memory)] == [key.sk]
    assert indexed(memory) == set(saved[:3])


def test_a_record_of_no_tenant_is_put_aside(memory, saved):
    assert deliver(memory, rows(saved[:1]), tenant="not a tenant!") == []
    assert [body["pk"] for body in aside(memory)] == ["not a tenant!#PROJECT#demo"]


def test_work_beside_the_stream_never_puts_an_old_state_over_a_newer_one(memory):
    saved = memory.save("first words")
    memory.follow()
    index = memory.app.stores.index

    class Overtaken:
        """Between reading the row and writing its document, the stream brings a newer state."""

        def write(self, scope, documents, deleted=()):
            if memory.get(saved.id).content == "first words":
                memory.change(saved.id, content="newer words")
                memory.follow()
            index.write(scope, documents, deleted)

    key = observation_key("demo", saved.id)
    memory.app.stream.indexer.over(Overtaken()).follow_beside(LOCAL, [key])
    assert dict(index.catalog(LOCAL, "observation")) == {str(saved.id): memory.row(key)["updated_at"]}
    (found,) = memory.app.search.observations.search(LOCAL, "newer words", ObservationFilter(), limit=1).hits
    assert found.content == "newer words"


def test_two_thousand_writes_while_the_indexer_stood_still_leave_no_difference(tmp_path, clock):
    memory = Memory(application(tmp_path, clock))
    chance = random.Random(7)
    live = many_writes(memory, chance, 2000)
    before = memory.app.repair.verifier.verify()
    assert (before.missing, before.pending > 1000) == (0, True)  # on their way, which is no difference
    waiting = changes(memory)
    waiting += chance.choices(waiting, k=300)  # late ones, repeated ones, in any order
    chance.shuffle(waiting)
    indexer = memory.app.handlers.indexer()
    for start in range(0, len(waiting), 100):
        batch = [record(*change) for change in waiting[start : start + 100]]
        assert indexer({"Records": batch}, None) == {"batchItemFailures": []}
    after = memory.app.repair.verifier.verify()
    assert (after.differences, after.pending, after.examples) == (0, 0, [])
    assert after.rows == after.documents == len(live)
    assert memory.app.stream.totals.stats(LOCAL, None).total_observations == len(live)
    memory.app.close()
