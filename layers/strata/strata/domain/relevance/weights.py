"""Weights of relevance, written by `python -m evals.relevance fit`: not to be changed by hand.

Fitted to the development part of evals/relevance and to the small talk of its messages, which
were written for this project:
27560 hits that are notes, of which 612 help;
17920 that are turns, of which 427 help.
"""

EMBEDDER = "wordllama-l2-256/strata-1"
"""The embedder that NOTES and TURNS hold for, with the default weights of the ranking."""

NOTES = {
    "bias": -8.778,
    "words": 0.947,
    "coverage": 0.0,
    "missing": 0.0,
    "score": 14.882,
    "best": -7.91,
    "place": -0.283,
    "around": 2.696,
    "reply": 0.0,
    "asking": 0.0,
    "speaker": 0.0,
    "subject": 1.34,
    "subjects": 1.092,
    "purpose": 0.94,
    "name": -1.368,
    "unknown": -0.941,
}
TURNS = {
    "bias": -4.781,
    "words": 0.144,
    "coverage": 0.78,
    "missing": -1.285,
    "score": 3.066,
    "best": -1.544,
    "place": -0.723,
    "around": 2.144,
    "reply": 4.603,
    "asking": -0.153,
    "speaker": 1.899,
    "subject": 1.294,
    "subjects": 0.931,
    "purpose": 0.611,
    "name": -0.855,
    "unknown": -0.64,
}
WORDS_OF_NOTES = {
    "bias": -6.356,
    "words": 3.096,
    "coverage": 1.252,
    "gap": -4.494,
    "missing": 0.0,
    "around": 1.252,
    "reply": 0.0,
    "asking": 0.0,
    "speaker": 0.0,
    "subject": 1.787,
    "subjects": 0.442,
    "purpose": 0.715,
    "name": -2.2,
    "unknown": 0.0,
}
WORDS_OF_TURNS = {
    "bias": -5.49,
    "words": 0.466,
    "coverage": 1.288,
    "gap": -0.213,
    "missing": -0.47,
    "around": 2.681,
    "reply": 5.253,
    "asking": -0.65,
    "speaker": 2.34,
    "subject": 1.528,
    "subjects": 0.891,
    "purpose": 0.577,
    "name": -1.196,
    "unknown": 0.0,
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
