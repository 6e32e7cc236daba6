"""Statements of people about themselves, and the end of older ones by a later change."""

import pytest

from strata.adapters.knowledge.statements import read_messages
from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.statements import Said

_DAY = 86_400_000_000


def _stand(*texts: str) -> list[str]:
    said = [Said(text, day * _DAY, f"session-{day}", 0) for day, text in enumerate(texts)]
    return [each.text for each in conclude(read_messages(said)) if each.type == "explicit"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("My dentist is Dr Weller. Is there parking?", 'Says: "My dentist is Dr Weller"'),
        ("Imran is my flatmate now. Split the rent for me and him", 'Says: "Imran is my flatmate now"'),
        (
            "ended up switching to Anytime Fitness, closer to the house",
            'Says: "ended up switching to Anytime Fitness, closer to the house"',
        ),
        (
            "I switched my essay, it's Penalty Clauses now. Explain them",
            'Says: "I switched my essay, it\'s Penalty Clauses now"',
        ),
        (
            "Cambié de médico, ahora me lleva Lucía Montes.",
            "Dice: «Cambié de médico, ahora me lleva Lucía Montes»",
        ),
        ("Me he pasado a Pepephone, ¿dónde miro los datos?", "Dice: «Me he pasado a Pepephone»"),
        ("Mi móvil es un Xiaomi y va lento", "Dice: «Mi móvil es un Xiaomi y va lento»"),
        (
            "First morning at Kessel & Co and nobody showed me the coffee machine",
            'Says: "First morning at Kessel & Co and nobody showed me the coffee machine"',
        ),
    ],
)
def test_a_statement_of_oneself_is_told_in_its_own_words(text: str, told: str) -> None:
    assert told in _stand(text)


@pytest.mark.parametrize(
    "text",
    [
        "My sister is a vegan now, what do I cook?",
        "If I moved to Lisbon now, what would a flat cost?",
        '"I live in Paris and I work for Renault now" is the line, translate it',
        "I'm in Berlin this week, where do I get a decent breakfast?",
        "Is Imran my flatmate now?",
        "My sister's new phone is a Pixel 6",
        "My neighbour's dentist is Dr Weller, is she any good?",
        "My knee is sore",
        "We are under the tree now",
        "Mi cuñado ahora trabaja en Renault",
        "Si fuera rica me mudaría a Menorca",
        "Estoy en Albacete hasta el domingo por una boda",
    ],
)
def test_nothing_follows_from_others_wishes_and_what_passes(text: str) -> None:
    assert _stand(text) == []


@pytest.mark.parametrize(
    ("older", "newer", "holds"),
    [
        ("I live in Leeds.", "We moved to York last week, so from now on use that.", "York"),
        ("My phone is a Pixel 6.", "Finally got the Galaxy A55, how do I move my photos?", "Galaxy A55"),
        ("My optician is Vickers.", "Vickers have closed so I'm with Hallam Eyes these days.", "Hallam Eyes"),
        ("My doctor is Dr Lennox.", "I changed doctors, it's Dr Abara now.", "Abara"),
        (
            "Mi dentista es Ferrandis.",
            "He cambiado de dentista, ahora me lleva Lucía Montes.",
            "Lucía Montes",
        ),
        ("Mi cardiólogo es Bustos.", "Bustos se retiró, ahora me atiende Graciela Funes.", "Graciela Funes"),
        ("Vivo en Murcia.", "Nos mudamos a Granada.", "Granada"),
        ("Mi médica es la doctora Cantú.", "Cambié de médico, ahora es el doctor Elizondo.", "Elizondo"),
        ("Mi socia es Adela Umaña.", "Mi nuevo socio es Ramiro Menjívar.", "Ramiro Menjívar"),
    ],
)
def test_only_the_newer_of_two_values_stands(older: str, newer: str, holds: str) -> None:
    found = _stand(older, newer)
    old = older.rstrip(".").split()[-1]
    assert any(holds in each for each in found)
    assert not any(old in each and holds not in each for each in found)


def test_values_of_other_attributes_stand_side_by_side() -> None:
    found = _stand(
        "My dentist is Dr Weller.", "I live in Leeds.", "I moved to York.", "My phone is a Pixel 6 now."
    )
    assert len(found) == 3
    assert not any("Leeds" in each for each in found)


def test_a_liking_of_one_thing_at_hand_is_no_taste() -> None:
    assert _stand("I love the color and texture of it", "I love that first movie too") == []


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'My dentist is Dr Weller, what does he mean by "borderline"?',
            "My dentist is Dr Weller, what does he mean by",
        ),
        ('"Take it easy", says my dentist, who is Dr Weller', None),
        ('The story says: "My dentist is Dr Weller"', None),
    ],
)
def test_a_quotation_hides_what_follows_it_and_is_no_part_of_what_was_said_before(
    text: str, told: str | None
) -> None:
    stands = _stand(text)
    assert stands == ([] if told is None else [f'Says: "{told}"'])


@pytest.mark.parametrize(
    "text",
    [
        "Well,  my   dentist is  Dr Weller . ",
        "My dentist\tis Dr Weller\nnow",
        'my dentist is "Dr" Weller now',
        "\u00a0Vivo  en Murcia",
    ],
)
def test_quotes_stand_in_the_message_as_they_are(text: str) -> None:
    for found in read_messages([Said(text, 0, "session", 0)]):
        assert found.quote
        assert found.quote in text
