"""Settings and mapping of an index."""

import hashlib
from typing import Any

from strata.adapters.opensearch.dialect import Dialect
from strata.ports.language import EmbeddingModel

FIRST_MODEL = "wordllama-l2-256/strata-1"
"""The first model, whose field has no name of a model."""

# Words are what SQLite's `porter unicode61` makes of a text that went through `analysis.searchable`: runs of
# letters, digits and their marks, in lower case, stemmed by Porter. No stop words: the query drops its own.
_TOKENIZER = {"type": "pattern", "pattern": "[^\\p{L}\\p{N}\\p{M}\\p{Co}\u200c\u200d]+"}
_LONGEST = {"type": "truncate", "length": 8000}  # Lucene refuses a word of more than 32 766 bytes
_ANALYZER = {"type": "custom", "tokenizer": "words", "filter": ["lowercase", "porter_stem", "longest"]}


TIMES = {name: {"type": "long"} for name in ("created_at", "updated_at")}
"""Fields that indices of earlier versions lack, in µs."""


def vector_field(model: str) -> str:
    """The field of a model's vectors, so that they are never mixed or compared with another model's."""
    return "vector" if model == FIRST_MODEL else f"vector_{hashlib.sha256(model.encode()).hexdigest()[:16]}"


def index_body(dialect: Dialect, model: EmbeddingModel) -> dict[str, Any]:
    """Settings and mapping of an index of documents with vectors of `model`.

    `words` holds title, keywords and text as one field, so that BM25 weighs them as the embedded index does.
    `memory` is the candidate's data, which is stored but not indexed. Words and vectors cannot be read back:
    the index is rebuilt from the table.
    """
    vector: dict[str, Any] = {"type": "knn_vector", "dimension": model.dimensions, "method": dialect.method()}
    if dialect.compression:
        vector["compression_level"] = dialect.compression
    return {
        "settings": {
            "index": _settings(dialect),
            "analysis": {
                "tokenizer": {"words": _TOKENIZER},
                "filter": {"longest": _LONGEST},
                "analyzer": {"words": _ANALYZER},
            },
        },
        "mappings": {
            "dynamic": "strict",
            "_source": {"excludes": ["words", "vector*"]},
            "properties": {
                "tenant": {"type": "keyword"},
                "kind": {"type": "keyword"},
                "key": {"type": "keyword"},
                "facets": {"type": "keyword"},
                **TIMES,
                "words": {
                    "type": "text",
                    "analyzer": "words",
                    "index_options": "freqs",
                    "similarity": "bm25",
                },
                vector_field(model.name): vector,
                "memory": {"type": "object", "enabled": False},
            },
        },
    }


def _settings(dialect: Dialect) -> dict[str, Any]:
    settings: dict[str, Any] = {
        "knn": True,
        "similarity": {"bm25": {"type": "BM25", "k1": dialect.k1, "b": dialect.b}},
        "number_of_shards": dialect.shards,
        "number_of_replicas": dialect.replicas,
        "refresh_interval": dialect.refresh_interval,
    }
    return {name: value for name, value in settings.items() if value not in (None, "")}
