"""The sweep of conclusions: what grows old fades, what says the same is merged, what is weak is hidden."""

from pathlib import Path
from typing import Any

import pytest
from benchmarks.measure import CountingTable

from strata.bootstrap import Application, Overrides
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.ports.rows import Update
from strata.services.knowledge.conclusions import Wanted
from strata.services.knowledge.person import Knowledge, KnowledgeRows
from strata.services.knowledge.upkeep import Thresholds, merge_redundant
from strata.services.records.episodes import episodes_pk
from strata.services.records.knowledge import knowledge_head_key
from strata.settings import load
from support.clocks import HandClock
from support.memory import LOCAL, Memory, application
from support.swept import Announced, Dies, Dying, Encoder, conclude, known, sweep

ACME = Scope("acme")


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def app(tmp_path: Path, clock: HandClock) -> Application:
    return application(tmp_path, clock)


def test_what_nothing_supports_for_ninety_days_fades_day_by_day_until_it_is_hidden_and_gone(app, clock):
    conclude(app, "ann", "Often runs")
    conclude(app, "bob", "Often swims")
    assert known(app, "ann") == {"Often runs": 0.8}
    clock.forward(89 * DAY)
    sweep(app)
    assert known(app, "ann") == {"Often runs": 0.8}
    clock.forward(DAY)
    for _ in range(10):
        sweep(app)
    assert (known(app, "ann"), known(app, "bob")) == ({"Often runs": 0.72}, {"Often swims": 0.72})
    clock.forward(4 * DAY)
    sweep(app)
    assert known(app, "ann") == {"Often runs": round(0.8 * 0.9**5, 3)}
    clock.forward(5 * DAY)
    report = sweep(app)
    assert report.summary["pruning"]["removed"] == 2
    assert (known(app, "ann"), known(app, "bob")) == ({}, {})
    clock.forward(30 * DAY)
    assert sweep(app).summary["pruning"]["removed"] == 2
    assert KnowledgeRows(app.stores.table).read(LOCAL, "ann").conclusions == {}


def test_new_support_makes_it_as_sure_as_before(app, clock):
    conclude(app, "ann", "Often runs")
    clock.forward(92 * DAY)
    sweep(app)
    assert known(app, "ann")["Often runs"] < 0.6
    conclude(app, "ann", "Often runs")
    sweep(app)
    assert known(app, "ann") == {"Often runs": 0.8}


def test_what_the_person_stated_is_flagged_and_stays(app, clock):
    conclude(app, "ann", "Lives in York", type="explicit", confidence=0.2)
    clock.forward(300 * DAY)
    sweep(app)
    (one,) = app.knowledge.conclusions.listed(LOCAL, "ann", Wanted())
    assert (one.confidence, one.stale) == (0.2, True)
    again = sweep(app)
    assert again.summary["stale"]["people"] == 0


def test_what_says_the_same_becomes_one_with_the_sources_of_both(app):
    conclude(app, "ann", "Often walks the big dog before work", confidence=0.6)
    conclude(app, "ann", "Often walks big dog before work")
    conclude(app, "bob", "Often walks a big dog before work")
    conclude(app, "ann", "Often walks the big dog before work", scope=ACME)
    report = sweep(app)
    assert report.summary["redundancy"] | {"people": 0} == {
        "people": 0,
        "looked_at": 3,
        "added": 0,
        "changed": 1,
        "removed": 1,
        "waiting": 0,
    }
    (one,) = app.knowledge.conclusions.listed(LOCAL, "ann", Wanted())
    assert (one.text, one.confidence) == ("Often walks big dog before work", 0.8)
    assert sorted(one.sources) == [
        "s Often walks big dog before work",
        "s Often walks the big dog before work",
    ]
    assert len(known(app, "bob")) == len(known(app, "ann", ACME)) == 1
    assert app.knowledge.conclusions.delete_all(LOCAL, "ann") == 1, "the merged one was not shown"


