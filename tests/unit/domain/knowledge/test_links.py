"""A doubtful statement is taken if it replaces an older one; statements that are still true stay."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.links import READ, SURE, Compare
from strata.domain.knowledge.stated import stated, stems_of
from strata.domain.knowledge.statements import STATED, Said, Sighting


def _statement(day: int, value: str, text: str, *, sure: float = 1.0, changes: bool = False) -> Sighting:
    """A person's statement on a day, as the text says it."""
    subject = f"{STATED}:{' '.join(stems_of(value))}"
    return Sighting(subject, value, True, False, True, text, day, f"day {day}", text, changes, text, sure)


def _standing(*told: Sighting) -> set[str]:
    return {each.text for each in conclude(told)}


ANN = _statement(1, "Dr Osei", "Dr Osei, my dentist, filled a molar")
BOB = _statement(1, "Leith", "the rent of my flat in Leith went up")


@pytest.mark.parametrize(
    ("person", "newer"),
    [
        (
            ANN,
            _statement(
                9,
                "Marta Lind",
                "my new dentist Marta Lind did the crown on my molar",
                sure=SURE / 3,
                changes=True,
            ),
        ),
        (
            BOB,
            _statement(
                9, "Hove", "unpacking in the new flat in Hove, the rent is lower", sure=SURE / 3, changes=True
            ),
        ),
    ],
)
def test_a_doubtful_value_is_taken_where_it_takes_an_older_ones_place(person, newer) -> None:
    assert _standing(newer) == set()
    assert _standing(person, newer) == {newer.says}


@pytest.mark.parametrize(
    ("person", "aside"),
    [
        (ANN, _statement(9, "Kilimanjaro", "a documentary about Kilimanjaro", sure=SURE / 3)),
        (BOB, _statement(9, "Brahms", "the second Brahms sextet", sure=SURE / 3)),
    ],
)
def test_a_doubtful_value_that_fits_no_older_one_is_left_out(person, aside) -> None:
    assert _standing(person, aside) == {person.says}


@pytest.mark.parametrize("person", [ANN, BOB])
def test_a_value_that_nothing_replaces_stands_beside_a_change(person) -> None:
    phone = _statement(2, "Pixel 6", "the screen of my phone, a Pixel 6, cracked")
    newer = _statement(9, "Galaxy A55", "my new phone is a Galaxy A55, the screen is huge", changes=True)
    assert _standing(person, phone, newer) == {person.says, newer.says}


def _tagged(*chances: float) -> Iterator[Sighting]:
    """The statements found in a message of four words, given each word's probability to begin a new value."""
    said = Said("Kessel hired me yesterday.", 0, "session", 0)
    return stated(said, lambda *_: [{"O": 1 - each, "B-new": each} for each in chances])


def test_of_a_message_without_a_likely_value_the_likeliest_is_kept_and_its_sentence_quoted() -> None:
    (found,) = _tagged(0.1, 0.0, 0.0, 0.05)
    assert (found.value, found.sure, found.quote) == ("Kessel", 0.1, "Kessel hired me yesterday")
    assert [each.value for each in _tagged(0.9, 0.0, 0.0, 0.1)] == ["Kessel"]
    assert list(_tagged(0.004, 0.0, 0.0, 0.002)) == []


@pytest.mark.parametrize(
    "text", ["Is it Kessel?", "If I joined Kessel", "My sister's dentist is Kessel", "I never joined Kessel"]
)
def test_no_doubtful_value_is_taken_from_what_is_asked_supposed_denied_or_anothers(text) -> None:
    def doubts(_, words):
        return [{"O": 1 - each, "B-now": each} for each in [0.0] * (len(words) - 1) + [0.2]]

    assert list(stated(Said(text, 0, "session", 0), doubts)) == []


def test_the_order_in_which_sightings_come_changes_nothing() -> None:
    newer = _statement(
        9, "Marta Lind", "my new dentist Marta Lind did the crown on my molar", sure=SURE / 3, changes=True
    )
    told = [ANN, replace(BOB, at=2), newer]
    assert conclude(told) == conclude(told[::-1])


CAR = _statement(3, "Corsa", "the Corsa failed its test again")
KEYS = _statement(9, "Tinos", "boxes everywhere, best coffee near us here in Tinos", sure=SURE / 3)


def _reads(*right: tuple[Sighting, Sighting]) -> Compare:
    """A model that is sure of these older and newer statements, and of no others."""
    return lambda newer, older: [5.0 if (each, newer) in right else -5.0 for each in older]


def test_what_a_model_reads_makes_a_newer_value_take_the_place_of_one_that_shares_no_word() -> None:
    told = [ANN, BOB, CAR, KEYS]
    assert _standing(*told) == {ANN.says, BOB.says, CAR.says}
    read = conclude(told, compare=_reads((BOB, KEYS)))
    assert {each.text for each in read} == {ANN.says, CAR.says, KEYS.says}


OSEI = _statement(2, "Dr Osei", "Dr Osei says the molar can wait, cheap toothpaste?", sure=SURE / 4)
LIND = _statement(9, "Marta Lind", "Marta Lind is gentler, how long does a crown last", sure=SURE / 6)
CELLO = _statement(3, "Elgar", "who wrote the cello concerto, Elgar", sure=SURE / 4)
BRAHMS = _statement(8, "Brahms", "the second sextet by Brahms, how long is it", sure=SURE / 4)


def test_two_doubtful_values_of_one_thing_make_the_newer_one_likely_and_the_older_one_never_stands() -> None:
    told = [OSEI, CELLO, BRAHMS, LIND]
    read = conclude(told, compare=_reads((OSEI, LIND)))
    assert {each.text for each in read} == {LIND.says}
    assert conclude(told, compare=_reads()) == []
    assert _standing(*told) == set(), "by their words alone"


def test_a_doubtful_value_that_waited_takes_a_place_once() -> None:
    third = replace(LIND, value="Joan Pell", subject=f"{STATED}:joan pell", says="Joan Pell now", at=10)
    read = conclude([OSEI, LIND, third], compare=_reads((OSEI, LIND), (OSEI, third)))
    assert {each.text for each in read} == {LIND.says}


def test_what_is_hardly_a_value_is_read_beside_others_but_by_words_counts_for_nothing() -> None:
    faint = replace(
        _statement(9, "Marta Lind", "my new dentist Marta Lind did the crown on my molar", changes=True),
        sure=0.01,
    )
    assert _standing(ANN, faint) == {ANN.says}
    assert {each.text for each in conclude([ANN, faint], compare=_reads((ANN, faint)))} == {faint.says}


def test_what_a_model_reads_as_of_another_thing_stays() -> None:
    newer = _statement(9, "Hove", "unpacking in the flat in Hove, the rent is lower")
    assert _standing(BOB, newer) == {newer.says}
    assert {each.text for each in conclude([BOB, newer], compare=_reads())} == {BOB.says, newer.says}


def test_only_the_older_statements_that_fit_best_are_read() -> None:
    asked: list[int] = []

    def compare(_: Sighting, older: Sequence[Sighting]) -> list[float]:
        asked.append(len(older))
        return [-5.0] * len(older)

    many = [_statement(day, f"Thing{day}", f"my Thing{day} is here") for day in range(READ + 5)]
    conclude(many, compare=compare)
    assert asked
    assert max(asked) == READ
    assert 0 not in asked
