"""Weights of relevance, written by `python -m evals.relevance fit`: not to be changed by hand.

Fitted to the development part of evals/relevance and to the small talk of its messages, which
were written for this project:
26561 hits that are notes, of which 633 help;
18919 that are turns, of which 461 help.
"""

EMBEDDER = "multilingual-e5-small-q4/strata-1"
"""The embedder that NOTES and TURNS hold for, with the default weights of the ranking."""

NOTES = {
    "bias": -9.872,
    "words": 0.499,
    "coverage": 0.0,
    "missing": 0.0,
    "score": 7.864,
    "best": -3.829,
    "place": 0.0,
    "around": 2.261,
    "reply": 0.0,
    "asking": 0.0,
    "speaker": 0.0,
    "subject": 0.463,
    "subjects": 2.239,
    "purpose": 0.764,
    "name": -0.763,
    "unknown": -1.293,
    "above": 18.457,
    "margin": 7.231,
    "closest": -0.331,
    "nearby": 0.0,
}
TURNS = {
    "bias": -7.043,
    "words": 0.0,
    "coverage": 0.275,
    "missing": -0.751,
    "score": 4.793,
    "best": -2.049,
    "place": -0.387,
    "around": 1.078,
    "reply": 4.851,
    "asking": -0.252,
    "speaker": 1.254,
    "subject": 0.452,
    "subjects": 1.312,
    "purpose": 0.688,
    "name": -0.636,
    "unknown": -0.785,
    "above": 12.139,
    "margin": 0.0,
    "closest": -0.081,
    "nearby": 6.0,
}
