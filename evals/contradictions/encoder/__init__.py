"""The cross-encoder that the package carries: how it is fitted to the pairs, and how right it is."""
