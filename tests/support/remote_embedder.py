"""An embedder over a network, which may be away."""

import hashlib

import numpy as np


class Remote:
    """Every word has a direction of its own."""

    at_once = 32

    def __init__(self, model="remote/1", dimensions=256):
        self.model, self.dimensions = model, dimensions
        self.failure = None
        self.sent = []

    def embed_query(self, query):
        return self.embed([query])[0]

    def embed(self, texts, *, soon=False):
        if self.failure is not None:
            raise self.failure
        self.sent.append(list(texts))
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().split():
                row[int(hashlib.sha256(word.encode()).hexdigest(), 16) % self.dimensions] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
