"""The names of embedders that the ranking and relevance know by their figures."""

E5 = "multilingual-e5-small-q4/strata-1"
"""Its second part changes with the centers of its vectors."""