@pytest.mark.parametrize(
    "other",
    [
        "Often drinks green tea with the kids at 8 on Monday in Leeds",  # a number
        "Often drinks green tea with the kids at 7 on Monday in York",  # a name
        "Often drinks green tea with the kids at 7 on Tuesday in Leeds",  # a date
        "Never drinks green tea with the kids at 7 on Monday in Leeds",  # a negation
        "Often drinks black tea with the kids at 7 on Monday in Leeds",  # a value
        "Often drinks green tea without the kids at 7 on Monday in Leeds",
        "Often drinks green tea with the kids at 7 on Monday in Leeds C++",
    ],
)
def test_what_differs_in_anything_that_matters_is_never_merged(app, other):
    conclude(app, "ann", "Often drinks green tea with the kids at 7 on Monday in Leeds", other)
    sweep(app)
    assert len(known(app, "ann")) == 2


@pytest.mark.parametrize(
    "border", [{"agents": ["a"]}, {"projects": ["x"]}, {"agents": ["a"], "confined": True}]
)
def test_what_is_told_to_other_agents_or_in_other_projects_is_never_merged(app, border):
    conclude(app, "ann", "Often walks the big dog before work")
    conclude(app, "ann", "Often walks big dog before work", **border)
    assert sweep(app).summary["redundancy"]["removed"] == 0


def test_a_day_takes_at_most_a_fifth_away_and_the_weakest_first(app, clock):
    conclude(app, "ann", *(f"Likes number {each}" for each in range(10)), confidence=0.9)
    weak = [f"Guesses {each}" for each in ("apples", "boats", "cards", "dates", "eggs")]
    for place, text in enumerate(weak):
        conclude(app, "ann", text, confidence=0.2 + place / 100)
    for _ in range(3):
        report = sweep(app)
        assert set(weak) & set(known(app, "ann")) == set(weak[3:])
    assert report.summary["pruning"] == {"people": 0}
    clock.forward(DAY)
    report = sweep(app)
    assert report.summary["pruning"]["removed"] == 2
    assert len(known(app, "ann")) == 10


def test_what_was_taken_away_comes_back_by_undoing_it_and_stays(app, clock):
    conclude(app, "ann", "Guess", confidence=0.2)
    sweep(app)
    assert known(app, "ann") == {}
    room = app.knowledge.consolidations
    (run,) = room.listed(LOCAL, "ann", 10)
    assert (run.outcome, run.removed, run.session_id) == ("pruning", 1, None)
    assert room.undo(LOCAL, "ann", run.id).restored == 1
    clock.forward(200 * DAY)
    sweep(app)
    assert known(app, "ann") == {"Guess": 0.2}


def test_a_merge_is_undone_as_a_whole(app):
    conclude(app, "ann", "Often walks the big dog before work", confidence=0.6)
    conclude(app, "ann", "Often walks big dog before work")
    before = known(app, "ann")
    sweep(app)
    (run,) = app.knowledge.consolidations.listed(LOCAL, "ann", 10)
    app.knowledge.consolidations.undo(LOCAL, "ann", run.id)
    sweep(app)
    assert known(app, "ann") == before


def test_deleting_a_conclusion_deletes_what_was_merged_into_it(app):
    conclude(app, "ann", "Often walks the big dog before work", confidence=0.6)
    conclude(app, "ann", "Often walks big dog before work")
    sweep(app)
    app.knowledge.conclusions.delete(LOCAL, "ann", "ann-Often walks big dog before work")
    assert KnowledgeRows(app.stores.table).read(LOCAL, "ann").conclusions == {}


