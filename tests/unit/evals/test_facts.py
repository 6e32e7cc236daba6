"""Facts are measured as the guide beside the examples says, and the examples are balanced as it says."""

import re
import sys
from collections import Counter
from types import ModuleType

import pytest
from evals.facts import __main__ as command
from evals.facts.examples import CATEGORIES, DEVELOPMENT, KEPT, Example, example, load
from evals.facts.measure import Score, fold, judge, misses, pairs, score, table, token_f1
from hypothesis import given
from hypothesis import strategies as st

WORDS = st.lists(st.sampled_from(["tea", "green", "oolong", "the"]), min_size=1, max_size=4).map(" ".join)
FACTS = st.lists(st.tuples(st.sampled_from(["preference", "dislike"]), WORDS), max_size=5)


def turn(text: str, *facts: tuple[str, str], language: str = "en") -> Example:
    return Example("t-01", language, text, facts)


def judged(said, *labelled, language: str = "en"):
    return judge(lambda text: said, turn("I drink tea", *labelled, language=language))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("Marta", ["marta"]),
        ("  IÑAKI, Peña ", ["inaki", "pena"]),
        ("nurse at a children's hospital", ["nurse", "at", "childrens", "hospital"]),
        ("the cat\N{RIGHT SINGLE QUOTATION MARK}s bowl", ["cats", "bowl"]),
        ("14 March: birthday", ["14", "march", "birthday"]),
        ("Cuenca (la de Ecuador)", ["cuenca", "de", "ecuador"]),
        ("snake_case", ["snake", "case"]),
        ("The The", ["the", "the"]),
        ("…", []),
    ],
)
def test_values_are_folded_to_the_words_that_matter(value, words):
    assert fold(value) == words


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("birthday 14 March", "14 March: birthday", 1.0),
        ("Galway", "near Galway", pytest.approx(2 / 3)),
        ("tea tea", "tea", pytest.approx(2 / 3)),
        ("tea", "coffee", 0.0),
        ("", "", 0.0),
    ],
)
def test_likeness_is_the_f1_of_the_words(one, other, alike):
    assert token_f1(one, other) == alike


@given(WORDS, WORDS)
def test_likeness_is_mutual_and_whole_only_for_the_same_words(one, other):
    assert token_f1(one, other) == token_f1(other, one)
    assert (token_f1(one, other) == 1.0) == (Counter(fold(one)) == Counter(fold(other)))


def test_a_likeness_of_exactly_the_threshold_is_right():
    labelled = ("role", "head of data platform team")
    assert token_f1("head of data for sales", labelled[1]) == 0.6
    assert judged([("role", "head of data for sales")], labelled).right
    assert not judged([("role", "head of data for all sales")], labelled).right


def test_the_right_value_in_another_category_is_wrong_and_missed():
    found = judged([("dislike", "tea")], ("preference", "tea"))
    assert (found.right, found.wrong, found.missed) == ((), (("dislike", "tea"),), (("preference", "tea"),))


def test_a_fact_told_twice_is_right_once():
    found = judged([("preference", "tea"), ("preference", "the tea")], ("preference", "tea"))
    assert (len(found.right), len(found.wrong), found.missed) == (1, 1, ())


def test_one_fact_does_not_stand_for_two_labelled_ones():
    found = judged([("preference", "green tea")], ("preference", "green"), ("preference", "tea"))
    assert (len(found.right), found.wrong, len(found.missed)) == (1, (), 1)


def test_a_fact_gives_way_to_one_that_has_no_other_place():
    said = [("preference", "green tea"), ("preference", "green")]
    labelled = [("preference", "green"), ("preference", "tea")]
    assert pairs(said, labelled) == {0: 1, 1: 0}


@given(FACTS, FACTS, st.randoms(use_true_random=False))
def test_order_changes_no_count_and_every_fact_is_counted_once(said, labelled, random):
    found = judged(said, *labelled)
    assert len(found.right) + len(found.wrong) == len(said)
    assert len(found.right) + len(found.missed) == len(labelled)
    other_said, other_labelled = (random.sample(facts, len(facts)) for facts in (said, labelled))
    assert len(judged(other_said, *other_labelled).right) == len(found.right)


def test_an_extractor_that_names_an_unknown_category_is_told_so():
    with pytest.raises(ValueError, match="hobby: not one of the categories name, role"):
        judged([("hobby", "tea")])


def test_scores_are_over_facts_and_can_be_parted_by_language_and_category():
    both = [
        judged([("preference", "tea"), ("name", "Bo")], ("preference", "tea"), ("place", "Ulm")),
        judged([], ("preference", "mate"), language="es"),
    ]
    assert score(both) == Score(right=1, wrong=1, missed=2)
    assert score(both, "es") == Score(0, 0, 1)
    assert score(both, None, "preference") == Score(1, 0, 1)
    assert score(both, "en", "place") == Score(0, 0, 1)
    assert (score(both).precision, score(both).recall) == (0.5, pytest.approx(1 / 3))


