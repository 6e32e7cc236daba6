"""Names are found in the words around them, and capitals alone name nothing."""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from strata.adapters.entities import builtin
from strata.adapters.entities.builtin import recognize
from strata.domain.entities.shapes import ENTITY_TYPES
from strata.domain.errors import ModelFailed


def found(text: str) -> list[tuple[str, str]]:
    return [(mention.type, mention.text) for mention in recognize(text)]


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("My brother Gareth is staying with us", [("person", "Gareth")]),
        ("Lunch with Dr. Osei-Bonsu at noon", [("person", "Osei-Bonsu")]),
        ("I fly to Lisbon and come back from Porto", [("place", "Lisbon"), ("place", "Porto")]),
        ("Charlotte said she'd fly to Charlotte", [("person", "Charlotte"), ("place", "Charlotte")]),
        ("I studied at the University of Leeds", [("organization", "University of Leeds")]),
        ("We met at the Harbour Lights Festival", [("event", "Harbour Lights Festival")]),
        ("Our dog Pickle ate the post", [("thing", "Pickle")]),
        (
            "She is a nurse at Addenbrooke's in Cambridge",
            [("organization", "Addenbrooke's"), ("place", "Cambridge")],
        ),
        ("Marek's sister lives near Gdańsk", [("person", "Marek"), ("place", "Gdańsk")]),
        ("Mi perro Toby ladra y mi vecino Toby no", [("thing", "Toby"), ("person", "Toby")]),
        ("My friend Hannah Weiss came with Freddie", [("person", "Hannah Weiss"), ("person", "Freddie")]),
        ("Kwame beat me at chess", [("person", "Kwame")]),
        ("I met Anna and O. Soto yesterday", [("person", "Anna"), ("person", "O. Soto")]),
        ("A. Ruiz called.", [("person", "A. Ruiz")]),
        ('I loved reading "The Quiet Orchard" last week', [("thing", "The Quiet Orchard")]),
        ("MY SISTER ANA IS IN LEEDS", [("person", "ANA"), ("place", "LEEDS")]),
        ("MI HERMANA LUCÍA VIVE EN BILBAO", [("person", "LUCÍA"), ("place", "BILBAO")]),
        ("Cena con J. M. Aldecoa el viernes", [("person", "J. M. Aldecoa")]),
        ("Cena con Nerea, Asier y los demás", [("person", "Nerea"), ("person", "Asier")]),
        ("A flat on Elm Grove", [("place", "Elm Grove")]),
        ("Have you been to New York City?", [("place", "New York City")]),
        ("The parcel from IKEA is late", [("organization", "IKEA")]),
        ("my cousin elena lives in oslo", [("person", "elena"), ("place", "oslo")]),
        ("Mi vecina Remedios vive en Cáceres", [("person", "Remedios"), ("place", "Cáceres")]),
        ("Trabajo en la Clínica San Roque desde mayo", [("organization", "Clínica San Roque")]),
        ("Quedamos en la plaza de la Cebada", [("place", "plaza de la Cebada")]),
        ("Ayer me llamó Begoña por lo del piso", [("person", "Begoña")]),
        ("Voy a la Feria del Libro con Íñigo", [("event", "Feria del Libro"), ("person", "Íñigo")]),
        ("mi hermana lucía se muda a bilbao", [("person", "lucía"), ("place", "bilbao")]),
        ("Had dinner with Zorbek, then ran into Quilla", [("person", "Zorbek"), ("person", "Quilla")]),
        ("El jueves le gané a Tarzo al ajedrez", [("person", "Tarzo")]),
        ("Tomorrow is Zorbek's wedding", [("person", "Zorbek")]),
        ("I keep calling Wei Han by mistake", [("person", "Wei Han")]),
        ("My son got into Brindlemoor", [("organization", "Brindlemoor")]),
        ("Yeah John, that sounds right", [("person", "John")]),
        ("My brother Finn is staying with us", [("person", "Finn")]),
        ("Mi hijo Jesús vive en Bilbao", [("person", "Jesús"), ("place", "Bilbao")]),
        ("My boss NGUYEN called", [("person", "NGUYEN")]),
        ("I met Jose\u0301 Marti\u0301nez yesterday", [("person", "Jose\u0301 Marti\u0301nez")]),
        ("My sister Marta Gil lives in Bilbao.", [("person", "Marta Gil"), ("place", "Bilbao")]),
        ("Oye Nerea, ¿vienes mañana?", [("person", "Nerea")]),
        ("We camped on the banks of the Tharle", [("place", "Tharle")]),
    ],
)
def test_names_are_found_with_their_types(text, entities):
    for entity in entities:
        assert entity in found(text)
    assert len(found(text)) <= len(entities)


