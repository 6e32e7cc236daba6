"""Fits the weights that find statements and patterns, and let newer statements take older ones' places."""

import json
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from unittest.mock import patch

import numpy as np

from evals.conclusions import patterns, singles
from evals.conclusions.diaries import Diary, read
from evals.conclusions.examples import clues_of, example, of_diaries, sighting, values_of
from evals.conclusions.linking import About, Row, differ, doubtful_rows, orders, people, rows, steady
from evals.conclusions.measure import Judged, Rules, judge, said
from evals.conclusions.stated import COMPARED, DOUBTFUL, Message, Part, parts
from evals.entities.fitting import train
from evals.entities.marked import hash_of
from evals.logistic import logistic
from strata.adapters.crf import CrfTagger
from strata.adapters.e5_embeddings import E5Embeddings
from strata.adapters.knowledge import sentence_links, sentence_statements, statements
from strata.adapters.knowledge.patterns.model import SentencePatterns
from strata.adapters.knowledge.sentence_links import SentenceLinks
from strata.adapters.knowledge.sentence_statements import SentenceStatements
from strata.domain.knowledge import link_weights, read_link_weights, succession
from strata.domain.knowledge.induction import conclude
from strata.domain.knowledge.links import link_features
from strata.domain.knowledge.stated import stated
from strata.domain.knowledge.statements import Proposal, Said, Sighting
from strata.domain.knowledge.succession import features, told
from strata.domain.knowledge.succession_weights import WEIGHTS

RECORD = statements.WEIGHTS.with_suffix(".json")
"""The file that tells which messages the weights in the package were fitted to."""
SUCCESSION = Path(succession.__file__).with_name("succession_weights.py")
LINKS = Path(succession.__file__).with_name("link_weights.py")
READ_LINKS = Path(succession.__file__).with_name("read_link_weights.py")
DOUBTFUL_LINKS = Path(succession.__file__).with_name("doubtful_link_weights.py")
_ITERATIONS = 60
_OTHERS = 6
"""So many older messages of other blocks are compared with each newer one."""
_FOLDS = 3
"""The number of groups of authors: weights that were fitted to the other groups read each group."""
_RIDGE, _RIDGE_OF_LINKS = 3.0, 30.0
_DRAWN, _PEOPLE = 5, 10
"""The number of people drawn from each author's blocks: for the fit, and for the control."""


def fit() -> str:
    """Fit all weights of the package to all training data. Returns what they were fitted to."""
    diaries, written = [*read("dev"), *read("train")], parts()
    found = crossed(diaries, written)
    patterns.write(patterns.fit_patterns(_histories(found)))
    _fit_readers(statements.WEIGHTS, sentence_statements.WEIGHTS, diaries, written)
    fitted = _fit_succession(diaries, written)
    SUCCESSION.write_text(_module("succession", fitted), encoding="ascii")
    with using(fitted):
        read_messages = SentenceStatements()
        _fit_comparing(sentence_links.WEIGHTS, read_messages, diaries, written)
        compared = [*written, *parts(COMPARED)]
        _fit_comparing(sentence_links.DOUBTFUL, read_messages, diaries, compared, doubtful=True)
        doubtful = _fit_doubtful(parts(DOUBTFUL))
    links, read_links = _fit_links(found)
    LINKS.write_text(_module("links", links), encoding="ascii")
    READ_LINKS.write_text(_module("links that are read", read_links), encoding="ascii")
    DOUBTFUL_LINKS.write_text(_module("links of doubtful statements", doubtful), encoding="ascii")
    told_of = record(diaries, written) | {"bytes": statements.WEIGHTS.stat().st_size}
    RECORD.write_text(json.dumps(told_of, indent=2) + "\n", encoding="ascii")
    return RECORD.read_text(encoding="ascii")


def record(diaries: Sequence[Diary], written: Sequence[Part]) -> dict[str, object]:
    """Digests of the training data, of some clues and of what is compared: they tell of a missing fit."""
    messages = [each for part in written for each in part.messages]
    some = [list(clues_of(each.text)) for each in messages[::50]]
    compared = [sorted(each.items()) for each, _ in _pairs([], written[:1])[:50]]
    return {
        "messages": len(messages) + sum(len(diary.lines) for diary in diaries),
        "digest": hash_of([messages, [diary.lines for diary in diaries]]),
        "clues": hash_of(some),
        "compared": hash_of([*compared, *sorted(_linked(written[0]))]),
    }


