"""Contradicting conclusions: one stays, the other is kept as superseded, and one event tells it."""

from pathlib import Path

import pytest

from strata.bootstrap import Application, Overrides
from strata.domain.errors import Unavailable
from strata.domain.scope import Scope
from strata.domain.times import DAY
from strata.services.knowledge.person import KnowledgeRows
from strata.services.knowledge.sweeping import CONTRADICTIONS
from support.clocks import HandClock
from support.memory import LOCAL, application
from support.swept import Announced, Encoder, Judging, conclude, known, sweep

ACME = Scope("acme")


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def announced() -> Announced:
    return Announced()


@pytest.fixture
def app(tmp_path: Path, clock: HandClock, announced: Announced) -> Application:
    return application(tmp_path, clock, Overrides(announcer=announced))


def hidden(app: Application, owner: str, scope: Scope = LOCAL) -> dict[str, str]:
    """The reasons for which conclusions are hidden, by text."""
    rows = KnowledgeRows(app.stores.table).read(scope, owner).conclusions.values()
    return {row["text"]: row["hidden"]["reason"] for row in rows if "hidden" in row}


def test_the_newer_of_two_contradicting_conclusions_stays_and_one_event_tells_it(app, clock, announced):
    conclude(app, "ann", "The band rehearses on 8 June", "Likes purple")
    conclude(app, "bob", "Loves cilantro")
    conclude(app, "bob", "The dog is called Rex", scope=ACME)
    clock.forward(DAY)
    conclude(app, "ann", "The band rehearses on 18 June", "Likes cyan")
    conclude(app, "bob", "Loves cilantro soup")
    conclude(app, "bob", "The dog is called Bruno", scope=ACME)

    report = sweep(app)
    sweep(app)

    assert hidden(app, "ann") == {"The band rehearses on 8 June": "newer"}
    assert set(known(app, "ann")) == {"The band rehearses on 18 June", "Likes purple", "Likes cyan"}
    assert hidden(app, "bob") == {} == hidden(app, "bob", ACME)
    assert len(known(app, "bob")) == 2
    assert [each.detail["userId"] for each in announced.events] == ["ann"]
    counts = report.summary[CONTRADICTIONS]
    assert (counts["confirmed"], counts["announced"], counts["removed"]) == (1, 1, 1)
    assert {"candidatePairs", "nliEvaluated", "nliCacheHits", "nliContradictions", "judgeEvaluated"} <= set(
        counts
    )
    assert {"candidateMs", "nliMs", "judgeMs"} <= set(counts)

    sweep(app, ACME)
    assert hidden(app, "bob", ACME) == {"The dog is called Rex": "newer"}
    assert [each.tenant for each in announced.events] == ["local", "acme"]


def test_an_order_that_comes_twice_announces_nothing_again(app, clock, announced):
    conclude(app, "ann", "The rent is 900 euros", "The rent is 950 euros")
    sweep(app)
    run = KnowledgeRows(app.stores.table).read(LOCAL, "ann", runs=True).runs[-1]
    pipeline = app.knowledge.contradictions
    for _ in range(2):
        pipeline.run(LOCAL, "ann", run["at"])

    assert len(announced.events) == 1


def test_an_event_that_nobody_took_is_sent_by_the_next_sweep(app, clock, announced):
    announced.refusals = 1
    conclude(app, "ann", "The rent is 900 euros", "The rent is 950 euros")
    report = sweep(app, failing=True)
    assert CONTRADICTIONS in report.errors
    assert len(hidden(app, "ann")) == 1

    clock.forward(DAY)
    sweep(app)

    assert len(announced.events) == 1


def test_undone_supersession_is_not_repeated(app, clock, announced):
    conclude(app, "ann", "The choir rehearses at 7 pm", "The choir rehearses at 8:30 pm")
    sweep(app)
    assert len(known(app, "ann")) == 1
    run = next(
        each
        for each in app.knowledge.consolidations.listed(LOCAL, "ann", 10)
        if each.outcome == CONTRADICTIONS
    )

    app.knowledge.consolidations.undo(LOCAL, "ann", run.id)
    sweep(app)

    assert len(known(app, "ann")) == 2
    assert len(announced.events) == 1


def test_conclusions_of_other_borders_are_not_compared(app):
    conclude(app, "ann", "The rent is 900 euros", agents=["a"])
    conclude(app, "ann", "The rent is 950 euros", agents=["b"])
    conclude(app, "ann", "The rent is 970 euros", projects=["p"])

    sweep(app)

    assert hidden(app, "ann") == {}


def test_a_dry_run_counts_and_changes_nothing(app, announced):
    conclude(app, "ann", "The rent is 900 euros", "The rent is 950 euros")

    report = sweep(app, dry=True)

    assert report.summary[CONTRADICTIONS]["confirmed"] == 1
    assert (len(known(app, "ann")), announced.events) == (2, [])


def test_what_was_compared_is_not_compared_again_and_what_is_new_is(app, clock):
    encoder = Encoder("harbour")
    app = app.with_overrides(entailment=encoder)
    conclude(app, "ann", "Often sails on Sundays", "Often sails in the bay of Gijon", "Often sails alone")
    conclude(app, "bob", "Moors at the old harbour", "Sails from the harbour in Gijon")
    sweep(app)
    assert (len(known(app, "ann")), len(known(app, "bob"))) == (3, 1)
    assert len(encoder.asked) == 2 * (3 + 1)

    encoder.asked.clear()
    conclude(app, "ann", "Sails with an oboe")
    clock.forward(DAY)
    counts = sweep(app).summary[CONTRADICTIONS]

    assert 1 <= counts["candidatePairs"] == counts["nliEvaluated"] <= 3
    assert all("Sails with an oboe" in pair for pair in encoder.asked)


