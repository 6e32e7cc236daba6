"""Relevance: how likely a memory is to answer a message, 0 to 1, with one meaning for every kind of memory.

`asking` tells whether a message asks for anything at all; `evidence` names the numbers that speak for a
memory; `model` turns them into a probability with the weights of `weights`, which
`python -m evals.relevance fit` writes. Nothing here is imported by this file.
"""
