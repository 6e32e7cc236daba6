"""Contradictions by a real cross-encoder in ONNX: `make small-models-test`."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper, numpy_helper, save
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from strata.adapters.model_files import NLI, add
from strata.adapters.onnx_entailment import OnnxEntailment
from strata.bootstrap import Overrides
from strata.domain.errors import ModelFailed, Unavailable
from strata.domain.times import DAY
from strata.services.knowledge.sweeping import CONTRADICTIONS
from support.clocks import HandClock
from support.memory import application
from support.swept import Announced, Judging, conclude, known, sweep

LABELS = ("contradiction", "entailment", "neutral")
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "tea", "coffee", "hot", "drinks")
FIRST = {"coffee": {"contradiction": 8.0}, "hot": {"entailment": 9.0}, "[PAD]": {"entailment": 9.0}}
"""The additions of words of a pair's first text to the logits, in which "neutral" has 5 for a start."""
SECOND = {"coffee": {"contradiction": 8.0}, "drinks": {"entailment": 9.0}}

DIFFERS = ("tea", "coffee")
FOLLOWS = ("hot tea", "drinks")
NEITHER = ("drinks", "hot")
LONG = ("tea " + "x " * 5_000 + "hot", "coffee " + "x " * 5_000 + "drinks")
"""A text that is entailed if all of it is read; its first tokens contradict each other."""