def test_what_was_never_said_or_labelled_has_no_share():
    assert (Score(0, 0, 2).precision, Score(0, 2, 0).recall) == (None, None)
    assert (Score(0, 0, 2).recall, Score(0, 2, 0).precision) == (0.0, 0.0)


def test_misses_name_the_turn_and_what_is_wrong_or_missed():
    clean = judged([("preference", "tea")], ("preference", "tea"))
    assert misses([clean]) == ""
    assert misses([clean, judged([("name", "Bo")], ("place", "Ulm"))]).splitlines() == [
        "t-01 en: 'I drink tea'",
        "    wrong   name: Bo",
        "    missed  place: Ulm",
    ]


def test_the_table_has_a_row_for_each_category_or_only_the_totals():
    found = [judged([("preference", "tea")], ("preference", "tea"), ("place", "Ulm"))]
    names = [line.split()[0] for line in table(found).splitlines()[1:]]
    assert names == [*CATEGORIES, "all"]
    (_, totals) = table(found, totals_only=True).splitlines()
    assert totals.split() == ["all", "1.000", "0.500", "2", "-", "-", "0", "1.000", "0.500", "2"]


def test_a_line_becomes_an_example():
    line = '{"id": "x-1", "lang": "es", "text": "soy Eva", "facts": [{"category": "name", "value": "Eva"}]}'
    assert example(line) == Example("x-1", "es", "soy Eva", (("name", "Eva"),))


@pytest.mark.parametrize("part", [*DEVELOPMENT, *KEPT])
def test_every_part_is_balanced(part):
    examples = load([part])
    assert len(examples) == 50
    assert Counter(each.language for each in examples) == {"en": 25, "es": 25}
    assert Counter(bool(each.facts) for each in examples) == {True: 25, False: 25}
    assert Counter(category for each in examples for category, _ in each.facts) == dict.fromkeys(
        CATEGORIES, 5
    )


def test_no_turn_stands_twice_and_values_are_in_the_users_words():
    examples = load([*DEVELOPMENT, *KEPT])
    assert len({each.id for each in examples}) == len({each.text for each in examples}) == 150
    strangers = [
        each.id
        for each in examples
        for _, value in each.facts
        if not set(fold(value)) <= set(fold(each.text)) or re.search(r"^\s|\s$|^$", value)
    ]
    assert strangers == []


@pytest.fixture
def installed(monkeypatch):
    def install(extract=None):
        module = ModuleType(command.RULES)
        if extract is not None:
            vars(module)["extract"] = extract
        monkeypatch.setitem(sys.modules, "strata.domain.facts", ModuleType("strata.domain.facts"))
        monkeypatch.setitem(sys.modules, command.RULES, module)

    return install


def test_the_command_shows_the_misses_of_the_development_examples(installed, capsys):
    installed(lambda text: [("name", "Jonas")] if "Jonas" in text else [])
    assert command.main([]) == 0
    printed = capsys.readouterr().out
    assert "preference" in printed
    assert "missed  name: Priya" in printed
    assert "name: Jonas" not in printed


def test_the_command_shows_only_totals_of_the_kept_examples(installed, capsys):
    installed(lambda text: [("name", "Nobody")])
    assert command.main(["--kept"]) == 0
    printed = capsys.readouterr().out
    assert [line.split()[0] for line in printed.splitlines()] == ["en", "all"]


def test_an_extractor_that_knows_every_label_scores_all_right(installed, capsys):
    known = {each.text: each.facts for each in load(KEPT)}
    installed(lambda text: known[text])
    command.main(["--kept"])
    assert set(capsys.readouterr().out.splitlines()[1].split()) == {"all", "1.000", "18", "17", "35"}


def test_missing_rules_are_told_in_a_sentence(monkeypatch):
    monkeypatch.setattr(command, "RULES", "strata.domain.facts_of_nobody.rules")
    with pytest.raises(SystemExit, match=r"no module strata\.domain\.facts_of_nobody"):
        command.main([])


def test_rules_without_the_function_are_told_in_a_sentence(installed):
    installed()
    with pytest.raises(SystemExit, match=r"has no function extract\(text\)"):
        command.main([])


def test_an_import_that_fails_inside_the_rules_is_not_hidden(monkeypatch, tmp_path):
    (tmp_path / "rules_of_nobody.py").write_text("import a_library_of_nobody\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(command, "RULES", "rules_of_nobody")
    with pytest.raises(ModuleNotFoundError, match="a_library_of_nobody"):
        command.main([])
