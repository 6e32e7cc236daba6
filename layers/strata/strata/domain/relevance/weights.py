"""Weights of relevance, written by `python -m evals.relevance fit`: not to be changed by hand.

Fitted to the development part of evals/relevance, which was written for this project:
18865 hits that are notes, of which 612 help;
12055 that are turns, of which 427 help.
"""

EMBEDDER = "wordllama-l2-256/strata-1"
"""The embedder that NOTES and TURNS hold for, with the default weights of the ranking."""

NOTES = {
    "bias": -8.373,
    "words": 1.22,
    "coverage": 0.0,
    "missing": 0.0,
    "score": 13.655,
    "best": -8.249,
    "place": -0.347,
    "around": 1.687,
    "reply": 0.0,
    "asking": 0.0,
    "speaker": 0.0,
    "subject": 1.366,
    "subjects": 2.059,
}
TURNS = {
    "bias": -4.931,
    "words": 0.459,
    "coverage": 0.0,
    "missing": -1.242,
    "score": 2.999,
    "best": -1.473,
    "place": -0.73,
    "around": 1.838,
    "reply": 4.009,
    "asking": -0.233,
    "speaker": 1.972,
    "subject": 1.254,
    "subjects": 1.64,
}
WORDS_OF_NOTES = {
    "bias": -6.428,
    "words": 3.662,
    "coverage": 0.804,
    "gap": -4.639,
    "missing": 0.0,
    "around": 0.804,
    "reply": 0.0,
    "asking": 0.0,
    "speaker": 0.0,
    "subject": 1.855,
    "subjects": 1.099,
}
WORDS_OF_TURNS = {
    "bias": -5.238,
    "words": 1.503,
    "coverage": 0.0,
    "gap": -0.418,
    "missing": -0.599,
    "around": 2.496,
    "reply": 4.466,
    "asking": -0.735,
    "speaker": 2.349,
    "subject": 1.494,
    "subjects": 1.34,
}