def test_another_judge_compares_all_again_with_the_verdicts_of_the_cross_encoder_for_thirty_days(app, clock):
    encoder = Encoder("sails")
    app = app.with_overrides(entailment=encoder, language_model=Judging(None))
    conclude(app, "ann", "Often sails on Sundays", "Often sails alone")
    conclude(app, "bob", "Often sails on Sundays", "Often sails alone", "Often sails far")
    sweep(app)
    asked = len(encoder.asked)
    for days, hits in ((20, 4), (11, 0)):
        conclude(app, "ann", f"Plays the oboe {days}", scope=ACME)
        clock.forward(days * DAY)
        for owner in ("ann", "bob"):
            app.knowledge.sweep.take_up(LOCAL, owner, app.clock.now_us())
        now = app.clock.now_us()
        found = [app.knowledge.contradictions.run(LOCAL, owner, now) for owner in ("ann", "bob")]
        assert sum(each["nliCacheHits"] for each in found) == hits
        assert sum(each["unjudged"] for each in found) == 4
    assert len(encoder.asked) == 2 * asked


def test_the_events_that_were_sent_before_one_failed_are_not_sent_again(app, clock, announced):
    conclude(app, "ann", "The rent is 900 euros", "The dog is called Rex")
    clock.forward(DAY)
    conclude(app, "ann", "The rent is 950 euros", "The dog is called Bruno")
    send, tries = announced.announce, []

    def second_fails(event):
        tries.append(event.id)
        if len(tries) == 2:
            raise Unavailable("nobody listens")
        send(event)

    announced.announce = second_fails
    sweep(app, failing=True)
    assert len(announced.events) == 1
    clock.forward(DAY)
    sweep(app)

    assert len(tries) == 3
    assert {each.detail["supersededId"] for each in announced.events} == {
        "ann-The rent is 900 euros",
        "ann-The dog is called Rex",
    }


def test_the_judge_has_the_last_word_and_is_shown_ten_pairs_at_a_time(tmp_path, clock, announced):
    def relations(pairs):
        return [
            {
                "id": each["id"],
                "relation": "contradicts" if "tea" in each["first"] + each["second"] else "differs",
            }
            for each in pairs
        ]

    model = Judging(relations)
    app = application(tmp_path, clock, Overrides(announcer=announced, language_model=model))
    conclude(app, "ann", *(f"Owns {each} boats" for each in ("two", "three", "four", "five", "six")))
    conclude(app, "ann", "Drinks tea at breakfast", "Only ever drinks water at breakfast", sources=["e1"])

    report = sweep(app)

    assert all(len(each["pairs"]) <= 10 for each in model.questions)
    assert len(model.questions) > 1
    assert (
        report.summary[CONTRADICTIONS]["judgeEvaluated"] == report.summary[CONTRADICTIONS]["candidatePairs"]
    )
    assert all("boats" in text or "breakfast" in text for text in known(app, "ann"))
    assert len([text for text in known(app, "ann") if "boats" in text]) >= 4


@pytest.mark.parametrize(
    "told",
    [
        None,
        [],
        [{"id": "p9000", "relation": "contradicts"}],
        [{"id": "p1", "relation": "contradicts"}, {"id": "p1", "relation": "differs"}],
    ],
)
def test_an_unusable_answer_of_the_judge_changes_nothing_and_is_counted(tmp_path, clock, announced, told):
    app = application(tmp_path, clock, Overrides(announcer=announced, language_model=Judging(told)))
    conclude(app, "ann", "The rent is 900 euros", "The rent is 950 euros")

    report = sweep(app)

    assert report.summary[CONTRADICTIONS]["unjudged"] == 1
    assert (len(known(app, "ann")), announced.events) == (2, [])


def test_a_cross_encoder_that_fails_is_told_by_the_report_and_changes_nothing(app, clock, announced):
    broken = app.with_overrides(entailment=Encoder(fails=True))
    conclude(broken, "ann", "The rent is 900 euros", "The rent is 950 euros")
    report = sweep(broken, failing=True)
    assert "ModelFailed" in report.errors[CONTRADICTIONS]
    assert (len(known(broken, "ann")), announced.events) == (2, [])

    clock.forward(DAY)
    sweep(app)

    assert len(known(app, "ann")) == 1
    assert len(announced.events) == 1


def test_a_run_waits_for_a_model_in_the_background_only_where_somebody_is_due(app, clock):
    app = app.with_overrides(entailment=Encoder("harbour"))
    conclude(app, "bob", "The dog is called Rex", scope=ACME)
    clock.forward(DAY)

    def begun(scope: Scope, *, dry: bool = False) -> str:
        clock.forward(0.002)
        return app.maintenance.sweeper.run_now(scope, lambda: True, dry=dry).status

    assert begun(LOCAL) == "done"
    assert begun(ACME, dry=True) == "running"
    assert begun(ACME) == "running"