@dataclass(frozen=True, slots=True)
class Fold:
    """Diaries of a third of the authors, read by weights that were fitted without them.

    Attributes:
        diaries: each with its sightings.
        succession: the weights that compare the words of two statements.
        compare: reads two statements, fitted without them and a third of the single messages.
        rows, read: the links between the statements of these diaries, and of people made of these messages:
            by words alone, and read.
    """

    diaries: Sequence[tuple[Diary, Sequence[Sighting]]]
    succession: dict[str, float]
    compare: SentenceLinks
    rows: Sequence[Row]
    read: Sequence[Row]


def crossed(diaries: Sequence[Diary], written: Sequence[Part]) -> list[Fold]:
    """The training diaries, each read by weights that were fitted without its author."""
    found: list[Fold] = []
    for number in range(_FOLDS):
        held = [each for each in diaries if author(each) % _FOLDS == number]
        others = [each for each in diaries if author(each) % _FOLDS != number]
        with tempfile.TemporaryDirectory() as folder:
            clues, sentences = Path(folder) / "clues", Path(folder) / "sentences.npz"
            links = Path(folder) / "links.npz"
            _fit_readers(clues, sentences, others, written)
            read_messages = SentenceStatements(sentences, CrfTagger(clues, "a fold"))
            seen = [(diary, read_messages(said(diary))) for diary in held]
            fitted = _fit_succession(others, written)
            with using(fitted):
                known = [each for place, each in enumerate(written) if place % _FOLDS != number]
                _fit_comparing(links, read_messages, others, known)
                compare = SentenceLinks(links)
                told_by = [_told(*each) for each in seen]
                told_by += _people([each for each in written if each not in known], _DRAWN, seed=2)
                by_words, read = (
                    [row for each in told_by for row in rows(each, by)] for by in (None, compare)
                )
                found.append(Fold(seen, fitted, compare, by_words, read))
    return found


def folds() -> Iterator[Judged]:
    """Judge the conclusions from all training diaries, each by weights that don't know its author."""
    written = parts()
    found = crossed([*read("dev"), *read("train")], written)
    groupings = {
        number: SentencePatterns(E5Embeddings(), weights)
        for number, weights in patterns.left_out(_histories(found))
    }
    for fold in found:
        fitted = _fit_links([each for each in found if each is not fold])
        with using(fold.succession, *fitted):
            for diary, seen in fold.diaries:
                concluded = conclude(seen, groupings[author(diary) % patterns.FOLDS], fold.compare)
                yield judge(_given(concluded), diary)


def _histories(found: Sequence[Fold]) -> list[patterns.History]:
    return patterns.histories([each for fold in found for each in fold.diaries], author, E5Embeddings())


def _given(concluded: Sequence[Proposal]) -> Rules:
    return lambda _: concluded


def control() -> str:
    """Count the values that stand when people change half of theirs, by the weights of the package."""
    return steady(_people(parts(), _PEOPLE, seed=1), SentenceLinks())


@contextmanager
def using(
    fitted: dict[str, float], links: dict[str, float] | None = None, read: dict[str, float] | None = None
) -> Iterator[None]:
    """Use these weights to compare statements inside the `with` block."""
    of_links, of_read = link_weights.WEIGHTS, read_link_weights.WEIGHTS
    with patch.dict(WEIGHTS, fitted), patch.dict(of_links, links or {}), patch.dict(of_read, read or {}):
        yield


def _told(diary: Diary, seen: Sequence[Sighting]) -> list[About]:
    """The statements of a diary in order, each with the conflict that its line belongs to."""
    labels = {each.at: line.label for each, line in zip(said(diary), diary.lines, strict=True)}
    stated_in = [each for each in seen if each.stated and each.single]
    return [(each, labels[each.at][:2] if labels[each.at][0] == "c" else "") for each in stated_in]


def _linked(part: Part) -> list[tuple[str, float]]:
    """The features of a link, for the digest."""
    first, second = (sighting(each) for each in (part.blocks[0].older, part.blocks[0].newer))
    (found,) = link_features(second, [(first, 1.0)])
    return list(found.items())


def _people(written: Sequence[Part], number: int, seed: int) -> list[list[About]]:
    """So many people of each author, who change half of their values."""
    return [told_by for part in written for told_by in people(part, sighting, number, seed)]


