import pytest

from strata.domain.contradictions.sameness import differs_in_value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Likes purple", "Likes cyan"),
        ("Takes 50 mg of iron in the morning", "Takes 100 mg of iron in the morning"),
        ("The rent is 1,150 euros", "The rent is 1.150 euros"),
        ("The viva is on 12 May", "The viva is on 13 May"),
        ("Flies to Oslo with Femi in June", "Flies to Oslo with Ana in June"),
        ("Eats meat on Sundays", "Never eats meat on Sundays"),
        ("Doesn't eat meat on Sundays", "Does eat meat on Sundays"),
        ("Prefers tea to coffee", "Prefers coffee to tea"),
        ("Come fuera los lunes", "No come fuera los lunes"),
        ("Llega antes de las seis", "Llega después de las seis"),
        ("Marit taught Jonas how to sail", "Jonas taught Marit how to sail"),
        ("Keeps the freezer at -5 degrees", "Keeps the freezer at 5 degrees"),
    ],
)
def test_notes_that_differ_in_a_value_are_told_apart(one: str, other: str) -> None:
    assert differs_in_value(one, other)
    assert differs_in_value(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user likes purple.", "likes purple"),
        ("Lives in a flat in York", "She lives in the flat in York!"),
        ("Vive en Cádiz", "El usuario vive en Cadiz."),
        ("Walks 5 km every day", "He walks 5 km every day"),
    ],
)
def test_articles_and_the_person_themselves_make_no_difference(one: str, other: str) -> None:
    assert not differs_in_value(one, other)
