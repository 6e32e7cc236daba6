"""Totals are compared with the rows that they count, also while new ones wait to be counted."""

from strata.ports.rows import Key, Put, Update
from strata.services.records.observations import project_pk
from strata.services.records.parts import CHANGE_PREFIX
from strata.services.records.totals import stats_key
from strata.services.repair.recount import WrongTotal
from support.clocks import MINUTE
from support.memory import LOCAL


def test_what_is_saved_while_rows_are_counted_makes_no_total_wrong(memory):
    memory.save("indexed")
    memory.follow()
    memory.save("waits")
    recounter = memory.app.repair.recounter

    def marked():
        counted = recounter.marked()
        memory.save("came later")
        return counted

    assert recounter.wrong([LOCAL.tenant], marked) == []


def test_a_total_is_wrong_also_while_older_notes_wait(memory, clock):
    memory.save("waits")
    clock.forward(2 * MINUTE)
    table, recounter = memory.app.stores.table, memory.app.repair.recounter
    table.transact(LOCAL, [Update(stats_key("demo"), set={"project": "demo"}, add={"observations": 5})])
    (wrong,) = recounter.wrong([LOCAL.tenant])
    assert wrong == WrongTotal(LOCAL.tenant, "demo", (5, 0), (0, 0))
    assert recounter.correct(wrong)
    memory.follow()
    assert memory.row(stats_key("demo"))["observations"] == 1


def test_malformed_notes_keep_nothing_from_being_compared(memory, clock):
    notes = [Key(project_pk("demo"), CHANGE_PREFIX + each) for each in ("x#y", "z", "1#2#3#4")]
    memory.app.stores.table.transact(LOCAL, [Put(each, {}) for each in notes])
    memory.save("waits")
    clock.forward(2 * MINUTE)
    assert memory.app.repair.recounter.wrong([LOCAL.tenant]) == []
