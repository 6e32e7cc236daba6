"""Weights of relevance, written by `python -m evals.relevance fit`: not to be changed by hand.

Fitted to the development part of evals/relevance, which was written for this project:
19302 hits that are notes, of which 612 help;
12378 that are turns, of which 427 help.
"""

EMBEDDER = "wordllama-l2-256/strata-1"
"""The embedder that NOTES and TURNS hold for, with the default weights of the ranking."""

NOTES = {
    "bias": -8.496,
    "words": 1.208,
    "coverage": 0.0,
    "missing": 0.0,
    "score": 13.885,
    "best": -8.199,
    "place": -0.32,
    "around": 1.663,
    "reply": 0.0,
    "asking": 0.0,
    "speaker": 0.0,
    "subject": 1.393,
    "subjects": 2.059,
}
TURNS = {
    "bias": -5.014,
    "words": 0.471,
    "coverage": 0.0,
    "missing": -1.249,
    "score": 2.967,
    "best": -1.448,
    "place": -0.722,
    "around": 1.897,
    "reply": 4.193,
    "asking": -0.236,
    "speaker": 2.017,
    "subject": 1.222,
    "subjects": 1.651,
}
WORDS_OF_NOTES = {
    "bias": -6.42,
    "words": 3.652,
    "coverage": 0.803,
    "gap": -4.594,
    "missing": 0.0,
    "around": 0.803,
    "reply": 0.0,
    "asking": 0.0,
    "speaker": 0.0,
    "subject": 1.883,
    "subjects": 1.052,
}
WORDS_OF_TURNS = {
    "bias": -5.282,
    "words": 1.471,
    "coverage": 0.018,
    "gap": -0.429,
    "missing": -0.611,
    "around": 2.543,
    "reply": 4.677,
    "asking": -0.738,
    "speaker": 2.388,
    "subject": 1.471,
    "subjects": 1.348,
}
ANSWERING_NOTES = {
    "bias": -6.756,
    "score": 9.128,
    "near": 7.108,
}
ANSWERING_TURNS = {
    "bias": -3.858,
    "score": 5.447,
    "near": 4.046,
}
