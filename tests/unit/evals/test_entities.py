"""Entities are measured as the guide beside the turns says, and the weights belong to the turns."""

import json
import re
from collections import Counter

import pytest
from evals.entities import __main__ as command
from evals.entities import fitting, marked, usage
from evals.entities.measure import TYPES, Turn, judge, load, misses, score, table
from evals.entities.swapping import Swapper

from strata.domain.entities.usage import NEVER, Used, shipped


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


def test_the_command_prints_misses_of_turns_that_are_trained_on(capsys):
    assert command.main(["dev"]) == 0
    printed = capsys.readouterr().out
    assert "all both" in printed
    assert "dev-en-" in printed


@pytest.mark.parametrize("kept", ["kept", "kept2", "kept3"])
def test_the_command_never_prints_turns_that_are_kept_apart(capsys, monkeypatch, kept):
    secret = turn("Zoraida was here", ("place", "Zoraida"))  # the weights are wrong of it
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


def test_the_training_turns_have_marks_only_for_names_of_known_types_and_no_turn_stands_twice():
    parts = marked.parts()
    authors = {"en": 19, "es": 14}
    names = {f"{lang}{number:02}" for lang, count in authors.items() for number in range(1, count + 1)}
    assert set(parts) == names | {"dev", "dev2"}
    texts = [turn.text for turns in parts.values() for turn, _ in turns]
    assert len(texts) == len(set(texts)) == 14846
    apart = {each.text for part in command.KEPT for each in load(part)}
    assert apart.isdisjoint(texts)


def test_a_mark_is_read_as_a_name_in_its_place(tmp_path, monkeypatch):
    monkeypatch.setattr(marked, "FOLDER", tmp_path)
    (tmp_path / "es01.txt").write_text("[Ana Ruiz|person] dice que [Ana|person] va a [Lugo|place].\n")
    (tmp_path / "en01.txt").write_text("[Bo|thing] barks\n")
    ((turn, names),) = marked.parts()["es01"]
    assert (turn.language, turn.text) == ("es", "Ana Ruiz dice que Ana va a Lugo.")
    assert [(turn.text[start:end], kind) for start, end, kind in names] == [
        ("Ana Ruiz", "person"),
        ("Ana", "person"),
        ("Lugo", "place"),
    ]
    assert set(turn.entities) == {("person", "Ana Ruiz"), ("place", "Lugo")}
    (tmp_path / "en01.txt").write_text("[Bo|beast] barks\n")
    with pytest.raises(ValueError, match="en01-001"):
        marked.parts()


def test_titles_are_trained_on_in_quotation_marks_too(tmp_path, monkeypatch):
    monkeypatch.setattr(marked, "FOLDER", tmp_path)
    (tmp_path / "en01.txt").write_text(
        '[Ana|person] reads [Bleak House|thing] and "[Mary Barton|thing]" to [Rex|thing]\n'
    )
    ((turn, names),) = marked.parts()["en01"]
    text, places = marked.quoted(turn.text, names)
    assert text == 'Ana reads "Bleak House" and "Mary Barton" to Rex'
    assert [text[start:end] for start, end, _ in places] == ["Ana", "Bleak House", "Mary Barton", "Rex"]


def test_the_weights_were_fitted_to_these_turns_and_these_clues():
    """Else: `python -m evals.entities fit`."""
    fitted = json.loads(fitting.RECORD.read_text())
    told = fitting.record(marked.parts())
    assert {key: fitted[key] for key in told} == told


def test_the_weights_know_the_turns_that_they_were_fitted_to():
    turns = [judge(command.found, each) for part in marked.LABELLED for each in load(part)]
    assert score(turns).f1 > 0.95


def test_a_fold_is_judged_by_weights_that_know_nothing_of_it(tmp_path, monkeypatch):
    monkeypatch.setattr(marked, "FOLDER", tmp_path)
    monkeypatch.setattr(marked, "LABELLED", ())
    for number, said in enumerate(["[Ana|person] paints", "[Zorbek|thing] barks", "[Zorbek|thing] eats"], 1):
        for language in ("en", "es"):
            (tmp_path / f"{language}{number:02}.txt").write_text(f"{said}\n" * 3)
    found = {each.turn.id: each for each in fitting.folds(command.found)}
    assert len(found) == 18
    assert all(each.right for each in found.values() if "Zorbek" in each.turn.text)
    assert not any(each.right for each in found.values() if "Ana" in each.turn.text)


def test_people_get_other_names_with_the_same_capitals_and_everything_else_stays():
    turns = [
        (turn("Marta Gil"), ((0, 9, "person"),)),
        (turn("Tom Hill"), ((0, 8, "person"),)),
    ]
    text = "Marta Gil met J. de Gil in Lugo, and marta left"
    names = ((0, 9, "person"), (14, 23, "person"), (27, 31, "place"), (37, 42, "person"))
    told, places = Swapper(turns)(text, names)
    first, last, again, place, left = (
        re.fullmatch(r"(\w+) (\w+) met J\. de (\w+) in (\w+), and (\w+) left", told) or pytest.fail(told)
    ).groups()
    assert (again, place, left) == (last, "Lugo", first.lower())
    assert first.istitle()
    assert [(told[start:end], kind) for start, end, kind in places] == [
        (f"{first} {last}", "person"),
        (f"J. de {last}", "person"),
        ("Lugo", "place"),
        (left, "person"),
    ]
    assert Swapper(turns)(text, names) == (told, places)


def test_usage_counts_authors_and_leaves_out_the_one_who_is_read():
    ana = usage.of_author([(turn("Ana rides. Rides tired ana"), ((0, 3, "person"),))])
    bob = usage.of_author([(turn("ana rode, I ride"), ((0, 3, "person"),))])
    both = usage.together([ana, bob])
    assert both.of("ana") == Used(plain=1, stem=1, kind="pe", share="22")
    assert both.of("ride") == Used(plain=1, stem=2, kind=NEVER, share="")
    assert both.without(ana).of("rides") == Used(plain=0, stem=1, kind=NEVER, share="")
    assert both.without(ana).of("ana") == Used(plain=0, stem=0, kind="pe", share="41")
    assert both.of("unheard") == Used(plain=0, stem=0, kind=NEVER, share="")


def test_the_table_of_usage_belongs_to_these_turns():
    """Else: `python -m evals.entities fit`."""
    counted = usage.together([usage.of_author(turns) for turns in marked.parts().values()])
    assert shipped().words == counted.words
    assert shipped().stems == counted.stems
