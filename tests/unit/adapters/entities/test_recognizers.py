"""Models find spans, and every recognizer gives mentions by the same rules."""

import json
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers
from typer.testing import CliRunner

from strata.adapters.entities import spacy
from strata.adapters.entities.builtin import BuiltInRecognizer
from strata.adapters.entities.onnx import OnnxRecognizer
from strata.adapters.entities.spacy import SpacyRecognizer
from strata.adapters.model_files import NER, add
from strata.bootstrap.recognizers import entity_recognizer
from strata.cli.app import app
from strata.domain.entities.shapes import Mention
from strata.domain.errors import ModelFailed, Unavailable
from strata.settings.environment import SettingsError, load

LABELS = ["O", "B-PER", "I-PER", "B-ORG", "B-LOC"]
WORDS = {"[UNK]": "O", "Ana": "B-PER", "Ruiz": "I-PER", "Ib": "B-ORG", "##erdrola": "O", "Oslo": "B-LOC"}
WORDS |= {"Mr": "B-PER", "Lee": "I-PER"} | dict.fromkeys(["works", "in", "at", "and", "'", "s"], "O")


class Session:
    """Gives each token the label that its word has in the table, as a trained model would."""

    def __init__(self, model: str, providers: list[str]) -> None:
        self.windows: list[int] = []

    def get_inputs(self):
        return [SimpleNamespace(name="input_ids"), SimpleNamespace(name="attention_mask")]

    def run(self, names, feed):
        assert set(feed) == {"input_ids", "attention_mask"}
        ids = feed["input_ids"][0]
        logits = np.zeros((1, len(ids), len(LABELS)), dtype=np.float32)
        told = list(WORDS.values())
        for place, number in enumerate(ids):
            logits[0, place, LABELS.index(told[number])] = 5.0
        return [logits]


@pytest.fixture
def classifier(tmp_path, monkeypatch):
    numbers = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]", max_input_chars_per_word=50))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "config.json").write_text(json.dumps({"id2label": dict(enumerate(LABELS))}))
    (tmp_path / "model.onnx").write_bytes(b"weights")
    monkeypatch.setitem(sys.modules, "onnxruntime", SimpleNamespace(InferenceSession=Session))
    models_folder = str(tmp_path / "models")
    add(NER, str(tmp_path), models_folder, licence="MIT", added="")
    return OnnxRecognizer(models_folder, tmp_path)


def test_a_token_classifier_gives_whole_words_and_names(classifier):
    mentions = classifier.recognize("Ana Ruiz works at Iberdrola in Oslo")
    assert [(each.type, each.text, each.start, each.end) for each in mentions] == [
        ("person", "Ana Ruiz", 0, 8),
        ("organization", "Iberdrola", 18, 27),
        ("place", "Oslo", 31, 35),
    ]
    assert all(0.9 < each.confidence <= 1 for each in mentions)


def test_titles_and_possessives_are_outside_and_shorter_forms_go_with_the_longer(classifier):
    (mention,) = classifier.recognize("Mr Lee works and Lee 's at Lee")
    assert (mention.text, mention.start, mention.also) == ("Lee", 3, ())
    (mention,) = classifier.recognize("Ana works and Ana Ruiz works")
    assert (mention.text, mention.also) == ("Ana Ruiz", ("Ana",))


def test_a_text_longer_than_a_window_is_read_to_its_end(classifier):
    text = "works " * 2_000 + "in Oslo"
    (mention,) = classifier.recognize(text)
    assert text[mention.start : mention.end] == "Oslo"


def test_a_model_that_is_not_there_or_damaged_is_named(tmp_path, classifier):
    with pytest.raises(ModelFailed, match="no model ner is installed"):
        OnnxRecognizer(str(tmp_path / "nowhere"), tmp_path).recognize("Ana")
    next((tmp_path / "models").glob("ner-*/tokenizer.json")).write_text("{}")
    with pytest.raises(Unavailable, match="another digest"):
        classifier.recognize("Ana")


