"""The text of memories in prompts: passages that answer, titles, blocks and budgets."""

import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from strata.adapters.static_embeddings import StaticEmbeddings
from strata.domain.assembly.budget import by_characters, fitting
from strata.domain.assembly.items import Remembered
from strata.domain.assembly.passages import Passages
from strata.domain.assembly.prompt import LAYERS, as_text
from strata.domain.assembly.titles import titled
from strata.domain.retrieval import Method
from strata.domain.text.sentences import WRITTEN_ENDS, sentences

NOW = 1_767_225_600_000_000
LEXICON = StaticEmbeddings()

NOTE = """The nightly job copies the archive. It runs on the small machine in the cellar.

Dr. Weber asked for it, e.g. for audits. It starts at 2.30 and takes an hour.
The password of the archive is in the vault. Bills go to the office in Ghent.
The job was moved in May because the old machine was too loud. Nobody has complained since then.
"""


def memory(content="SQLite runs in WAL mode", layer="observations", **fields) -> Remembered:
    usual: dict[str, Any] = {"id": 7, "order": NOW, "type": "decision", "project": "shop"}
    return Remembered(layer=layer, content=content, **(usual | fields))


# --- passages -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("when does the nightly job start?", "It starts at 2.30 and takes an hour."),
        ("where do the invoices go?", "Bills go to the office in Ghent."),
        ("why was it moved?", "The job was moved in May because the old machine was too loud."),
    ],
)
def test_the_sentences_that_answer_are_given_of_a_long_memory(query, answer):
    passage = Passages(query, LEXICON).of(NOTE, 180)
    assert answer in passage
    assert "…" in passage
    assert len(passage) <= 180


def test_without_a_query_the_beginning_is_given():
    assert Passages("", LEXICON).of(NOTE, 90) == (
        "The nightly job copies the archive. It runs on the small machine in the cellar. …"
    )


def test_a_memory_that_fits_is_given_whole_with_its_lines_and_without_blank_ones():
    assert Passages("job", LEXICON).of("one\n\n  two  \n\n\nthree\n", 40) == "one\n  two\nthree"


def test_half_a_block_of_code_opens_none():
    note = "Run it like this.\n```sh\nmake archive\n```\n" + "It is quiet in the cellar at night. " * 20
    assert Passages("how is the archive made?", LEXICON).of(note, 90).count("```") % 2 == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ask Dr. Weber. He knows v1.2 of app.py!", ["Ask Dr. Weber.", "He knows v1.2 of app.py!"]),
        ("Am 3. Mai, z.B. um 8. Gut?", ["Am 3. Mai, z.B. um 8. Gut?"]),
        ("先试运行。再部署！好吗？", ["先试运行。", "再部署！", "好吗？"]),  # noqa: RUF001
        ('He said "no." Then left', ['He said "no."', "Then left"]),
    ],
)
def test_sentences_end_where_a_reader_sees_their_end(text, found):
    said = [text[each.start : each.end] + each.mark for each in sentences(text, WRITTEN_ENDS)]
    assert [each.strip() for each in said] == found


WORDS = ["archive", "job", "Ghent", "cellar", "e.g.", "2.30", "bills", "the", "档案", "noche", "über"]
SENTENCE = st.builds(
    lambda said, mark: " ".join(said) + mark,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=60),
    st.sampled_from(".!?。\n"),
)
TEXT = st.lists(SENTENCE, min_size=1, max_size=12).map(" ".join)


@settings(max_examples=60, deadline=None)
@example(text=" ".join(["archive archive archive archive archive."] * 2), query="", runes=40)
@given(TEXT, st.sampled_from(["", "bills archive", "cellar", "档案"]), st.integers(20, 400))
def test_a_passage_fits_and_breaks_off_only_at_an_ellipsis(text, query, runes):
    passage = Passages(query, LEXICON).of(text, runes)
    assert len(passage) <= runes
    plain = " ".join(text.split())
    for part in filter(None, (" ".join(each.split()) for each in passage.split("…"))):
        assert part in plain
        assert f" {part} " in f" {plain} " or part[-1] in ".!?。" or part[-1] > "\u2e80"
    if passage and plain != " ".join(passage.split()):
        assert "…" in passage


