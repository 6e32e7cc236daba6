"""Weights of links, written by `python -m evals.conclusions fit`: not to be changed by hand."""

WEIGHTS: dict[str, float] = {
    "odds": 0.249,
    "first": 0.365,
    "rank": -0.681,
    "ahead": 0.288,
    "many": 1.433,
    "older sure": -0.061,
    "older changes": 0.801,
    "newer sure": 0.077,
    "newer changes": 2.207,
    "bias": -6.345,
}
