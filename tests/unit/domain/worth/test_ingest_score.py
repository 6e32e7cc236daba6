"""The points of an answer that may be worth keeping."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from strata.domain.worth.ingest_score import KEPT_FROM, importance, points, synthetic

TABLE = "| name | price |\n| --- | ---: |\n| a | 1 |"


@pytest.mark.parametrize(
    ("response", "tools", "steps", "total"),
    [
        ("Noon.", False, 0, 4),
        ("Noon.", False, 1, 4),
        ("Noon.", False, 2, 6),
        ("Noon.", True, 0, 7),
        ("Noon.", True, 3, 9),
        ("x" * 500, False, 0, 4),
        ("x" * 501, False, 0, 5),
        ("x" * 1000, False, 0, 5),
        ("x" * 1001, False, 0, 6),
        ("Tea compared to coffee.", False, 0, 5),
        ("Compared to " + "x" * 600, False, 0, 6),
        ("The trade-offs: " + "x" * 1200, True, 5, 12),
    ],
)
def test_points_are_those_of_the_table(response, tools, steps, total):
    assert points(response, tools=tools, steps=steps) == total


@pytest.mark.parametrize(
    "response",
    [
        "Tea is cheap compared to coffee.",
        "There are trade-offs.",
        "The analysis shows a rise.",
        "Pros and cons follow.",
        "On the one hand it is quick.",
        TABLE,
        "name | price\n--- | ---\na | 1",
        "|---|\n",
        "En comparación con el café es barato.",
        "El análisis muestra una subida.",
    ],
)
def test_comparing_weighing_concluding_and_tables_are_synthesis(response):
    assert synthetic(response)


@pytest.mark.parametrize(
    "response", ["It is noon.", "Above\n---\nbelow", "a - b", "He traded off.", "----", "| a | b |", ""]
)
def test_plain_answers_and_rules_are_not(response):
    assert not synthetic(response)


def test_points_are_tenths_of_importance_and_never_more_than_all():
    assert [importance(each) for each in (4, 6, 10, 12)] == [0.4, 0.6, 1.0, 1.0]


@given(st.text(max_size=1500), st.booleans(), st.integers(0, 10))
def test_tools_steps_and_length_never_lower_the_points(response, tools, steps):
    total = points(response, tools=tools, steps=steps)
    assert 4 <= total <= 12
    assert points(response, tools=True, steps=steps) >= total
    assert points(response, tools=tools, steps=steps + 1) >= total
    assert points(response + "x" * 1001, tools=tools, steps=2) >= KEPT_FROM


@pytest.mark.parametrize(
    "text", ["-" * 100_000, "|-" * 50_000, "| -- " * 20_000 + "x", " " * 100_000, "--|" * 30_000 + "x"]
)
def test_hostile_text_takes_no_time(text):
    assert points(text, tools=False, steps=0) >= 4
