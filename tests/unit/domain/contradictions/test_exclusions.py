import pytest

from strata.domain.contradictions.claims import read


@pytest.mark.parametrize(
    ("note", "attribute", "kind"),
    [
        ("Has a pint after work", "alcohol", "yes"),
        ("Hasn't had a pint in years", "alcohol", "no"),
        ("Nunca bebe cerveza", "alcohol", "no"),
        ("No bebe nunca cerveza", "alcohol", "no"),
        ("Drinks nothing but beer", "alcohol", "yes"),
        ("Ran out of beer", "alcohol", "no"),
        ("Never goes hiking without a beer", "alcohol", "yes"),
        ("Orders alcohol-free beer", "alcohol", "no"),
        ("Vegano", "diet", "plants"),
    ],
)
def test_a_note_is_in_the_class_that_its_cues_tell_and_a_denied_one_in_the_other(
    note: str, attribute: str, kind: str
) -> None:
    assert kind in read(note).signs[attribute]


def test_a_negation_denies_what_stands_near_it_in_its_clause() -> None:
    assert set(read("Not today, but a beer tomorrow").signs["alcohol"]) == {"yes"}
