"""The reranker that the package carries: how it is fitted to the labelled stores, and what it gains."""
