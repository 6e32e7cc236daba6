"""Entities are measured as the guide beside the turns says, and the rules keep what they reached."""

from collections import Counter

import pytest
from evals.entities import __main__ as command
from evals.entities.measure import TYPES, Turn, judge, load, misses, score, table


def turn(text: str, *entities: tuple[str, str], language: str = "en") -> Turn:
    return Turn("t-1", language, text, entities)


def judged(found: list[tuple[str, str]], *labelled: tuple[str, str]):
    return judge(lambda text: found, turn("words", *labelled))


def test_an_entity_is_right_in_another_case_and_without_accents_but_not_of_another_type():
    assert judged([("person", "Inés")], ("person", "ines")).right == (("person", "Inés"),)
    other = judged([("place", "Jordan")], ("person", "Jordan"))
    assert (other.wrong, other.missed) == ((("place", "Jordan"),), (("person", "Jordan"),))
    assert judged([("person", "Ana")], ("person", "Ana Ruiz")).right == ()


def test_a_label_is_found_once():
    twice = judged([("person", "Ana"), ("person", "ana")], ("person", "Ana"))
    assert (len(twice.right), len(twice.wrong)) == (1, 1)


def test_the_score_counts_one_type_and_one_language():
    turns = [
        judge(lambda text: [("person", "Ana"), ("thing", "Box")], turn("a", ("person", "Ana"))),
        judge(lambda text: [], turn("b", ("place", "Lugo"), language="es")),
    ]
    assert score(turns).f1 == pytest.approx(0.5)
    assert score(turns, "person").f1 == 1
    assert (score(turns, language="es").missed, score(turns, "thing", "en").wrong) == (1, 1)
    assert "wrong   thing: Box" in misses(turns)
    assert "missed  place: Lugo" in misses(turns)


def test_the_command_prints_misses_of_the_turns_that_rules_are_written_from(capsys):
    assert command.main(["dev"]) == 0
    printed = capsys.readouterr().out
    assert "all both" in printed
    assert "dev-en-" in printed


@pytest.mark.parametrize("kept", ["kept", "kept2"])
def test_the_command_never_prints_turns_that_are_kept_apart(capsys, monkeypatch, kept):
    secret = turn("Zoraida was here", ("place", "Zoraida"))  # the rules are wrong of it
    monkeypatch.setattr(command, "load", lambda part: [secret] if part == kept else [])
    assert command.main([kept]) == 0
    printed = capsys.readouterr().out
    assert "person en" in printed
    assert "Zoraida" not in printed


def test_the_turns_are_what_the_guide_says():
    turns = load("dev")
    assert (len(turns), len(load("dev2"))) == (134, 174)
    kinds = Counter(kind for each in turns for kind, _ in each.entities)
    assert kinds == {"person": 50, "place": 30, "organization": 22, "event": 6, "thing": 12}
    kinds = Counter(kind for each in load("dev2") for kind, _ in each.entities)
    assert kinds == {"person": 64, "place": 48, "organization": 39, "event": 10, "thing": 19}
    assert len(table([judge(lambda text: [], each) for each in turns]).splitlines()) == 1 + 3 * (
        len(TYPES) + 1
    )


@pytest.mark.parametrize(("part", "f1", "most_wrong"), [("dev", 0.9, 1), ("dev2", 0.8, 4)])
def test_the_rules_keep_what_they_reached(part, f1, most_wrong):
    turns = [judge(command.found, each) for each in load(part)]
    for kind in TYPES:
        assert score(turns, kind).f1 >= f1, kind
        assert score(turns, kind).wrong <= most_wrong, kind