FIRST = "Tom Ana Maria John Peter Lucy Carlos Elena Sarah James Laura Miguel Emma David Sofia Anna Paul Marta Luis Kate".split()  # fmt: skip # noqa: E501, SIM905
LAST = "Baker Stone Ruiz Garcia Weaver Smith Okafor Novak Müller Lopez Brown Diaz Chen Singh Romero Hill Young Vega Patel".split()  # fmt: skip # noqa: E501, SIM905
PLAIN = (
    "{} lives in Madrid.",
    "{} called.",
    "{} works at Siemens.",
    "I met {} yesterday.",
    "My sister {} moved to Leeds.",
    "{} likes tea.",
    "{} vive en Bilbao.",
    "Ayer hablé con {}.",
    "{} trabaja en Airbus.",
    "{} said the report is late.",
    "The dentist is {}.",
    "{} prefers mornings.",
)


def test_plain_sentences_about_people_with_common_names_are_read_with_few_exceptions():
    surnames = cycle(LAST)
    people = [(each, name) for each in PLAIN for one in FIRST for name in (one, f"{one} {next(surnames)}")]
    right = sum(("person", name) in found(each.format(name)) for each, name in people)
    assert len(people) == 480
    assert right >= 470


@pytest.mark.parametrize(
    "text",
    [
        "Cherish the moments. Painting is fun.",
        "Woah, that looks great! Nature's really something else.",
        "Anyways, parenting is such a big responsibility",
        "NO ME LO PUEDO CREER",
        "I went to the LGBTQ group on Friday",
        'She said "Come here" and left',
        "Yes. Maybe on Monday, or in May?",
        "The Professor spoke English and the CEO spoke Dutch",
        "Read CHANGELOG.md, `Alice` and https://example.com/Bob/Paris",
        "Happy Easter! Have a Caesar salad.",
        "Mum said Dad is late",
        "Level 3 and Box 14 are done",
        "Buenos días. Perfecto.",
        "Mejor el Martes que el Viernes, y en Mayo",
        "Ponle jamón York",
        "La API devuelve un JSON",
        "Bill the client. Frank advice only, please.",
        "Victoria por la mínima",
        "Estimada Señora Directora",
    ],
)
def test_capitals_alone_name_nothing(text):
    assert found(text) == []


def test_the_same_word_is_judged_by_what_stands_around_it():
    text = "I saw Victoria at the party, she says hi"
    assert found(text) == [("person", "Victoria")]
    assert found("We live in Victoria now, near the coast") == [("place", "Victoria")]


def test_names_beyond_the_longest_text_are_left_out():
    spaces = " " * 50_000
    assert found(f"Ana {spaces}Tom called Luis") == [("person", "Ana")]


def test_texts_of_two_people_are_read_at_once_as_one_after_the_other():
    """A tagger keeps the text that it reads."""
    texts = [
        f"My {who} {name} lives in {town} and works at {firm}. " * 5
        for who, name, town, firm in (
            ("sister", "Ana Ruiz", "Oslo", "Siemens"),
            ("friend", "Gareth", "Leeds", "Deloitte"),
        )
    ] + ["Mi vecina Remedios vive en Cáceres y trabaja en Mercadona. " * 5]
    alone = [recognize(text) for text in texts]
    assert len({mentions[0].text for mentions in alone}) == 3
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(recognize, texts * 40)) == alone * 40


def test_a_text_of_several_pieces_is_read_to_its_end():
    text = "nothing to see here. " * 400 + "My sister Ana lives in Oslo."
    assert [(each.text, text[each.start : each.end]) for each in recognize(text)] == [
        ("Ana", "Ana"),
        ("Oslo", "Oslo"),
    ]


