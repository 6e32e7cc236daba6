"""Relationships are stated in the text between two names, and what only looks like one is none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.adapters.entities.builtin import recognize
from strata.domain.entities.relations import KINDS, relationships
from strata.domain.entities.shapes import SPEAKER, Mention

ME = SPEAKER

STATED = [
    ("Ana works at Iberdrola", ("Ana", "works-at", "Iberdrola")),
    ("My brother Gareth now works for the Home Office", ("Gareth", "works-at", "Home Office")),
    ("Paula is a data analyst at Deloitte", ("Paula", "works-at", "Deloitte")),
    ("Tom, who works at Siemens, called", ("Tom", "works-at", "Siemens")),
    ("Luis trabaja en Mercadona desde marzo", ("Luis", "works-at", "Mercadona")),
    ("Mi prima Elena es ingeniera en Airbus", ("Elena", "works-at", "Airbus")),
    ("I work at Waterstones on Sundays", (ME, "works-at", "Waterstones")),
    ("I'm a nurse at the Royal Infirmary Hospital", (ME, "works-at", "Royal Infirmary Hospital")),
    ("Trabajo en Rappi, en el equipo de pagos", (ME, "works-at", "Rappi")),
    ("Curro para Globant desde casa", (ME, "works-at", "Globant")),
    ("My sister Eva studies law at the University of Leeds", ("Eva", "studies-at", "University of Leeds")),
    ("Estudio medicina en la Universidad de Granada", (ME, "studies-at", "Universidad de Granada")),
    ("Marek lives in Gdańsk", ("Marek", "lives-in", "Gdańsk")),
    ("My aunt Rosa has moved to Lisbon", ("Rosa", "lives-in", "Lisbon")),
    ("Ana works at Iberdrola and lives in Bilbao", ("Ana", "lives-in", "Bilbao")),
    ("Ana and Luis live in Oslo", ("Ana", "lives-in", "Oslo")),
    ("Mi vecino Julián vive cerca de Cáceres", ("Julián", "lives-in", "Cáceres")),
    ("Begoña se mudó a Quito el año pasado", ("Begoña", "lives-in", "Quito")),
    ("I live in Norwich with two cats", (ME, "lives-in", "Norwich")),
    ("Nos mudamos a Toledo en junio", (ME, "lives-in", "Toledo")),
    ("Vivo en Temuco", (ME, "lives-in", "Temuco")),
    ("Henrik is originally from Aarhus", ("Henrik", "comes-from", "Aarhus")),
    ("Soy de Barranquilla", (ME, "comes-from", "Barranquilla")),
    ("Frida Kahlo nació en Coyoacán", ("Frida Kahlo", "comes-from", "Coyoacán")),
    ("The Usher Hall is in Edinburgh", ("Usher Hall", "located-in", "Edinburgh")),
    ("I'm off to Portland, Oregon", ("Portland", "located-in", "Oregon")),
    ("El Hospital Clínic está en Barcelona", ("Hospital Clínic", "located-in", "Barcelona")),
    ("WhatsApp is part of Meta", ("WhatsApp", "part-of", "Meta")),
    ("Instagram pertenece a Meta", ("Instagram", "part-of", "Meta")),
    (
        "Ana is a member of the Bricklayers Allotment Society",
        ("Ana", "belongs-to", "Bricklayers Allotment Society"),
    ),
    ("Luis toca en Los Caimanes del Sur", ("Luis", "belongs-to", "Los Caimanes del Sur")),
    ("Tom's dog Rex bit the postman", ("Rex", "belongs-to", "Tom")),
    ("My cat Pixel sleeps all day", ("Pixel", "belongs-to", ME)),
    ("Ana knows Gareth from school", ("Ana", "knows", "Gareth")),
    ("Paula es amiga de Luis", ("Paula", "knows", "Luis")),
    ("My friend Katarzyna paints", (ME, "knows", "Katarzyna")),
    ("Mi jefa Graciela se jubila", (ME, "knows", "Graciela")),
    ("Ana is married to Luis", ("Ana", "family", "Luis")),
    ("Gareth's sister Eva is here", ("Gareth", "family", "Eva")),
    ("Ana y su marido Luis vienen mañana", ("Ana", "family", "Luis")),
    ("Eva es la hermana de Marek", ("Eva", "family", "Marek")),
    ("My sister Ana is flying in", (ME, "family", "Ana")),
    ("Mi hermano se llama Íñigo", (ME, "family", "Íñigo")),
    ("Ana, my cousin, paints", (ME, "family", "Ana")),
    ("Marek uses Photoshop for it", ("Marek", "uses", "Photoshop")),
    ("We use Trello for the flour", (ME, "uses", "Trello")),
    ("Luis usa Excel para todo", ("Luis", "uses", "Excel")),
    ('I am reading "The Quiet Orchard" by Amy Nutt', ("The Quiet Orchard", "made-by", "Amy Nutt")),
]

TEMPTING = [
    "Ana doesn't work at Iberdrola",
    "Ana wants to work at Iberdrola",
    "Does Ana work at Iberdrola?",
    "If Ana works at Iberdrola, I'll ask her",
    "Ana used to live in Oslo",
    "Ana lives for Oslo's summers",
    "Ana met Luis in Oslo, and Eva flew to Rome",
    "I used to work at Siemens back then",
    "I don't live in Norwich",
    "I wish I worked at Google",
    "Ojalá viviera en Granada",
    "Si vivo en Granada me arruino",
    "Luis no trabaja en Mercadona",
    "Luis quería trabajar en Mercadona",
    "¿Trabaja Luis en Mercadona?",
    'She said "I live in Paris and I hate it"',
    "Translate: 'I work at Google'",
    "Ana called. Iberdrola charged us twice",
    "Ana told Luis about Iberdrola",
    "I never said I work at Google",
    "Maybe Ana lives in Oslo",
    "Imagine I live in Kyoto",
    "Ana thinks of Oslo",
    "We don't use Trello",
    "Her sister Ana said so and my sister never did",
    "Tom's Toyota is in Leeds",
    "Today is for Sanjeev Kumar, my mother's pride",
    "I drove past Oxford, and London was next",
]


def related(text: str) -> set[tuple[str, str, str]]:
    return {(each.subject, each.kind, each.object) for each in relationships(text, recognize(text))}


@pytest.mark.parametrize(("text", "stated"), STATED, ids=[text for text, _ in STATED])
def test_what_is_stated_is_found(text, stated):
    assert stated in related(text)


@pytest.mark.parametrize("text", TEMPTING)
def test_what_only_looks_like_a_relationship_is_none(text):
    assert related(text) - {("Ana", "knows", "Luis")} == set()


def test_nothing_is_found_beside_what_is_stated():
    extra = {
        text: others
        for text, stated in STATED
        if (others := {each for each in related(text) - {stated} if each[0] != ME and each[2] != ME})
    }
    assert extra == {
        "Ana works at Iberdrola and lives in Bilbao": {("Ana", "works-at", "Iberdrola")},
        "Ana and Luis live in Oslo": {("Luis", "lives-in", "Oslo")},
    }


def test_the_words_that_state_it_are_quoted():
    text = "Well. My brother Gareth now works for the Home Office, I think."
    found = {each.kind: each for each in relationships(text, recognize(text))}
    assert found["works-at"].evidence == "Gareth now works for the Home Office"
    assert found["family"].evidence == "My brother Gareth"
    assert all(0 < each.confidence <= 1 and each.kind in KINDS for each in found.values())


def test_names_of_two_people_are_not_mixed_up():
    text = "Ana lives in Oslo. Luis lives in Rome. Eva and Marek work at Siemens and Google."
    assert related(text) >= {
        ("Ana", "lives-in", "Oslo"),
        ("Luis", "lives-in", "Rome"),
        ("Eva", "works-at", "Siemens"),
        ("Marek", "works-at", "Siemens"),
    }
    assert ("Ana", "lives-in", "Rome") not in related(text)


@settings(max_examples=50)
@given(
    st.lists(
        st.sampled_from(
            ["Ana", "Luis", "Oslo", "works at", "lives in", "and", "my sister", "Google", ".", "?"]
        ),
        max_size=15,
    )
)
def test_every_relationship_joins_two_mentions_and_quotes_the_text(words):
    text = " ".join(words)
    mentions = recognize(text)
    names = {mention.text for mention in mentions} | {SPEAKER}
    for each in relationships(text, mentions):
        assert each.subject != each.object
        assert {each.subject, each.object} <= names
        assert each.evidence in text


def test_many_names_are_joined_in_time_that_grows_with_the_text():
    text = "Ana lives in Oslo and " * 900
    assert related(text) == {("Ana", "lives-in", "Oslo")}
    mentions = [Mention(f"Ana{number}", "person", 0, 4) for number in range(2_000)]
    assert relationships("Ana1 lives in " * 1_400, mentions) == []