def test_a_dry_run_counts_what_the_next_one_does_and_changes_nothing(app, clock):
    conclude(
        app, "ann", "Often walks the big dog before work", "Often walks big dog before work", "Often runs"
    )
    clock.forward(100 * DAY)
    before = KnowledgeRows(app.stores.table).read(LOCAL, "ann")
    foreseen = sweep(app, dry=True)
    assert KnowledgeRows(app.stores.table).read(LOCAL, "ann") == before
    assert (foreseen.dry_run, list(foreseen.summary)) == (
        True,
        ["stale", "decay", "redundancy", "orphans", "contradictionPipeline", "pruning", "entities"],
    )
    done = sweep(app)
    compared = foreseen.summary.pop("contradictionPipeline"), done.summary["contradictionPipeline"]
    assert compared[0]["removed"] == compared[1]["removed"]
    assert {name: done.summary[name] for name in foreseen.summary} == foreseen.summary
    assert known(app, "ann") == {}


def told(app: Application) -> list[Any]:
    """The rows of two people in the end, but for the times of writing."""
    left_out = ("created_at", "updated_at", "run", "hidden")
    rows = [
        KnowledgeRows(app.stores.table).read(LOCAL, owner).conclusions.values() for owner in ("ann", "bob")
    ]
    return [
        [{k: v for k, v in row.items() if k not in left_out} | {"hid": "hidden" in row} for row in each]
        for each in rows
    ]


@pytest.mark.parametrize("done", [False, True])
def test_a_sweep_that_dies_at_any_write_is_made_good_by_the_next(tmp_path, done):
    """After each death the rows say what they said before or after a transaction, and in the end the same."""
    expected: list[Any] = []
    for at in range(60):
        announced = Announced()
        given = Overrides(announcer=announced, entailment=Encoder("rent"))
        app = application(tmp_path / f"{at}", HandClock(), given)
        for owner in ("ann", "bob"):
            texts = "Often walks the big dog before work", "Often walks big dog before work", "Runs", "Swims"
            conclude(app, owner, *texts, "Wants a low rent", "Wants no low rent")
            conclude(app, owner, "Guess", confidence=0.2)
        app.clock.forward(91 * DAY)  # type: ignore[attr-defined]
        try:
            sweep(app.with_overrides(table=Dying(app.stores.table, at, done=done)))
        except Dies:
            assert at > 0
            for rows in told(app):
                merged = [row for row in rows if "united" in row]
                assert len(merged) == sum(row["hid"] for row in rows if "dog" in row["text"])
                assert sum(row["hid"] for row in rows if "rent" in row["text"]) in (0, 1)
            assert superseded(announced) <= fallen(app)
        else:
            if at:
                assert at > 40, "the sweep wrote next to nothing"
                break
        app.clock.forward(61)  # type: ignore[attr-defined]
        sweep(app)
        expected = expected or told(app)
        assert told(app) == expected
        assert superseded(announced) == fallen(app)
        assert len({each.id for each in announced.events}) == len(fallen(app)) == 2
        app.close()
    else:
        pytest.fail("the sweep never came to its end")


def superseded(announced: Announced) -> set[tuple[str, str]]:
    """The people whose conclusions are announced as superseded."""
    return {(each.detail["userId"], each.detail["supersededId"]) for each in announced.events}


def fallen(app: Application) -> set[tuple[str, str]]:
    """Those that are hidden since they contradict another one, which is not."""
    found = set()
    for owner in ("ann", "bob"):
        rows = KnowledgeRows(app.stores.table).read(LOCAL, owner).conclusions
        for name, row in rows.items():
            if row.get("hidden", {}).get("why") == "contradicted":
                assert "hidden" not in rows[row["hidden"]["by"]]
                found.add((owner, name))
    return found


def night(tmp_path: Path, people: int, changed: int, sweeps: int = 1) -> list[tuple[int, int]]:
    """Rows read and writes of a night's sweeps, after a swept store of so many people changed a little."""
    app = application(tmp_path, HandClock())
    for number in range(people):
        conclude(app, f"p{number}", *(f"Likes {each}" for each in range(8)))
    sweep(app)
    app.clock.forward(DAY)  # type: ignore[attr-defined]
    for number in range(changed):
        conclude(app, f"p{number}", "Likes more")
    counted = CountingTable(app.stores.table)
    counting = app.with_overrides(table=counted)
    found = []
    states: list[Knowledge] = []
    for _ in range(sweeps):
        before = counted.rows, counted.writes
        sweep(counting)
        found.append((counted.rows - before[0], counted.writes - before[1]))
        left = [KnowledgeRows(app.stores.table).read(LOCAL, f"p{number}") for number in range(changed)]
        assert left == (states := states or left)
    return found


