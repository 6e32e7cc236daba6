"""Weights of links that are read, written by `python -m evals.conclusions fit`: not to be changed by hand."""

WEIGHTS: dict[str, float] = {
    "odds": 0.142,
    "first": 0.952,
    "rank": -0.081,
    "older sure": -0.087,
    "older changes": -0.982,
    "newer sure": 0.127,
    "newer changes": 2.616,
    "read": 0.492,
    "read first": 1.261,
    "read behind": -0.227,
    "bias": -4.263,
}