def _fit_links(found: Sequence[Fold]) -> tuple[dict[str, float], dict[str, float]]:
    """The weights of links by words alone, and of those that are read."""
    by_words = [row for each in found for row in each.rows]
    read = [row for each in found for row in each.read]
    return _regression(by_words, _RIDGE_OF_LINKS), _regression(read, _RIDGE_OF_LINKS)


def _fit_doubtful(written: Sequence[Part]) -> dict[str, float]:
    """The weights of doubtful statements' links, from authors whom nothing that reads them knows."""
    read_messages, compare = SentenceStatements(), SentenceLinks()
    told_by = (_told(diary, read_messages(said(diary))) for diary in singles.diaries(written))
    return _regression([row for each in told_by for row in doubtful_rows(each, compare)], _RIDGE_OF_LINKS)


def author(diary: Diary) -> int:
    """The number of its author: 0 of the diaries that were developed on, else the first digit of theirs."""
    number = diary.id[2:]
    return int(number[0]) if len(number) > 2 else 0


def _fit_readers(clues: Path, sentences: Path, diaries: Sequence[Diary], written: Sequence[Part]) -> None:
    """Fit both readers of statements: by clues, and by the sentence model, which takes half an hour."""
    from evals.conclusions import tagging

    messages = [*(each for part in written for each in part.messages), *of_diaries(diaries)]
    train(clues, filter(None, map(example, messages)), _ITERATIONS)
    tagging.fit(sentences, messages)


def _fit_comparing(
    path: Path,
    read_messages: SentenceStatements,
    diaries: Sequence[Diary],
    written: Sequence[Part],
    *,
    doubtful: bool = False,
) -> None:
    """Fit what reads two statements, of which the newer one is doubtful or not, which takes ten minutes."""
    from evals.conclusions import comparing

    def likeliest(message: Message) -> Sighting | None:
        found = stated(Said(message.text, 0, "", 0), read_messages.tags, least=0)
        return max((each for each in found if each.single), key=lambda each: each.sure, default=None)

    told_by = [_told(diary, read_messages(said(diary))) for diary in diaries]
    comparing.fit(path, comparing.pairs(written, told_by, likeliest if doubtful else None))


def _fit_succession(diaries: Sequence[Diary], written: Sequence[Part]) -> dict[str, float]:
    """The weights of a logistic regression with a ridge."""
    return _regression(_pairs(diaries, written), _RIDGE)


def _regression(found: Sequence[Row], ridge: float) -> dict[str, float]:
    names = list(found[0][0])
    matrix = np.array([[float(each[name]) for name in names] for each, _ in found])
    right = np.array([float(each) for _, each in found])
    bias, *weights = np.round(logistic(matrix, right, np.ones(len(right)), ridge=ridge), 3).tolist()
    return dict(zip((*names, "bias"), (*weights, bias), strict=True))


def _pairs(diaries: Sequence[Diary], written: Sequence[Part]) -> list[Row]:
    """Statements of one block or conflict, and as many of others."""
    draw = random.Random(3)
    found: list[Row] = []
    for part in written:
        for block in part.blocks:
            for older, newer in orders(block):
                later = told(sighting(newer))
                found.append((dict(features(told(sighting(older)), later)), True))
                for other in draw.sample(part.blocks, min(_OTHERS, len(part.blocks))):
                    if differ(other, block):
                        (message, _) = draw.choice(list(orders(other)))
                        found.append((dict(features(told(sighting(message)), later)), False))
    for diary in diaries:
        lines = [line for line in diary.lines if line.label.startswith("c")]
        seen = {line: sighting(Message(line.text, values_of(diary, line))) for line in lines}
        for first, second in combinations(lines, 2):
            if first.day < second.day:
                same = first.label[:2] == second.label[:2]
                found.append((dict(features(told(seen[first]), told(seen[second]))), same))
    return found


def _module(name: str, weights: dict[str, float]) -> str:
    lines = "".join(f'    "{each}": {weight},\n' for each, weight in weights.items())
    return (
        f'"""Weights of {name}, written by `python -m evals.conclusions fit`: not to be changed by '
        'hand."""\n\n'
        f"WEIGHTS: dict[str, float] = {{\n{lines}}}\n"
    )
