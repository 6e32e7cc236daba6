"""Weights of links of doubtful statements, written by `python -m evals.conclusions fit`: not to be changed by hand."""

WEIGHTS: dict[str, float] = {
    "odds": 0.246,
    "first": 0.484,
    "rank": 0.104,
    "older sure": 0.009,
    "older changes": -0.333,
    "newer sure": 0.173,
    "newer changes": 0.403,
    "read": 0.533,
    "read first": 0.734,
    "read behind": -0.132,
    "bias": -1.084,
}
