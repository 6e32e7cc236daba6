import pytest

from strata.domain.knowledge.sameness import Told, says_the_same


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Likes purple", "Likes cyan"),
        ("Married to Maria", "Married to Mario"),
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
    assert not says_the_same(Told.of(one), Told.of(other))
    assert not says_the_same(Told.of(other), Told.of(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Likes purple.", "likes purple"),
        ("Lives in a flat in York", "Lives in the flat in York!"),
        ("Vive en un piso", "vive en el piso"),
        ("Walks 5 km every day", "Walks just 5 km every day"),
    ],
)
def test_articles_and_fillers_make_no_difference(one: str, other: str) -> None:
    assert says_the_same(Told.of(one), Told.of(other))


def test_texts_that_share_too_few_of_their_words_are_not_the_same() -> None:
    assert not says_the_same(Told.of("Walks"), Told.of("Just walks the"), 0.85)
