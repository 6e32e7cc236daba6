"""The labelled stores and queries hold together, and are as many as the guide beside them says."""

from collections import Counter
from dataclasses import replace
from datetime import date
from itertools import product

import pytest
from evals.relevance.examples import (
    APART,
    DEVELOPMENT,
    KEPT,
    LANGUAGES,
    LEARNT,
    LONG,
    OWN,
    PARAPHRASED,
    QUERIES,
    ROWS,
    Query,
    Row,
    check,
    load,
    query,
    row,
)

NOTE = Row("n-1", "en", "note", "quay", date(2025, 1, 2), "Tickets are blue.")
TURN = Row("t-1", "en", "turn", "talk", date(2025, 1, 2), "Hi", speaker="Bo", session=1)
ASKED = Query("q-1", "en", "answerable", "which colour?", "quay", frozenset({"n-1"}))


def test_a_line_becomes_a_row():
    line = (
        '{"id": "t-1", "lang": "es", "kind": "turn", "project": "p", "at": "2025-01-02", "session": 2, '
        '"speaker": "Eva", "text": "Sí"}'
    )
    assert row(line) == Row("t-1", "es", "turn", "p", date(2025, 1, 2), "Sí", speaker="Eva", session=2)


def test_a_line_becomes_a_query():
    line = '{"id": "q", "lang": "en", "kind": "answerable", "project": "p", "text": "?", "helps": ["a", "b"]}'
    assert query(line) == Query("q", "en", "answerable", "?", "p", frozenset({"a", "b"}))


@pytest.mark.parametrize(
    ("asked", "fitting"),
    [
        (ASKED, [True, False]),
        (Query("q", "en", "elsewhere", "blue?", "quay"), [False, True]),
        (Query("q", "en", "small_talk", "ok"), [True, True]),
    ],
)
def test_a_query_fits_the_projects_its_label_holds_for(asked, fitting):
    assert [asked.fits("quay"), asked.fits("talk")] == fitting


@pytest.mark.parametrize(
    ("rows", "queries", "said"),
    [
        ([NOTE, NOTE], [], "n-1: the id stands twice"),
        ([NOTE, TURN], [ASKED, ASKED], "q-1: the id stands twice"),
        ([Row("n", "fr", "note", "p", date(2025, 1, 2), "x")], [], "language fr"),
        ([Row("n", "en", "page", "p", date(2025, 1, 2), "x")], [], "kind page"),
        ([NOTE, Row("t", "en", "turn", "quay", date(2025, 1, 2), "x")], [], "holds notes and turns"),
        (
            [NOTE, TURN],
            [Query("q", "en", "answerable", "?", "quay", frozenset({"t-1"}))],
            "of quay: t-1",
        ),
        ([NOTE], [Query("q", "es", "answerable", "?", "quay", frozenset({"n-1"}))], "does not fit"),
        ([NOTE], [Query("q", "en", "small_talk", "ok", "quay")], "does not fit"),
        ([NOTE], [Query("q", "en", "elsewhere", "?")], "does not fit"),
        ([NOTE], [Query("q", "en", "answerable", "?", "quay")], "rows that help"),
        ([NOTE], [replace(ASKED, answer="They are red.")], "no row that helps holds its answer"),
        ([NOTE], [Query("q", "en", "general", "?", helps=frozenset({"n-1"}))], "rows that help"),
    ],
)
def test_examples_that_do_not_hold_together_are_refused(rows, queries, said):
    with pytest.raises(ValueError, match=said):
        check(rows, queries)


@pytest.mark.parametrize(("part", "least"), [(DEVELOPMENT, 50), (KEPT, 25), (["kept2"], 24)])
def test_every_part_has_enough_of_each_kind_for_a_figure_with_an_interval(part, least):
    found = load(part)
    counted = Counter((each.language, each.kind) for each in found.queries)
    assert set(counted) == set(product(LANGUAGES, set(QUERIES) - {"missing"}))
    assert {key: number for key, number in counted.items() if number < least} == {}


def test_no_text_stands_twice_and_each_is_trimmed_and_not_empty():
    found = load([*DEVELOPMENT, *PARAPHRASED, *OWN, *LONG, *APART, *LEARNT])
    texts = [(each.language, each.text) for each in found.rows if each.kind == "note"]
    texts += [(each.language, each.text) for each in found.queries]
    assert [text for text, number in Counter(texts).items() if number > 1] == []
    assert [text for _, text in texts if not text or text != text.strip()] == []


@pytest.mark.parametrize("part", APART)
def test_what_is_kept_is_about_projects_and_speakers_of_its_own(part):
    known, kept = load(DEVELOPMENT), load([part])
    for language in LANGUAGES:
        assert known.projects(language).keys().isdisjoint(kept.projects(language))
        assert {rows[0].kind for rows in kept.projects(language).values()} == set(ROWS)
        speakers = [{each.speaker for each in part.rows if each.kind == "turn"} for part in (known, kept)]
        assert speakers[0].isdisjoint(speakers[1])


def test_sixty_questions_are_about_the_project_itself():
    own = load(OWN)
    assert Counter(each.project for each in own.queries) == {"strata-history": 30, "strata-handbook": 30}
    assert {each.kind for each in own.queries} == {"answerable"}


def test_thirty_long_notes_have_questions_with_the_part_that_answers():
    long = load(LONG)
    assert len(long.rows) >= 30
    assert {each for asked in long.queries for each in asked.helps} == {each.id for each in long.rows}
    assert all(asked.answer for asked in long.queries)
    assert {each.language for each in long.rows} == set(LANGUAGES)