# --- titles ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "content", "said"),
    [
        ("Storage", "SQLite", "[decision] Storage: SQLite"),
        ("", "SQLite", "[decision] SQLite"),
        ("Locks are needed", "Locks are needed. For an hour.", "[decision] Locks are needed. For an hour."),
        ("the  LOCK is needed", "**The lock is needed**", "[decision] **The lock is needed**"),
        (f"{'long ' * 9}ti", f"{'long ' * 9}title.", f"[decision] {'long ' * 9}title."),
        ("Ann", "Annoying things", "[decision] Ann: Annoying things"),
        ("Ann", "I saw Ann", "[decision] Ann: I saw Ann"),
        ("Deploys need it", "Since May deploys need it.", "[decision] Since May deploys need it."),
    ],
)
def test_a_title_is_given_once(title, content, said):
    assert titled("decision", title, content) == said


# --- blocks and budgets ---------------------------------------------------------------------------


def test_an_entry_has_type_title_text_id_date_and_relevance_and_names_another_project():
    asked = memory(title="Journal", relevance=0.5, method=Method.HYBRID)
    assert as_text([asked, memory("Deploys\nneed a lock", id=8, project="till")], "shop") == (
        "<memory:context>\n"
        "- [decision] Journal: SQLite runs in WAL mode (id 7, 2026-01-01, relevance 0.50)\n"
        "- [decision] Deploys\n  need a lock\n  (id 8, project till, 2026-01-01)\n"
        "</memory:context>\n"
    )


def test_each_layer_has_its_block_and_the_most_relevant_comes_first():
    text = as_text(
        [
            memory("Storage", id=1, relevance=0.2),
            memory("Harbour", id=2, relevance=0.9),
            memory("Ann likes tea", "facts", id="f-1", type="taste"),
            memory("Painted the fence", "sessions", id="s1", type="session"),
        ],
        "shop",
    )
    assert text == (
        "<memory:facts>\n- [taste] Ann likes tea (id f-1, 2026-01-01)\n</memory:facts>\n"
        "<memory:sessions>\n- Painted the fence (id s1, 2026-01-01)\n</memory:sessions>\n"
        "<memory:context>\n- [decision] Harbour (id 2, 2026-01-01)\n- [decision] Storage (id 1, 2026-01-01)\n"
        "</memory:context>\n"
    )
    assert as_text([]) == ""


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(LAYERS), st.text(max_size=80), st.text(max_size=20)), max_size=20),
    st.integers(1, 300),
)
def test_the_text_never_passes_its_budget_and_no_memory_ends_its_block(said, budget):
    items = [memory(text, layer, id=number, title=title) for number, (layer, text, title) in enumerate(said)]
    chosen = fitting([(item, 0.5) for item in items], budget, by_characters, Passages("tea", LEXICON), "shop")
    text = as_text([each.item for each in chosen], "shop")
    assert by_characters(text) <= budget
    assert len(re.findall(r"(?i)</?memory:", text)) == 2 * len({each.item.layer for each in chosen})
    assert all(row.startswith(("- ", "  ", "<memory:", "</memory:")) for row in text.splitlines())


@settings(max_examples=60, deadline=None)
@given(TEXT, st.integers(1, 12), st.integers(15, 400))
def test_a_title_that_begins_its_text_is_in_no_prompt_twice(text, length, budget):
    title = " ".join(text.split()[:length])
    item = memory(text, title=title)
    for each in fitting([(item, 0.9)], budget, by_characters, Passages("bills", LEXICON), "shop"):
        prompt = as_text([each.item], "shop")
        assert by_characters(prompt) <= budget
        assert f"{title}: {title}" not in " ".join(prompt.split())