def build(folder: Path, labels: tuple[str, ...] = LABELS, *, reads_types: bool = True) -> str:
    """A cross-encoder that adds up a row of logits for each token: model, tokenizer and config."""
    folder.mkdir(parents=True)
    table = np.zeros((2 * len(WORDS), len(labels)), dtype=np.float32)
    for kind, told in enumerate((FIRST, SECOND if reads_types else {})):
        for word, logits in told.items():
            for label, logit in logits.items():
                table[kind * len(WORDS) + WORDS.index(word), labels.index(label)] = logit
    bias = np.zeros(len(labels), dtype=np.float32)
    bias[labels.index("neutral")] = 5.0
    fed = ["input_ids", "attention_mask", *(["token_type_ids"] if reads_types else [])]
    node = helper.make_node
    nodes = [
        node("Gather", ["table", "places"], ["rows"]),
        node("Cast", ["attention_mask"], ["read"], to=TensorProto.FLOAT),
        node("Unsqueeze", ["read", "last"], ["weights"]),
        node("Mul", ["rows", "weights"], ["weighed"]),
        node("ReduceSum", ["weighed", "tokens"], ["sums"], keepdims=0),
        node("Add", ["sums", "bias"], ["logits"]),
    ]
    if reads_types:
        shifted = [
            node("Mul", ["token_type_ids", "words"], ["shift"]),
            node("Add", ["input_ids", "shift"], ["places"]),
        ]
    else:
        shifted = [node("Identity", ["input_ids"], ["places"])]
    graph = helper.make_graph(
        [*shifted, *nodes],
        "nli",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in fed],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(labels)])],
        [
            numpy_helper.from_array(table, "table"),
            numpy_helper.from_array(bias, "bias"),
            numpy_helper.from_array(np.array([-1]), "last"),
            numpy_helper.from_array(np.array([1]), "tokens"),
            *([numpy_helper.from_array(np.array(len(WORDS)), "words")] if reads_types else []),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    save(model, folder / "model.onnx")
    tokenizer = Tokenizer(models.WordPiece({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"id2label": dict(enumerate(labels))}))
    return str(folder)


def install(tmp_path: Path, source: str, place: str = "models") -> Path:
    """The folder of the installed files."""
    add(NLI, source, str(tmp_path / place), licence="MIT", added="2026-01-01T00:00:00Z")
    (folder,) = (tmp_path / place).glob("nli-*")
    return folder


def reader(tmp_path: Path, place: str = "models") -> OnnxEntailment:
    return OnnxEntailment(str(tmp_path / place), tmp_path / "cache")


def verdicts(model: OnnxEntailment, *pairs: tuple[str, str]) -> list[str]:
    """The likeliest relation of each pair."""
    return [
        "contradicts" if each.contradicts > 0.9 else "follows" if each.follows > 0.7 else "neither"
        for each in model.judge(pairs)
    ]


def test_labels_are_read_from_the_config_in_whatever_order(tmp_path):
    other = ("entailment", "neutral", "contradiction")
    folders = [install(tmp_path, build(tmp_path / "one"), "a")]
    folders += [install(tmp_path, build(tmp_path / "two", other), "b")]
    readers = [reader(tmp_path, "a"), reader(tmp_path, "b")]

    found = [verdicts(each, DIFFERS, FOLLOWS, NEITHER) for each in readers]

    assert found == [["contradicts", "follows", "neither"]] * 2
    assert [each.model for each in readers] == [folder.name for folder in folders]
    assert readers[0].model != readers[1].model


def test_a_model_without_types_of_tokens_is_fed_none(tmp_path):
    install(tmp_path, build(tmp_path / "one", reads_types=False))

    assert verdicts(reader(tmp_path), ("hot", "x"), ("x", "x")) == ["follows", "neither"]


def test_long_texts_are_cut_both(tmp_path):
    install(tmp_path, build(tmp_path / "one"))

    assert verdicts(reader(tmp_path), LONG, (LONG[0], "coffee"), ("tea", LONG[1])) == ["contradicts"] * 3


def test_a_verdict_does_not_depend_on_the_pairs_beside_it(tmp_path):
    install(tmp_path, build(tmp_path / "one"))
    pairs = [DIFFERS, LONG, FOLLOWS, NEITHER, ("", "")] * 9

    together = reader(tmp_path).judge(pairs)

    alone = [reader(tmp_path).judge([pair])[0] for pair in pairs[:5]] * 9
    assert [each.follows for each in together] == pytest.approx([each.follows for each in alone], abs=1e-5)
    assert [each.contradicts for each in together] == pytest.approx(
        [each.contradicts for each in alone], abs=1e-5
    )
    assert reader(tmp_path).judge([]) == []


def damage_weights(folder: Path) -> None:
    (folder / "model.onnx").write_bytes((folder / "model.onnx").read_bytes()[:-1])


def lose_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def lose_manifest(folder: Path) -> None:
    (folder.parent / "nli.json").unlink()


def damage_manifest(folder: Path) -> None:
    (folder.parent / "nli.json").write_text("{")


def pin_another_digest(folder: Path) -> None:
    manifest = json.loads((folder.parent / "nli.json").read_text())
    manifest["files"]["config.json"] = "0" * 64
    (folder.parent / "nli.json").write_text(json.dumps(manifest))


@pytest.mark.parametrize(
    ("harm", "error", "message"),
    [
        (damage_weights, Unavailable, r"model\.onnx .* digest"),
        (lose_tokenizer, Unavailable, r"tokenizer\.json .* missing"),
        (lose_manifest, ModelFailed, "no model nli is installed"),
        (damage_manifest, Unavailable, "manifest"),
        (pin_another_digest, Unavailable, r"config\.json .* digest"),
    ],
)
def test_files_that_are_not_what_was_installed_are_never_loaded(
    tmp_path: Path, harm: Callable[[Path], None], error: type[Exception], message: str
):
    """Neither for a verdict nor for the name, under which verdicts are kept."""
    harm(install(tmp_path, build(tmp_path / "one")))
    install(tmp_path, build(tmp_path / "two"), "others")

    with pytest.raises(error, match=message):
        reader(tmp_path).judge([DIFFERS])
    with pytest.raises(error, match=message):
        _ = reader(tmp_path).model

    assert verdicts(reader(tmp_path, "others"), DIFFERS) == ["contradicts"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("model.onnx", "no weights"),
        ("tokenizer.json", "{}"),
        ("config.json", '{"id2label": {"0": "same", "1": "differs", "2": "neutral"}}'),
    ],
)
def test_a_model_that_was_damaged_before_it_was_installed_fails(tmp_path, name, content):
    source = Path(build(tmp_path / "one"))
    (source / name).write_text(content)
    install(tmp_path, str(source))

    with pytest.raises(ModelFailed, match="can't be run"):
        reader(tmp_path).judge([DIFFERS])


