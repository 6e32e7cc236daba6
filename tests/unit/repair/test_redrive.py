"""Records that the indexer put aside, or never saw, go through once the cause is gone."""

import pytest

from strata.domain.scope import Scope
from strata.ports.rows import Update
from strata.services.repair.redrive import MALFORMED
from strata.settings import SettingsError
from support.faults import away, empty_index, moody, open_notes
from support.memory import LOCAL, Memory, application

HOUR = 3600


@pytest.fixture
def embedder(memory):
    return moody(memory)


def indexed(memory, scope=LOCAL):
    return {int(key) for key, _ in memory.app.stores.index.catalog(scope, "observation")}


def redrive(memory):
    return memory.app.repair.redriver.redrive()


def test_with_nothing_aside_there_is_nothing_to_do(memory):
    memory.save("a fact")
    memory.follow()
    done = redrive(memory)
    assert (done.messages, done.notes, done.is_whole) == (0, 0, True)


def test_after_the_cause_is_gone_everything_goes_through(memory, embedder):
    bad = memory.save("poison")
    memory.save("a fact")
    assert memory.stats().total_observations == 1
    embedder.bad = "nothing"
    seen = []
    done = memory.app.repair.redriver.redrive(lambda *progress: seen.append(progress))
    assert (done.messages, done.stayed, done.is_whole) == (2, 0, True)  # the row and its note
    assert seen[-1] == ("messages", 2, 2)
    assert bad.id in indexed(memory)
    assert open_notes(memory) == []
    assert memory.app.stream.totals.stats(LOCAL, None).total_observations == 2
    assert memory.app.queues.redrive.depth() == 0
    assert memory.app.repair.verifier.verify().differences == 0


def test_while_the_cause_is_there_they_stay_and_it_is_told_why(memory, embedder):
    saved = [memory.save(f"poison {n}").id for n in range(3)]
    good = memory.save("was poison")
    memory.follow()
    memory.change(good.id, content="is harmless")
    for _ in range(3):
        done = redrive(memory)
        assert (done.stayed, done.is_whole) == (6, False)
        assert {each["pk"] for each in done.stays} == {"local#PROJECT#demo"}
        assert all(each["reason"].startswith("ValueError in ") for each in done.stays)
        assert memory.app.queues.redrive.depth() == 6
    assert done.messages == 0
    assert indexed(memory) == {good.id}
    assert not indexed(memory) & set(saved)


def test_a_store_that_is_away_ends_it_and_loses_nothing(memory, embedder):
    bad = memory.save("poison")
    memory.follow()
    embedder.bad = "nothing"
    with away(memory):
        done = redrive(memory)
    assert (done.outage, done.messages, done.stayed, done.is_whole) == ("it does not answer", 0, 0, False)
    assert redrive(memory).messages == 2
    assert indexed(memory) == {bad.id}


def test_messages_of_every_tenant_are_processed(memory, embedder):
    other = Memory(memory.app, Scope("acme"))
    saved = other.save("poison of theirs")
    memory.save("poison of ours")
    memory.follow()
    embedder.bad = "ours"
    done = redrive(memory)
    assert (done.messages, done.stayed) == (2, 2)
    assert indexed(other, other.scope) == {saved.id}
    assert indexed(memory) == set()


@pytest.mark.parametrize(
    "body", [7, None, "text", {}, {"pk": "x", "sk": "y"}, {"pk": "a#b", "sk": 1}, {"pk": 1}]
)
def test_a_message_that_names_no_row_stays_and_hinders_no_other(memory, embedder, body):
    saved = memory.save("poison")
    memory.follow()
    memory.app.queues.redrive.send([body])
    embedder.bad = "nothing"
    done = redrive(memory)
    assert (done.messages, done.stayed, done.stays[0]["reason"]) == (2, 1, MALFORMED)
    assert indexed(memory) == {saved.id}


def test_a_row_that_was_deleted_meanwhile_leaves_the_queue(memory, embedder):
    saved = memory.save("poison")
    memory.follow()
    memory.delete(saved.id)
    assert redrive(memory).is_whole
    assert indexed(memory) == set()
    assert memory.app.queues.redrive.depth() == 0


def test_changes_that_the_stream_forgot_are_found_by_their_notes(memory, clock):
    saved = memory.save("never seen by the indexer")
    rule = memory.save("a rule", scope="global")
    gone = memory.save("gone again")
    memory.delete(gone.id, hard=True)
    assert redrive(memory).notes == 0  # they may be on their way still
    clock.forward(25 * HOUR)
    done = redrive(memory)
    assert (done.notes, done.is_whole) == (5, True)
    assert indexed(memory) == {saved.id, rule.id}
    assert open_notes(memory) == []
    assert memory.app.stream.totals.stats(LOCAL, None).total_observations == 2


def test_a_forgotten_change_that_cannot_be_processed_is_told(memory, embedder, clock):
    memory.save("poison")
    memory.save("a fact")
    clock.forward(HOUR)
    done = redrive(memory)
    assert (done.notes, done.stayed) == (1, 1)
    assert done.stays[0]["sk"].startswith("CHANGE#")


def test_a_note_that_an_earlier_version_settled_is_not_forgotten(memory, clock):
    memory.save("a fact")
    memory.lose_changes()
    (note,) = open_notes(memory)
    ends = clock.now_us() // 1_000_000 + HOUR
    memory.app.stores.table.update(LOCAL, Update(note, set={"expires_at": ends}))
    clock.forward(1800)
    assert redrive(memory).notes == 0
    assert memory.app.repair.verifier.verify().forgotten == 0


def test_where_the_engine_refreshes_later_what_is_applied_is_no_difference(tmp_path, clock):
    memory = Memory(application(tmp_path, clock, INDEX_REFRESH="3600"))
    saved = memory.save("a fact")
    memory.follow()
    empty_index(memory)  # as an engine that has not refreshed yet shows it
    clock.forward(1800)
    assert (redrive(memory).notes, memory.app.repair.verifier.verify().differences) == (0, 0)
    clock.forward(1900)
    assert memory.app.repair.verifier.verify().missing == 1
    assert saved.id not in indexed(memory)
    memory.app.close()


def test_a_deployed_stack_is_redriven_with_all_its_queues_or_not_at_all(tmp_path):
    url = "https://sqs.eu-west-1.amazonaws.com/1/queue"
    app = application(tmp_path, STORE="dynamodb", TABLE="rows", REDRIVE_QUEUE_URL=url, ERASURE_QUEUE_URL=url)
    with pytest.raises(
        SettingsError, match="needs STRATA_EXTRACTION_QUEUE_URL and STRATA_CONSOLIDATION_QUEUE_URL, too"
    ):
        _ = app.repair.redriver
