"""Fit or measure the reranker of the package: `python -m evals.relevance.reranker [fit|weigh|PART ...]`.

`weigh` fits anew what is told of a message alone, and how the log odds are weighed beside those of the rules,
as `fit` does in the end. To fit needs torch beside the project's own environment: `pip install torch`.
"""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evals.entities.marked import hash_of
from evals.logistic import logistic
from evals.relevance.examples import Query, load
from evals.relevance.measure import auroc, calibration_error
from evals.relevance.reranker.found import Found, Hit, author, found, further_queries
from evals.relevance.reranker.message import fit_message
from strata.adapters.e5_fitted import blend
from strata.adapters.fitted_reranker import WEIGHTS, FittedReranker, loaded_once, signs
from strata.ports.reranker import Passage
from strata.services.search.reranking import DEPTH, is_doubtful

FITTED_TO = ("dev", "learn")
LEFT_OUT = ("n", "o", "ad", "ae")
"""Authors of `learn` whom the model does not know: by them its log odds are weighed beside the rules'."""
WEIGHED_BY = ("dev2", "own")
"""Parts that the model does not know, by which they are weighed, too."""
MEASURED = ("dev2", "own", "kept", "kept2")
RECORD = Path(__file__).with_name("fitted.json")
"""The file that tells which examples the weights in the package were fitted to."""
_RIDGE = 1.0
_HELPFUL = {False: 2.0, True: 2.5}
"""The weight of a note (False) or a turn that helps against one that does not: to lose an answer costs more
than to give one memory too many. Of notes fewer of those given would help with that of turns."""
_FIRST = 5


def record() -> dict[str, object]:
    """Digests of the examples that the weights are fitted to, and of those that they are weighed by."""
    told: dict[str, object] = {"left_out": LEFT_OUT}
    for name, parts, further in (("fitted", FITTED_TO, further_queries()), ("weighed", WEIGHED_BY, [])):
        examples = load(parts)
        rows = [
            (each.id, each.project, each.language, each.speaker, each.title, each.text)
            for each in examples.rows
        ]
        queries = [
            (each.id, each.project, each.language, each.kind, each.text, sorted(each.helps))
            for each in (*examples.queries, *further)
        ]
        told[name] = hash_of((rows, queries))
    return json.loads(json.dumps(told))  # type: ignore[no-any-return]  # as the file has it


def main(arguments: Sequence[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(prog="python -m evals.relevance.reranker", description=__doc__)
    parser.add_argument(
        "tasks", nargs="*", choices=(*MEASURED, "fit", "weigh", []), help="without: dev2, own"
    )
    options = parser.parse_args(arguments)
    if "fit" in options.tasks:
        from evals.relevance.reranker.fitting import fit

        fit(found(FITTED_TO, further_queries(), without=LEFT_OUT))
    if {"fit", "weigh"} & set(options.tasks):
        _add("message", fit_message(FittedReranker(), messages_of_known()))
        _add("weighed", weigh(FittedReranker()))
        RECORD.write_text(json.dumps(record(), indent=2) + "\n", encoding="ascii")
    reranker = FittedReranker()
    for part in [each for each in options.tasks if each in MEASURED] or WEIGHED_BY:
        print(f"{part}\n{shown(reranker, found([part]))}\n")
    return 0


def messages_of_known() -> list[Query]:
    """The messages of the authors whom the model knows, and the titles of their notes as key words."""
    examples = load(FITTED_TO)
    queries = [each for each in examples.queries if author(each.id) not in LEFT_OUT]
    titles = [
        Query(each.id, each.language, "answerable", each.title)
        for each in examples.rows
        if each.title and author(each.id) not in LEFT_OUT
    ]
    return [*queries, *further_queries(), *titles]


def unknown() -> list[Found]:
    """The searches by which the model's log odds are weighed."""
    return [*found(["learn"], without=_authors() - set(LEFT_OUT)), *found(WEIGHED_BY)]


def _authors() -> set[str]:
    return {author(each.id) for each in load(["learn"]).queries}


def weigh(reranker: FittedReranker) -> NDArray[np.float64]:
    """The bias and the weights of what `signs` gives, by a logistic regression."""
    rows, truth, weights = [], [], []
    for search in unknown():
        hits = [hit for hit in search.hits[:DEPTH] if is_doubtful(hit.passage.relevance)]
        passages = [hit.passage for hit in hits]
        rows += signs(passages, *_told(reranker, search.query.text, passages))
        truth += [float(hit.helps) for hit in hits]
        weights += [_HELPFUL[hit.passage.is_turn] if hit.helps else 1.0 for hit in hits]
    return logistic(np.array(rows), np.array(truth), np.array(weights), ridge=_RIDGE).round(3)


def _told(
    reranker: FittedReranker, query: str, passages: Sequence[Passage]
) -> tuple[list[float], tuple[float, ...]]:
    return reranker.odds(query, passages), reranker.message(query)


def _add(name: str, numbers: NDArray[Any]) -> None:
    """Write something that was fitted beside the rest, and let the model be loaded anew."""
    with np.load(WEIGHTS) as file:
        fitted: dict[str, Any] = {each: file[each] for each in file.files}
    np.savez_compressed(WEIGHTS, **fitted | {name: numbers})
    loaded_once.cache_clear()


def shown(reranker: FittedReranker, searches: Sequence[Found]) -> str:
    """Figures of the first ten by kind of row: by the rules, by the model and by both."""
    lines = []
    for turn in (False, True):
        asked = [each for each in searches if each.query.helps and each.hits[0].passage.is_turn == turn]
        judged = [_judged(reranker, each) for each in asked]
        if not judged:
            continue
        lines.append(f"{'turns' if turn else 'notes'}: {len(asked)} queries")
        for place, name in enumerate(("rules", "model", "both")):
            pairs = [(hit.helps, told[place]) for each in judged for hit, *told in each]
            error = calibration_error(pairs)
            lines.append(f"  {name}: AUROC {auroc(pairs):.3f}, calibration error {error:.3f}")
        first = sum(hit.helps for each in asked for hit in each.hits[:_FIRST])
        again = [sorted(each, key=lambda told: -told[3])[:_FIRST] for each in judged]
        read = sum(hit.helps for each in again for hit, *_ in each)
        lines.append(f"  that help among the first {_FIRST}: by the rules {first}, read {read}")
    return "\n".join(lines)


def _judged(reranker: FittedReranker, search: Found) -> list[tuple[Hit, float, float, float]]:
    hits = search.hits[:DEPTH]
    passages = [hit.passage for hit in hits]
    odds, message = _told(reranker, search.query.text, passages)
    both = [blend(reranker.weighed, each) for each in signs(passages, odds, message)]
    return [
        (hit, hit.passage.relevance, 1 / (1 + math.exp(-own)), likely)
        for hit, own, likely in zip(hits, odds, both, strict=True)
    ]


if __name__ == "__main__":
    sys.exit(main())