def test_a_sweep_costs_what_changed_and_ten_a_night_change_what_one_does(tmp_path):
    first, *others = night(tmp_path / "many", people=30, changed=3, sweeps=10)
    (few,) = night(tmp_path / "few", people=3, changed=3)
    assert first == few
    (nothing,) = night(tmp_path / "none", people=3, changed=0)
    assert first[0] > 3 * 9 * 4 > nothing[0]
    assert all(rows < first[0] / 4 and writes < first[1] for rows, writes in others), (first, nothing, others)


def test_people_whose_conclusions_are_older_than_the_sweep_are_listed_by_a_migration_once(app, clock):
    conclude(app, "ann", "Often runs")
    conclude(app, "bob", "Lives in York", type="explicit")
    clock.forward(91 * DAY)
    for owner in ("ann", "bob"):
        if owner == "bob":
            sweep(app)  # nothing more will happen to what the person stated
        else:
            unlisted = Update(knowledge_head_key(owner), remove=("gsi2pk", "gsi2sk"))
            app.stores.table.update(LOCAL, unlisted)
    assert known(app, "ann") == {"Often runs": 0.8}
    assert app.repair.migrator.migrate().rows["people to sweep"] == 1
    assert app.repair.migrator.migrate().rows["people to sweep"] == 0
    sweep(app)
    assert known(app, "ann")["Often runs"] < 0.8


def test_orphans_are_weak_episodes_that_nothing_rests_on(tmp_path):
    memory = Memory(application(tmp_path, HandClock(), ORPHAN_IMPORTANCE="0.99"))
    for session in ("s1", "s2"):
        memory.start(session, user_id="ann")
        memory.end(session, f"Remember: we decided that {session} goes to York for good", "I will")
    memory.follow()
    episodes = [f"ep-{row['id']}" for row in memory.rows(episodes_pk("ann")) if "importance" in row]
    report = sweep(memory.app)
    assert report.summary["orphans"] == {"looked_at": 2, "flagged": len(episodes)}
    assert report.flagged == {"orphans": episodes}
    conclude(memory.app, "ann", "Often decides", sources=episodes[:1])
    conclude(memory.app, "bob", "Often decides", sources=episodes)
    report = sweep(memory.app)
    assert report.summary["orphans"] == {"looked_at": 2, "flagged": 1}
    assert memory.app.maintenance.runs.report(LOCAL, report.timestamp).flagged == {"orphans": episodes[1:]}


def test_agtos_gives_the_importance_of_orphans_in_points():
    assert load({"orphanImportanceThreshold": "5"}).knowledge.orphan_importance == 0.5
    assert load({}).knowledge.orphan_importance == 0.3


def test_a_day_merges_no_more_into_one_than_one_transaction_and_one_undo_can_have(app, clock):
    for number in range(60):
        conclude(app, "ann", "Often runs by the river" + " " * number)
    for number in range(240):
        conclude(app, "ann", f"Likes {number}a {number}b {number}c")
    conclude(app, "bob", "Often runs by the river")
    rows = KnowledgeRows(app.stores.table).read(LOCAL, "ann").conclusions
    assert len(rows) == 300
    tended = merge_redundant(rows, app.clock.now_us(), Thresholds())
    (change,) = tended.changes
    assert (len(change.after), tended.waiting) == (41, 19)
    sweep(app)
    (run,) = app.knowledge.consolidations.listed(LOCAL, "ann", 1)
    assert app.knowledge.consolidations.undo(LOCAL, "ann", run.id).restored == 1
    assert len(known(app, "ann")) == 300
    assert len(known(app, "bob")) == 1
