from datetime import date

import pytest

from strata.domain.contradictions.claims import read
from strata.domain.contradictions.decide import LIKELY, likelihood, relation, surely_contradict


def likely(one: str, other: str) -> float:
    """The likelihood of two notes, which is the same in either order."""
    found = likelihood(read(one), read(other))
    assert found == likelihood(read(other), read(one))
    return found


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The band rehearses on 8 June", "The band rehearses on 18 June"),
        ("The choir rehearses at 7:15 pm.", "The choir rehearses at half past eight."),
        ("The bakery opens at 5 am.", "The bakery opens at 17:00."),
        ("Works at Acme", "Works at Globex"),
        ("The dog is called Rex", "The dog is called Bruno"),
        ("The mast is 1.62 m tall.", "The mast is 1.63 m tall."),
        ("Prefers tea to coffee.", "Prefers coffee to tea."),
        ("Yesterday Marit taught Jonas.", "Yesterday Jonas taught Marit."),
    ],
)
def test_another_value_beside_the_same_words_and_another_order_are_sure(one: str, other: str) -> None:
    assert surely_contradict(read(one), read(other))
    assert surely_contradict(read(other), read(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rent is 1,150 euros a month.", "Pays 1,510 euros rent every month."),
        ("El coro tiene treinta y cinco voces.", "El coro tiene 53 voces."),
        ("Her manager is Helene.", "Her manager is Tobias."),
        ("The team deploys on Fridays.", "Nobody in the team deploys on Fridays."),
        ("Never touches coffee", "Drinks three espressos before noon"),
        ("She has never been married", "Her husband is cooking dinner tonight"),
        ("Está soltera y sin compromiso.", "Su marido le preparó la cena de aniversario anoche."),
        ("Lacks a garden at home", "Grows tomatoes in her back garden"),
    ],
)
def test_values_names_denials_and_what_excludes_each_other_contradict(one: str, other: str) -> None:
    assert likely(one, other) >= LIKELY


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Has been vegan since university", "Had a bacon sandwich for breakfast"),
        ("Es vegana desde la universidad", "Anoche cenó un chuletón casi crudo"),
        ("No pets in the house at all", "Walks her greyhound before breakfast each day"),
        ("Retired from teaching five years ago", "Works full time as a nurse in the hospital"),
        ("Is an only child", "Her older sister taught her how to drive"),
    ],
)
def test_what_the_table_alone_tells_apart_is_likelier_than_not(one: str, other: str) -> None:
    assert likely(one, other) > 0.5
    assert not surely_contradict(read(one), read(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Is vegan", "Her brother has bacon for breakfast"),
        ("Her brother doesn't eat meat.", "She eats meat."),
        ("Her manager is Odette.", "Her manager's manager is Ravi."),
        ("Su jefe se llama Ricardo.", "La jefa de su jefe se llama Inmaculada."),
        ("Quiere tener perro.", "No tiene perro."),
        ("Wants to have a dog", "Has no pets"),
        ("Plans to move to York", "Lives in Leeds"),
        ("Usually swims in the lake.", "Doesn't swim in the lake."),
        ("Used to smoke", "Doesn't smoke"),
        ("Takes 10 mg in the morning.", "Takes 5 mg at night."),
        ("Visited Rome in 2015.", "Visited Rome in 2019."),
        ("Works for Bosch, nobody else.", "Works only for Bosch."),
        ("Reads nothing but novels", "Reads novels"),
        ("No come nada más que pescado", "Come pescado"),
        ("Weighs 70 kilos.", "Weighs 70 kg."),
        ("La finca mide dos hectáreas.", "La finca mide 20.000 metros cuadrados."),
        ("The bakery opens at 5.", "The bakery opens at 5 pm."),
        ("The loop is 10 miles long.", "The loop is 16 km long."),
        ("Tom lent Ada the drill.", "Ada was lent the drill by Tom."),
        ("No release without a signed tag.", "Every release has a signed tag."),
        ("Likes purple.", "Likes cyan."),
        ("Likes number 3", "Likes number 5"),
        ("Loves cilantro", "Loves cilantro soup"),
    ],
)
def test_there_is_no_reason_to_take_these_for_contradictions(one: str, other: str) -> None:
    assert likely(one, other) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Likes red.", "Likes blue."),
        ("De niña era vegetariana", "Cena un chuletón"),
        ("Worked in Turin as a student.", "Works in Milan."),
        ("The staging server listens on port 8080.", "The production server listens on port 443."),
        ("The invoice for March is paid.", "The invoice for April is unpaid."),
        ("El cumpleaños de Inés es el 4 de abril.", "El cumpleaños de su suegra es el 14 de abril."),
        ("The user has a sister called Ada.", "The user has a sister called Eva."),
        ("The bakery on the square opens at 8.", "The bakery on the corner opens at 9."),
        ("The report for the ministry is signed.", "The report for the museum isn't signed."),
        ("Gluten is off the menu.", "Can't have gluten."),
        ("The shop isn't open on Mondays.", "The shop is closed on Mondays."),
        ("She doesn't dislike her neighbours.", "She likes her neighbours."),
        ("The shed is locked at night.", "The shed isn't unlocked at night."),
        ("Is unemployed.", "Flies to Miami for work once a month."),
    ],
)
def test_what_can_both_be_so_is_unlikely_to_contradict(one: str, other: str) -> None:
    assert likely(one, other) < 0.5
    assert relation(one, other) == relation(other, one) == "differs"


def test_tomorrow_counts_from_the_day_when_it_was_said() -> None:
    said = date(2026, 5, 11)

    assert relation("The viva is on 12 May.", "The viva is tomorrow.", said, said) != "contradicts"
    assert relation("The viva is on 20 May.", "The viva is tomorrow.", said, said) == "contradicts"


def test_only_the_same_words_say_the_same() -> None:
    assert relation("Lives in a flat in York", "lives in the flat in York.") == "same"
    assert relation("Lives near York", "Lives in York") == "differs"
