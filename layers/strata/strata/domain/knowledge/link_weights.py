"""Weights of links, written by `python -m evals.conclusions fit`: not to be changed by hand."""

WEIGHTS: dict[str, float] = {
    "odds": 0.483,
    "first": 1.078,
    "rank": -0.887,
    "older sure": -0.098,
    "older changes": 0.72,
    "newer sure": 0.084,
    "newer changes": 2.452,
    "bias": -3.267,
}
