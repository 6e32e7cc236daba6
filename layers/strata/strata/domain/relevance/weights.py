"""Weights of relevance, written by `python -m evals.relevance fit`: not to be changed by hand.

Fitted to the development part of evals/relevance, which was written for this project:
14833 hits that are notes, of which 612 help;
9487 that are turns, of which 427 help.
"""

EMBEDDER = "wordllama-l2-256/strata-1"
"""The embedder that NOTES and TURNS hold for, with the default weights of the ranking."""

NOTES = {
    "bias": -8.965,
    "words": 0.735,
    "coverage": 0.0,
    "missing": 0.0,
    "score": 15.524,
    "best": -8.696,
    "place": -0.301,
    "around": 3.737,
    "reply": 0.0,
    "asking": 0.0,
    "speaker": 0.0,
    "subject": 1.521,
    "subjects": 2.08,
}
TURNS = {
    "bias": -5.433,
    "words": 0.261,
    "coverage": 0.216,
    "missing": -0.889,
    "score": 2.59,
    "best": -0.93,
    "place": -0.775,
    "around": 2.132,
    "reply": 3.85,
    "asking": -0.264,
    "speaker": 1.827,
    "subject": 1.361,
    "subjects": 2.036,
}
WORDS_OF_NOTES = {
    "bias": -7.35,
    "words": 2.047,
    "coverage": 1.97,
    "gap": -4.782,
    "missing": 0.0,
    "around": 1.97,
    "reply": 0.0,
    "asking": 0.0,
    "speaker": 0.0,
    "subject": 1.904,
    "subjects": 2.238,
}
WORDS_OF_TURNS = {
    "bias": -5.995,
    "words": 1.038,
    "coverage": 0.308,
    "gap": -0.316,
    "missing": -0.234,
    "around": 2.799,
    "reply": 4.56,
    "asking": -0.759,
    "speaker": 2.245,
    "subject": 1.556,
    "subjects": 1.962,
}
