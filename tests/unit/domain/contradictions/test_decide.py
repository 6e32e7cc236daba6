from datetime import date

import pytest

from strata.domain.contradictions.claims import read
from strata.domain.contradictions.decide import contradiction, relation


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("The choir rehearses at 7:15 pm.", "The choir rehearses at half past eight.", "value"),
        ("The bakery opens at 5 am.", "The bakery opens at 5 pm.", "value"),
        ("The bakery opens at 5 am.", "The bakery opens at 17:00.", "value"),
        ("The trial lasts 11 months.", "The trial lasts 12 months.", "value"),
        ("The trial lasts 2.9 years.", "The trial lasts 3 years.", "value"),
        ("The trial lasts 1.9 months.", "The trial lasts 2 months.", "value"),
        ("The trial lasts 10 years.", "The trial lasts 480 weeks.", "value"),
        ("Lunch is at noon.", "Lunch is at midnight.", "value"),
        ("The trial lasts 334 days.", "The trial lasts 1 year.", "value"),
        ("The rent is 1,150 euros a month.", "Pays 1,510 euros rent every month.", "value"),
        ("El contrato vence el 8 de junio.", "El contrato acaba el 18 de junio.", "value"),
        ("El coro tiene treinta y cinco voces.", "El coro tiene 53 voces.", "value"),
        ("La clase tiene veintidós alumnos.", "La clase tiene 25 alumnos.", "value"),
        ("The mast is 1.62 m tall.", "The mast is 1.63 m tall.", "value"),
        ("The car is a diesel.", "The car is fully electric.", "value"),
        ("Her line manager is Helene.", "Reports to Tobias.", "value"),
        ("La perra se llama Nube.", "La perra se llama Kira.", "value"),
        ("The team deploys on Fridays.", "Nobody in the team deploys on Fridays.", "negation"),
        ("Bebe café con leche.", "No bebe café.", "negation"),
        ("Plays the cello left-handed.", "Plays the cello right-handed.", "value"),
        ("Loves cilantro.", "Can't stand cilantro.", "opposite"),
        ("La tienda abre los lunes.", "La tienda cierra los lunes.", "opposite"),
        ("The shed is locked at night.", "The shed is unlocked at night.", "opposite"),
        ("The cat stays indoors.", "The cat stays outdoors.", "opposite"),
        ("Prefers tea to coffee.", "Prefers coffee to tea.", "order"),
        ("Yesterday Marit taught Jonas.", "Yesterday Jonas taught Marit.", "order"),
    ],
)
def test_contradictions_are_found_with_their_reason(one: str, other: str, reason: str) -> None:
    assert contradiction(read(one), read(other)) == reason
    assert contradiction(read(other), read(one)) == reason


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Likes purple.", "Likes cyan."),
        ("The staging server listens on port 8080.", "The production server listens on port 443."),
        ("Her brother doesn't eat meat.", "She eats meat."),
        ("Doesn't let the kids watch TV on weekdays.", "Lets the kids watch films on Saturdays."),
        ("Worked in Turin as a student.", "Works in Milan."),
        ("Quiere tener perro.", "No tiene perro."),
        ("The invoice for March is paid.", "The invoice for April is unpaid."),
        ("Visited Rome in 2015.", "Visited Rome in 2019."),
        ("El cumpleaños de Inés es el 4 de abril.", "El cumpleaños de su suegra es el 14 de abril."),
        ("The user has a sister called Ada.", "The user has a sister called Eva."),
        ("The bakery on the square opens at 8.", "The bakery on the corner opens at 9."),
        ("Takes 10 mg in the morning.", "Takes 5 mg at night."),
        ("The report for the ministry is signed.", "The report for the museum isn't signed."),
        ("Gluten is off the menu.", "Can't have gluten."),
        ("Her manager is Odette.", "Her skip-level manager is Ravi."),
        ("Is unemployed.", "Flies to Miami for work once a month."),
        ("Her manager is Odette.", "The reporting service is written in Scala."),
        ("Usually swims in the lake.", "Doesn't swim in the lake."),
    ],
)
def test_what_can_both_be_so_differs(one: str, other: str) -> None:
    assert relation(one, other) == relation(other, one) == "differs"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The shop isn't open on Mondays.", "The shop is closed on Mondays."),
        ("She doesn't dislike her neighbours.", "She likes her neighbours."),
        ("No release without a signed tag.", "Every release has a signed tag."),
        ("La finca mide dos hectáreas.", "La finca mide 20.000 metros cuadrados."),
        ("Weighs 70 kilos.", "Weighs 70 kg."),
        ("The team has thirty-five members.", "The team has 35 members."),
        ("El coro tiene treinta y cinco voces.", "El coro tiene 35 voces."),
        ("The lease lasts 12 months.", "The lease lasts 1 year."),
        ("The trial lasts one month.", "The trial lasts 4 weeks."),
        ("La prueba dura un mes.", "La prueba dura 30 días."),
        ("The bakery opens at 5.", "The bakery opens at 5 pm."),
        ("The gate shuts at 12 am.", "The gate shuts at midnight."),
        ("The gate shuts at 12 am.", "The gate shuts at 24:00."),
        ("The gate shuts at 12 am.", "The gate shuts at 12."),
        ("The trial lasts 12 months.", "The trial lasts 52 weeks."),
        ("The trial lasts 18 months.", "The trial lasts 78 weeks."),
        ("The loop is 10 miles long.", "The loop is 16 km long."),
        ("The shed is locked at night.", "The shed isn't unlocked at night."),
        ("Tom lent Ada the drill.", "Ada was lent the drill by Tom."),
    ],
)
def test_what_says_the_same_in_other_words_does_not_contradict(one: str, other: str) -> None:
    assert relation(one, other) != "contradicts"


def test_tomorrow_counts_from_the_day_when_it_was_said() -> None:
    said = date(2026, 5, 11)

    assert relation("The viva is on 12 May.", "The viva is tomorrow.", said, said) != "contradicts"
    assert relation("The viva is on 20 May.", "The viva is tomorrow.", said, said) == "contradicts"


def test_only_the_same_words_say_the_same() -> None:
    assert relation("Lives in a flat in York", "lives in the flat in York.") == "same"
    assert relation("Lives near York", "Lives in York") == "differs"
