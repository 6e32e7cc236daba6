"""Weights of links that are read, written by `python -m evals.conclusions fit`: not to be changed by hand."""

WEIGHTS: dict[str, float] = {
    "odds": 0.194,
    "first": 0.818,
    "rank": -0.336,
    "older sure": -0.093,
    "older changes": 0.22,
    "newer sure": 0.118,
    "newer changes": 2.572,
    "read": 0.477,
    "read first": 1.053,
    "read behind": -0.246,
    "bias": -3.938,
}
