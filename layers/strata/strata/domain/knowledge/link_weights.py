"""Weights of links, written by `python -m evals.conclusions fit`: not to be changed by hand."""

WEIGHTS: dict[str, float] = {
    "odds": 0.505,
    "first": 0.911,
    "rank": -0.802,
    "older sure": -0.095,
    "older changes": 0.81,
    "newer sure": 0.086,
    "newer changes": 2.178,
    "bias": -3.039,
}
