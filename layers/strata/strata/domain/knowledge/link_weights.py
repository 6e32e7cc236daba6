"""Weights of links, written by `python -m evals.conclusions fit`: not to be changed by hand."""

WEIGHTS: dict[str, float] = {
    "odds": 0.449,
    "first": 1.073,
    "rank": -0.839,
    "older sure": -0.052,
    "older changes": 0.923,
    "newer sure": 0.088,
    "newer changes": 2.375,
    "bias": -3.662,
}
