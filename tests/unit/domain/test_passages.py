"""Passages of tables and code: whole rows beneath the names of their columns, and fences that are closed."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.adapters.static_embeddings import StaticEmbeddings
from strata.domain.assembly.passages import Passages

LEXICON = StaticEmbeddings()
SERVICES = ["auth", "billing", "gateway", "mailer", "search", "uploads", "reports", "archive"]
ROWS = [
    f"| {name} | 80{place}0 | team {place}. Ask them first. |" for place, name in enumerate(SERVICES, start=1)
]
HEAD = "| Service | Port | Owner |\n|---------|:----:|-------|"
TABLE = "\n".join([HEAD, *ROWS])
QUIET = "It is quiet in the cellar at night. " * 20
CODE = """```python
def backup(target):
    connect(target)
    copy_archive(target, days=30)
    if not target.ready:
        raise NotReady(target)
    return target
```"""


def passage(query: str, text: str, runes: int) -> str:
    return Passages(query, LEXICON).of(text, runes)


def test_a_row_is_given_whole_beneath_the_row_that_names_its_columns():
    given = passage("which port has the mailer?", f"{QUIET}\n{TABLE}\n{QUIET}", 160)
    assert f"{HEAD}\n…\n{ROWS[3]}" in given
    assert {line for line in given.split("\n") if line.startswith("|")} <= {*HEAD.split("\n"), *ROWS}


def test_rows_side_by_side_stand_beneath_each_other():
    given = passage("which port has auth?", TABLE, 180)
    assert given.startswith(f"{HEAD}\n{ROWS[0]}\n")
    assert given.endswith("\n…")


def test_a_row_goes_without_the_names_of_its_columns_where_both_do_not_fit():
    given = passage("which port has the mailer?", f"{QUIET}\n{TABLE}\n{QUIET}", 60)
    assert given == f"…\n{ROWS[3]}\n…"


def test_a_row_of_another_table_has_its_own_head():
    other = "Who | Since\n--- | ---\nAnn | May\nBob | June"
    given = passage("since when is Bob there?", f"{TABLE}\n\n{QUIET}\n\n{other}\n\n{QUIET}", 60)
    assert "Who | Since\n--- | ---\n" in given
    assert "Bob | June" in given
    assert HEAD not in given


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_lines_of_code_stand_between_the_fences_of_their_block(fence):
    code = CODE.replace("```", fence)
    given = passage("how many days does copy_archive keep?", f"{QUIET}\n{code}\n{QUIET}", 64)
    assert given == f"…\n{fence}python\n…\n    copy_archive(target, days=30)\n…\n{fence}\n…"


def test_a_line_of_code_goes_without_fences_where_they_do_not_fit():
    given = passage("how many days does copy_archive keep?", f"{QUIET}\n{CODE}\n{QUIET}", 42)
    assert given == "…\n    copy_archive(target, days=30)\n…"


def test_text_between_two_blocks_of_code_is_no_code():
    text = f"{CODE}\nThe mailer waits for the archive.\n{CODE}\n{QUIET}"
    given = passage("what does the mailer wait for?", text, 200)
    before = given.partition("The mailer waits")[0]
    assert before.count("```") % 2 == 0


def test_a_block_that_is_never_closed_is_closed():
    given = passage("copy_archive", f"{QUIET}\n{CODE.removesuffix('```')}{QUIET}", 90)
    assert given.count("```") == 2


def is_open(text: str) -> bool:
    opened = ""
    for mark, rest in re.findall(r"^\s*(```|~~~)(.*)", text, re.MULTILINE):
        opened = opened if opened and (mark != opened or rest.strip()) else "" if opened else mark
    return bool(opened)


PART = st.sampled_from(
    [TABLE, CODE, CODE.replace("```", "~~~"), QUIET, "Ann keeps the port.", "| a | b |", "```"]
)


@settings(max_examples=80, deadline=None)
@given(
    st.lists(PART, min_size=1, max_size=6).map("\n".join),
    st.sampled_from(["", "archive port", "mailer", "days ready"]),
    st.integers(30, 500),
)
def test_whatever_is_cut_fits_and_has_whole_rows_and_closed_fences(text, query, runes):
    given_text = passage(query, text, runes)
    assert len(given_text) <= runes
    if given_text != passage(query, text, len(text)):
        assert not is_open(given_text)
    rows = {*HEAD.split("\n"), *ROWS, "| a | b |"}
    cut = given_text.endswith("…") and given_text.count("\n") == 0
    assert cut or {line for line in given_text.split("\n") if line.startswith("|")} <= rows
