"""Weights of relevance, written by `python -m evals.relevance fit`: not to be changed by hand.

Fitted to the development part of evals/relevance and to the small talk of its messages, which
were written for this project:
27560 hits that are notes, of which 612 help;
17920 that are turns, of which 427 help.
"""

EMBEDDER = "wordllama-l2-256/strata-1"
"""The embedder that NOTES and TURNS hold for, with the default weights of the ranking."""

NOTES = {
    "bias": -9.841,
    "words": 1.193,
    "coverage": 0.0,
    "missing": 0.0,
    "score": 15.251,
    "best": -7.753,
    "place": -0.235,
    "around": 1.622,
    "reply": 0.0,
    "asking": 0.0,
    "speaker": 0.0,
    "subject": 1.369,
    "subjects": 1.748,
    "purpose": 0.935,
    "name": -1.211,
    "unknown": -0.753,
}
TURNS = {
    "bias": -5.618,
    "words": 0.355,
    "coverage": 0.236,
    "missing": -1.368,
    "score": 2.667,
    "best": -1.316,
    "place": -0.734,
    "around": 2.124,
    "reply": 4.742,
    "asking": -0.103,
    "speaker": 2.16,
    "subject": 1.271,
    "subjects": 1.552,
    "purpose": 0.61,
    "name": -0.753,
    "unknown": -0.5,
}
WORDS_OF_NOTES = {
    "bias": -7.18,
    "words": 3.699,
    "coverage": 0.913,
    "gap": -4.286,
    "missing": 0.0,
    "around": 0.913,
    "reply": 0.0,
    "asking": 0.0,
    "speaker": 0.0,
    "subject": 1.814,
    "subjects": 0.985,
    "purpose": 0.646,
    "name": -2.098,
    "unknown": 0.0,
}
WORDS_OF_TURNS = {
    "bias": -6.205,
    "words": 1.033,
    "coverage": 0.644,
    "gap": -0.222,
    "missing": -0.555,
    "around": 2.707,
    "reply": 5.366,
    "asking": -0.613,
    "speaker": 2.543,
    "subject": 1.52,
    "subjects": 1.366,
    "purpose": 0.621,
    "name": -1.12,
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
