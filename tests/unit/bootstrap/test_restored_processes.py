"""Processes restored from one snapshot, as Lambda's SnapStart does it: their random numbers are the same.

What tells one's write from another's must not be one of those.
"""

import json
import random

import pytest

from strata.domain.wire.episodes import NewEpisode
from strata.domain.wire.working_memory import WorkingMemoryChange
from strata.services.conversations.working_memory import WorkingMemory
from strata.services.facts.extraction import Extraction
from strata.services.records.episodes import episode_key
from strata.services.records.observations import observation_key
from strata.services.records.people import extraction_key
from support.facts import ScriptedFinder, converse, enable
from support.memory import LOCAL, Meddled


def restore() -> None:
    """As if this process began anew from the snapshot."""
    random.seed(7)


def test_a_field_that_another_of_them_writes_meanwhile_is_kept(memory):
    """Two that were just restored write one after the other; a third writes upon what the first has left."""
    app = memory.app

    def put(table, **fields):
        restore()
        change = WorkingMemoryChange.model_validate(fields)
        WorkingMemory(table, app.clock, app.conversations.life, app.people.ownership).put(
            LOCAL, "talk", change
        )

    names = [f"field{number}" for number in range(60)]
    put(app.stores.table, **dict.fromkeys(names, "first"))
    meanwhile = Meddled(
        app.stores.table, lambda: put(app.stores.table, **dict.fromkeys(names[:30], "second"))
    )
    put(meanwhile, **dict.fromkeys(names[30:], "third"))
    kept = {
        name: json.loads(text) for name, text in app.conversations.working_memory.get(LOCAL, "talk").items()
    }
    assert kept == dict.fromkeys(names[:30], "second") | dict.fromkeys(names[30:], "third")


def saved(memory, number):
    saved = memory.save(f"content {number}")
    return memory.row(observation_key("demo", saved.id))["write"]


def stored(memory, number):
    new = NewEpisode(conversation_id="s1", agent_id="a1", user_id="ann", summary=f"episode {number}")
    name = memory.app.episodes.catalog.store(LOCAL, new)
    return memory.row(episode_key("ann", int(name.removeprefix("ep-"))))["write"]


def leased(memory, number):
    """The lease of a worker while it works."""
    enable(memory)
    converse(memory, f"s{number}")
    leases, finder, app = [], ScriptedFinder(), memory.app
    finder.happening = lambda: leases.append(memory.row(extraction_key(f"s{number}"))["lease"])
    Extraction(app.stores.table, app.clock, finder, app.facts.writer).run(LOCAL, f"s{number}")
    return leases[0]


@pytest.mark.parametrize("write", [saved, stored, leased])
def test_no_two_of_them_take_anothers_write_for_their_own(memory, write):
    marks = []
    for number in range(2):
        restore()
        marks.append(write(memory, number))
    assert marks[0] != marks[1]
