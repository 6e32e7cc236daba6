"""Whichever consumer of the stream failed on a row, a redrive does the whole work on it."""

from collections import defaultdict
from collections.abc import Sequence

from strata.domain.scope import Scope
from strata.domain.wire.events import NewEvent, NewEventSession
from strata.ports.rows import Key
from strata.services.maintenance.marks import day_of
from strata.services.records.events import event_total_key
from strata.services.records.maintenance import changes_pk
from strata.services.records.people import consent_key, extraction_key
from strata.services.stream.consumers import Consumer
from support.facts import consent, converse, enable
from support.memory import Memory, record


class Watched:
    """The consumers of a list, each of which fails for its own tenant while `is_broken`.

    `done` holds the rows that went through, by the consumer's place in the list and the tenant.
    """

    def __init__(self) -> None:
        self.is_broken = True
        self.done: dict[tuple[int, str], set[Key]] = defaultdict(set)

    def watch(self, consumers: list[Consumer]) -> None:
        consumers[:] = [self._watched(place, consumer) for place, consumer in enumerate(consumers)]

    def _watched(self, place: int, consumer: Consumer) -> Consumer:
        def follow(scope: Scope, keys: Sequence[Key]) -> None:
            if self.is_broken and scope == tenant(place):
                raise ValueError("poison")
            consumer(scope, keys)
            self.done[place, scope.tenant] |= set(keys)

        return follow


def tenant(place: int) -> Scope:
    """The tenant for which the consumer of this place fails."""
    return Scope(f"tenant-{place}")


def write_every_kind(memory: Memory) -> None:
    """Write something for each consumer to do."""
    memory.save("the deploy key lives in the vault")
    events = memory.app.events
    events.logs.open(memory.scope, NewEventSession(session_id="e1"))
    events.appender.append(memory.scope, "e1", [NewEvent(event_type="user_message", content="hello")])
    enable(memory)
    converse(memory)
    consent(memory, "ben", ai_consent=False, erase=True)
    memory.app.privacy.erasures.begin(memory.scope, "cid", "tests")


def test_what_any_consumer_failed_on_is_done_after_a_redrive(memory, clock):
    app, watched = memory.app, Watched()
    stream = app.stream
    tenants = [Memory(app, tenant(place)) for place in range(len(stream.consumers))]
    watched.watch(stream.consumers)
    watched.watch(stream.consumers_beside)
    for each in tenants:
        write_every_kind(each)
    written = {each.scope.tenant: set[Key]() for each in tenants}
    records = []
    for scope, key in app.stores.census.keys(""):
        if scope.tenant in written:
            written[scope.tenant].add(key)
            records.append(record(scope.tenant, key))
    assert app.handlers.indexer()({"Records": records}, None) == {"batchItemFailures": []}
    assert app.queues.redrive.depth() == len(records)
    watched.is_broken = False
    redriven = app.repair.redriver.redrive()
    assert (redriven.messages, redriven.is_whole) == (len(records), True)

    for queue in ("extraction", "consolidation", "erasure"):
        messages = app.queues.named(queue).receive(1000)
        assert {message.body["tenant"] for message in messages} == set(written)
    for each in tenants:
        name = each.scope.tenant
        for place in range(len(stream.consumers)):
            assert watched.done[place, name] >= written[name], (place, name)
        assert len(list(app.stores.index.catalog(each.scope, "observation"))) == 1
        assert app.search.change_notes.changed(each.scope, None).rows == []
        assert app.stream.totals.stats(each.scope, None).total_observations == 1
        assert each.row(extraction_key("s1"))["state"] == "sent"
        assert "forgets" not in each.row(consent_key("ben"))
        assert each.row(event_total_key())["events"] == 1
        marks = each.rows(changes_pk(day_of(clock.now_us() // 1_000_000)))
        assert {mark["kind"] for mark in marks} == {"observation", "episode"}
