"""Each turn knows the one before it, whatever else is indexed with it."""

import random
from typing import Any

from strata.domain.scope import Scope
from strata.services.records.kinds import OBSERVATIONS
from strata.services.records.observations import observation_key
from strata.services.stream.predecessors import Predecessors
from strata.services.table.parallel import Parallel
from support.memory import LOCAL, Memory


class Counting:
    """A table that counts the queries it is asked, and the rows that these find."""

    def __init__(self, table):
        self._table = table
        self.queries = self.rows = 0

    def query(self, scope, query):
        page = self._table.query(scope, query)
        self.queries += 1
        self.rows += len(page.rows)
        return page


def talk(memory, session, turns):
    """The ids of so many turns of a session."""
    return [memory.save(f"turn {n} of {session}", session_id=session).id for n in range(turns)]


def rows(memory, ids):
    keys = [observation_key("demo", each) for each in ids]
    found = memory.app.stores.table.get_many(memory.scope, keys)
    return [(OBSERVATIONS, found[key]) for key in keys]


def before(memory, ids, scope=LOCAL):
    table: Any = Counting(memory.app.stores.table)
    found = Predecessors(table, Parallel(0)).of(scope, rows(memory, ids))
    return [None if each is None else int(each) for each in found], table


def test_turns_that_are_indexed_together_take_one_query_a_session(memory):
    first, second = talk(memory, "s1", 6), talk(memory, "s2", 5)
    mixed = [first[3], second[1], first[2], first[4], second[2], first[5]]
    found, table = before(memory, mixed)
    assert found == [first[2], second[0], first[1], first[3], second[1], first[4]]
    assert (table.queries, table.rows) == (2, 6)


def test_the_first_turn_has_none(memory):
    first, second = talk(memory, "s1", 3), talk(memory, "s2", 1)
    assert before(memory, [*first, *second])[0] == [None, first[0], first[1], None]


def test_turns_far_apart_are_not_taken_for_neighbours(memory):
    turns = talk(memory, "s1", 12)
    for chosen in ([turns[2], turns[11]], [turns[0], turns[6], turns[7]], random.Random(5).sample(turns, 6)):
        found, table = before(memory, chosen)
        assert found == [turns[turns.index(each) - 1] if each != turns[0] else None for each in chosen]
        assert table.queries <= len(chosen) + 1


def test_a_session_of_the_same_name_of_another_tenant_is_another(memory):
    other = Memory(memory.app, Scope("other"))
    mine, theirs = talk(memory, "s1", 2), talk(other, "s1", 2)
    assert before(memory, mine)[0] == [None, mine[0]]
    assert before(other, theirs, other.scope)[0] == [None, theirs[0]]