SUBJECTS = [
    "aikido",
    "archery",
    "astronomy",
    "baking",
    "ballet",
    "biking",
    "birds",
    "bowling",
    "boxing",
    "bridge",
    "camping",
    "canoes",
    "castles",
    "ceramics",
    "chess",
    "choir",
    "cinema",
    "climbing",
    "cooking",
    "cricket",
    "curling",
    "dancing",
    "darts",
    "diving",
    "drawing",
    "embroidery",
    "falconry",
    "fencing",
    "fishing",
    "football",
    "gardening",
    "geology",
    "golf",
    "guitars",
    "gymnastics",
    "handball",
    "harps",
    "hiking",
    "history",
    "hockey",
    "horses",
    "judo",
    "juggling",
    "karate",
    "kayaks",
    "knitting",
    "magic",
    "museums",
    "opera",
    "painting",
]


def of(subject: str) -> tuple[str, str]:
    return f"Takes tea while busy with {subject}", f"Takes coffee while busy with {subject}"


def test_five_hundred_pairs_go_through_all_three_stages_and_each_confirmation_is_one_event(tmp_path):
    """Twenty of Ann's and five of Bob's, of which two may be superseded on the first day."""
    install(tmp_path, build(tmp_path / "one"))
    contradicting = [set(of(each)) for each in SUBJECTS[:20]]

    def relations(pairs: list[dict[str, str]]) -> list[dict[str, str]]:
        told = [{each["first"], each["second"]} in contradicting for each in pairs]
        words = ["contradicts" if each else "differs" for each in told]
        return [{"id": each["id"], "relation": word} for each, word in zip(pairs, words, strict=True)]

    clock, announced, judge = HandClock(), Announced(), Judging(relations)
    overrides = Overrides(announcer=announced, language_model=judge)
    app = application(tmp_path / "data", clock, overrides, NLI_MODEL=str(tmp_path / "models"))
    owned = {"ann": SUBJECTS, "bob": SUBJECTS[:5]}
    for owner, subjects in owned.items():
        for subject in subjects:
            conclude(app, owner, *of(subject), subject=subject)

    counts = sweep(app).summary[CONTRADICTIONS]
    asked = [{each["first"], each["second"]} for question in judge.questions for each in question["pairs"]]
    clock.forward(DAY)
    later = sweep(app).summary[CONTRADICTIONS]

    assert (
        500 < counts["candidatePairs"] == counts["nliEvaluated"] <= 500 + 45
    )  # of Bob's ten notes 45 at most
    assert counts["nliContradictions"] == counts["judgeEvaluated"] == len(asked) < 500
    assert all(any("coffee" in text for text in pair) for pair in asked)
    assert (counts["confirmed"], counts["announced"], counts["waiting"]) == (25, 22, 3)
    assert (later["confirmed"], later["announced"], later["waiting"]) == (3, 3, 0)
    assert later["nliCacheHits"] > 0
    events = {(each.detail["userId"], each.detail["supersededId"]) for each in announced.events}
    assert len(announced.events) == len({each.id for each in announced.events}) == len(events) == 25
    for owner, subjects in owned.items():
        gone = [text for each in subjects[:20] for text in of(each) if text not in known(app, owner)]
        assert {name for told, name in events if told == owner} == {f"{owner}-{text}" for text in gone}
        assert len(known(app, owner)) == 2 * len(subjects) - len(subjects[:20])