def test_a_model_that_cannot_be_run_says_so(classifier, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(ModelFailed, match="can't be run"):
        classifier.recognize("Ana")


ANA = Mention("Ana Ruiz", "person", 8, 16)


def named(name, text):
    return [(each.type, each.text) for each in SpacyRecognizer(name).recognize(text)]


class Pipeline:
    """A pipeline that finds these spans."""

    spans = (
        ("Zbyněk", "PERSON"),
        ("Oxmoor", "GPE"),
        ("Thurne", "GPE"),
        ("Monday", "DATE"),
        ("Ana Ruiz", "ORG"),
        ("KeyError", "ORG"),
        ("Grey Men", "ORG"),
        ("Polish", "NORP"),
    )

    def __init__(self, name):
        self.lang = name

    def __call__(self, text):
        found = [(text.index(name), name, label) for name, label in self.spans if name in text]
        ents = [
            SimpleNamespace(start_char=at, end_char=at + len(name), label_=label) for at, name, label in found
        ]
        return SimpleNamespace(ents=ents)


def test_a_pipeline_of_spacy_adds_what_the_weights_do_not_find(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=Pipeline))
    monkeypatch.setattr(spacy, "recognize", lambda text: [ANA])
    text = "Oxmoor: Ana Ruiz has the Polish of Zbyněk and a KeyError of the Grey Men at Thurne on Monday"
    ours = ("person", "Ana Ruiz")
    assert named("en", text) == [ours, ("place", "Thurne")]
    assert named("cs", text) == [
        ("place", "Oxmoor"),
        ours,
        ("person", "Zbyněk"),
        ("organization", "Grey Men"),
        ("place", "Thurne"),
    ]


def test_a_pipeline_reads_texts_in_its_language(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", SimpleNamespace(load=Pipeline))
    monkeypatch.setattr(spacy, "recognize", lambda text: [])
    spanish = "Me dice que lo de Thurne es de la semana pasada"
    assert (named("en", spanish), named("es", spanish)) == ([], [("place", "Thurne")])
    english = "She says that the one at Thurne is from the week before"
    assert (named("en", english), named("es", english)) == ([("place", "Thurne")], [])


def test_a_pipeline_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(ModelFailed, match="en_core_web_sm is not installed"):
        SpacyRecognizer("en_core_web_sm").recognize("Ana")


@pytest.mark.parametrize(
    ("chosen", "kind"),
    [("builtin", BuiltInRecognizer), ("ner", OnnxRecognizer), ("spacy:en_core_web_sm", SpacyRecognizer)],
)
def test_the_setting_chooses(chosen, kind):
    assert isinstance(entity_recognizer(load({"STRATA_ENTITIES": chosen})), kind)


def test_a_model_is_added_where_the_setting_looks_for_it(classifier, tmp_path, monkeypatch):
    """Two folders of models: the data folder's, and one that the setting names."""
    other = tmp_path / "other"
    for told, place in (("ner", tmp_path / "data" / "models"), (f"ner:{other}", other)):
        monkeypatch.setenv("STRATA_DATA", str(tmp_path / "data"))
        monkeypatch.setenv("STRATA_ENTITIES", told)
        added = CliRunner().invoke(app, ["models", "add", "ner", str(tmp_path), "--licence", "MIT"])
        assert added.exit_code == 0, added.output
        assert json.loads((place / "ner.json").read_text())["licence"] == "MIT"
        assert [each.text for each in entity_recognizer(load()).recognize("Ana in Oslo")] == ["Ana", "Oslo"]


@pytest.mark.parametrize("wrong", ["bert", "rules", "ner:", "onnx:models", "spacy:../x y"])
def test_another_choice_is_refused(wrong):
    with pytest.raises(SettingsError, match="STRATA_ENTITIES"):
        load({"STRATA_ENTITIES": wrong})
