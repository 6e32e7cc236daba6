"""Weights of links, written by `python -m evals.conclusions fit`: not to be changed by hand."""

WEIGHTS: dict[str, float] = {
    "odds": 0.427,
    "first": 1.246,
    "rank": -0.745,
    "older sure": -0.084,
    "older changes": -1.208,
    "newer sure": 0.101,
    "newer changes": 2.59,
    "bias": -3.607,
}
