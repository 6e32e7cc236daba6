"""Fits what the reranker tells of a message alone: that it is small talk, and that anybody can answer it."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evals.logistic import logistic
from evals.relevance.examples import Query
from strata.adapters.fitted_reranker import FittedReranker

KINDS = ("small_talk", "general")
_RIDGE = 100.0


def fit_message(reranker: FittedReranker, queries: Sequence[Query]) -> NDArray[np.float32]:
    """The biases and weights of a logistic regression for each kind: (kinds, 1 + width)."""
    means = np.array([reranker.mean(each.text) for each in queries], dtype=np.float64)
    kinds = np.array([each.kind for each in queries])
    solved = [logistic(means, (kinds == kind) * 1.0, np.ones(len(kinds)), ridge=_RIDGE) for kind in KINDS]
    return np.array(solved, dtype=np.float32)
