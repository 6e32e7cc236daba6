"""Filters: the rule for rows, and how they are read from the wire."""

import pytest
from pydantic import ValidationError

from strata.domain.filters import Filters, MetadataIs
from strata.domain.times import DAY
from strata.domain.wire.filters import OwnedFilters

NOW = 1_800_000_000_000_000
ROW = {
    "user_id": "ann",
    "agent_id": "coder",
    "session_id": "s1",
    "tags": ["deploy", "CI"],
    "created_at": 100,
    "updated_at": 200,
    "metadata": {"env": "prod", "path": "src/api/main.py", "line": 12, "draft": False},
}
BARE = {"session_id": "s2", "created_at": 100, "updated_at": 100}


@pytest.mark.parametrize(
    ("filters", "admits", "admits_bare"),
    [
        (Filters(), True, True),
        (Filters(user_id="ann"), True, False),
        (Filters(user_id="Ann"), False, False),
        (Filters(agent_id="coder"), True, False),
        (Filters(agent_id="other"), False, False),
        (Filters(session_id="s2"), False, True),
        (Filters(tags_any=("x", "CI")), True, False),
        (Filters(tags_any=("ci",)), False, False),
        (Filters(tags_all=("CI", "deploy")), True, False),
        (Filters(tags_all=("CI", "x")), False, False),
        (Filters(created_after=100), True, True),
        (Filters(created_after=101), False, False),
        (Filters(created_before=100), False, False),
        (Filters(created_before=101), True, True),
        (Filters(updated_after=101), True, False),
        (Filters(updated_before=200), False, True),
        (Filters(metadata=(MetadataIs("env", "prod"),)), True, False),
        (Filters(metadata=(MetadataIs("env", "pro"),)), False, False),
        (Filters(metadata=(MetadataIs("path", "src/api", prefix=True),)), True, False),
        (
            Filters(metadata=(MetadataIs("path", "", prefix=True), MetadataIs("none", "", prefix=True))),
            False,
            False,
        ),
        (Filters(metadata=(MetadataIs("line", "12"), MetadataIs("draft", "false"))), True, False),
        (Filters(user_id="ann", tags_any=("deploy",), created_before=50), False, False),
    ],
)
def test_a_row_passes_what_all_filters_admit(filters, admits, admits_bare):
    assert (filters.admits(ROW), filters.admits(BARE)) == (admits, admits_bare)
    assert bool(filters) == (filters != Filters())


@pytest.mark.parametrize(
    ("given", "moment"),
    [
        ("7d", NOW - 7 * DAY * 1_000_000),
        ("90m", NOW - 90 * 60 * 1_000_000),
        ("2 w", NOW - 14 * DAY * 1_000_000),
        ("999999999w", 0),
        ("2026-11-01", 1_793_491_200_000_000),
        ("2026-11-01T02:00:00+02:00", 1_793_491_200_000_000),
        ("2026-11-01T00:00:00.000001Z", 1_793_491_200_000_001),
    ],
)
def test_a_time_is_a_date_a_moment_or_an_age(given, moment):
    assert OwnedFilters(created_after=given).at(NOW) == Filters(created_after=moment)
    assert OwnedFilters(updated_before=given).at(NOW) == Filters(updated_before=moment)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("created_after", "yesterday", "ISO 8601"),
        ("created_before", "-7d", "ISO 8601"),
        ("updated_after", "7y", "ISO 8601"),
        ("updated_before", "1200-01-01", "between 1970 and 2255"),
        ("updated_before", "1" * 41, "at most 40 characters"),
        ("tags_any", ",".join("abcdefghijklmnopqrstu"), "at most 20 items"),
        ("tags_all", "x" * 101, "at most 100 characters"),
        ("tags_all", "[1, 2]", "valid string"),
        ("tags_all", '["a"', "JSON list"),
        ("user_id", "x" * 201, "at most 200 characters"),
        ("session_id", "a\nb", "control characters"),
        ("user_id", "  ", "must not be blank"),
        ("agent_id", "\t", "must not be blank"),
    ],
)
def test_a_bad_filter_is_refused_by_its_name_and_limit(field, value, told):
    with pytest.raises(ValidationError) as refused:
        OwnedFilters.model_validate({field: value})
    (problem,) = {(each["loc"][0], told in each["msg"]) for each in refused.value.errors()}
    assert problem == (field, True)


def test_tags_stand_between_commas_or_in_a_list_and_blanks_are_no_filter():
    asked = OwnedFilters(tags_any="a, b,", tags_all='["a,b"]', user_id="", created_after=" ")
    assert asked.at(NOW) == Filters(tags_any=("a", "b"), tags_all=("a,b",))
    assert OwnedFilters(tags_any=["a,b"], tags_all=" , ").at(NOW) == Filters(tags_any=("a,b",))
