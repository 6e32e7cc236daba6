"""Surnames that are professions, and professions with capitals."""

import pytest

from strata.domain.facts.patterns.finder import extract

NAMES = [
    ("I'm Peter Cook.", [("name", "Peter Cook")]),
    ("Hi, I'm Emma Baker and I need a logo.", [("name", "Emma Baker")]),
    ("I'm Laura Potter, a nurse.", [("name", "Laura Potter"), ("role", "nurse")]),
    ("I'm Sarah Taylor-Smith, a vet.", [("name", "Sarah Taylor-Smith"), ("role", "vet")]),
    ("I'm Grace Butler.", [("name", "Grace Butler")]),
    (
        "I'm David Mason, Senior Developer at Acme.",
        [("name", "David Mason"), ("role", "Senior Developer at Acme")],
    ),
    ("John Smith here.", [("name", "John Smith")]),
    ("Soy Marta Herrero.", [("name", "Marta Herrero")]),
    ("Soy Pedro Zapatero, de Cuenca.", [("name", "Pedro Zapatero"), ("place", "Cuenca")]),
    ("Me llamo Lucía Pastor.", [("name", "Lucía Pastor")]),
    # a name in lower case may be a whole statement, so nothing is taken
    ("i'm john smith", []),
]

ROLES = [
    ("I'm Head Chef at Nobu.", "Head Chef at Nobu"),
    ("I'm Senior Developer at Acme.", "Senior Developer at Acme"),
    ("I'm Chief Engineer.", "Chief Engineer"),
    ("I'm Sales Manager.", "Sales Manager"),
    ("I'm Grant Writer.", "Grant Writer"),
    ("I'm Dean of Students.", "Dean of Students"),
    ("I'm a smith.", "smith"),
    ("Soy Jefe de Obra.", "Jefe de Obra"),
    ("Soy Directora Comercial.", "Directora Comercial"),
]


@pytest.mark.parametrize(("turn", "facts"), NAMES)
def test_a_first_name_with_a_profession_for_a_surname_is_a_name(
    turn: str, facts: list[tuple[str, str]]
) -> None:
    assert extract(turn) == facts


@pytest.mark.parametrize(("turn", "role"), ROLES)
def test_a_profession_with_capitals_is_a_role(turn: str, role: str) -> None:
    assert extract(turn) == [("role", role)]