@pytest.mark.parametrize("content", [None, b"no weights"])
def test_weights_that_are_missing_or_damaged_are_named(tmp_path, monkeypatch, content):
    path = tmp_path / "weights.crfsuite"
    if content is not None:
        path.write_bytes(content)
    monkeypatch.setattr(builtin, "WEIGHTS", path)
    with pytest.raises(ModelFailed, match=r"weights\.crfsuite"):
        recognize("Ana")


def test_weights_that_are_cut_off_are_refused_before_they_are_read(tmp_path, monkeypatch):
    path = tmp_path / "weights.crfsuite"
    path.write_bytes(builtin.WEIGHTS.read_bytes()[:5000])
    path.with_suffix(".json").write_bytes(builtin.WEIGHTS.with_suffix(".json").read_bytes())
    monkeypatch.setattr(builtin, "WEIGHTS", path)
    with pytest.raises(ModelFailed, match="length"):
        recognize("Ana")


def test_an_installation_without_crfsuite_says_so(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    monkeypatch.setattr(builtin, "WEIGHTS", tmp_path / "weights")
    with pytest.raises(ModelFailed, match="pycrfsuite"):
        recognize("Ana")


def test_a_shorter_form_goes_with_the_longer_one():
    (mention,) = recognize("Tom Haverford called. I like Tom, but Haverford is always late.")
    assert (mention.text, mention.also) == ("Tom Haverford", ("Haverford", "Tom"))


def test_who_somebody_is_to_the_speaker_is_told():
    roles = {each.text: each.role for each in recognize("My sister Ana met Paula, my dentist, and Luis.")}
    assert roles == {"Ana": "sister", "Paula": "dentist", "Luis": ""}


@pytest.mark.parametrize(
    ("text", "pets"),
    [
        ("Our dog Max ate it", {"Max"}),
        ("And yes, I do: Oscar, my guinea pig.", {"Oscar"}),
        ("We got another cat named Bailey", {"Bailey"}),
        ("Mi gata se llama Carmen", {"Carmen"}),
        ("My dog's trainer is called Max", set()),
        ("Anna, my cat is ill", set()),
        ("The dog that Maria adopted sleeps", set()),
        ("I left the cat with Lucy", set()),
        ("My sister Ana has a dog", set()),
        ("I read it on my Kindle while the dog sleeps", set()),
    ],
)
def test_who_is_told_to_be_a_pet_is_a_thing_with_this_role(text, pets):
    mentions = recognize(text)
    assert {each.text for each in mentions if each.role == "pet"} == pets
    assert all(each.type == "thing" for each in mentions if each.role == "pet")


@pytest.mark.parametrize(
    "text",
    ["Open Documents/Maria/Ana.docx", "See Anna_Smith and PLEASE_READ.MD", "C:\\Users\\Tom\\notes.txt"],
)
def test_files_their_paths_and_identifiers_name_nobody(text):
    assert found(text) == []


HOSTILE = [
    "Ana " * 12_500,
    "Dr. " * 12_500,
    "A" * 50_000,
    "University of the " * 2_800,
    "Ana de la " * 5_000,
    '"Ana' * 12_500,
    "```" * 16_000,
    "in Rome, " * 5_600,
    "'S" * 25_000,
    "a.b@" * 12_500,
    "<A" * 25_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_text_is_read_in_time_that_grows_with_its_length(text):
    for mention in recognize(text):
        assert text[mention.start : mention.end] == mention.text


PIECES = st.sampled_from(
    [
        "Ana",
        "Ruiz",
        "in",
        "Rome",
        "the",
        "of",
        "University",
        "de",
        "la",
        "I",
        "'s",
        '"',
        ".",
        ",",
        " ",
        "\n",
        "May",
        "`",
        "ñÁ",
        "3",
    ]
)


@settings(max_examples=50)
@given(st.one_of(st.lists(PIECES, max_size=25).map(" ".join), st.text(max_size=80)))
def test_every_mention_is_quoted_from_the_text_once(text):
    mentions = recognize(text)
    assert mentions == recognize(text)
    assert len({(each.type, each.text.lower()) for each in mentions}) == len(mentions)
    for mention in mentions:
        assert text[mention.start : mention.end] == mention.text
        assert mention.type in ENTITY_TYPES
        assert 0 < mention.confidence <= 1
        assert all(other in text for other in mention.also)
