"""Documents as the engine stores them, and back."""

import hashlib
from collections.abc import Callable
from typing import Any

from strata.domain.retrieval import Candidate
from strata.domain.text.analysis import searchable
from strata.domain.text.strings import encodable
from strata.ports.search import Document

_LONGEST_FACET = 500


def document_id(tenant: str, key: str) -> str:
    """The `_id` of a tenant's key: hashed, because keys may be longer than an id. Tenants hold no `#`."""
    return hashlib.sha256(f"{tenant}#{encodable(key)}".encode()).hexdigest()


def source(tenant: str, document: Document, field: Callable[[], str]) -> dict[str, Any]:
    """The source of a document, with its vector as `field`; a zero vector, without direction, is omitted."""
    title, text, keywords = map(encodable, (document.title, document.text, document.keywords))
    made: dict[str, Any] = {
        "tenant": tenant,
        "kind": encodable(document.kind),
        "key": encodable(document.key),
        "facets": [
            *(facet(name, value) for name, value in document.fields.items()),
            *(label(name, value) for name, value in document.labels),
        ],
        **document.times,
        "words": searchable("\n".join((title, keywords, text))),
        "memory": {
            "title": title,
            "text": text,
            "keywords": keywords,
            "order": document.order,
            "session_id": _optional(document.session_id),
            "previous": _optional(document.previous),
            "version": document.version,
            "fields": {encodable(name): encodable(value) for name, value in document.fields.items()},
        },
    }
    if document.vector is not None and document.vector.any():
        made[field()] = rounded(document.vector)
    return made


def candidate(stored: dict[str, Any], bm25: float | None, cosine: float | None) -> Candidate:
    """The candidate from a hit's `_source` and scores.

    Raises:
        KeyError, TypeError: it is not one of our documents.
    """
    memory = stored["memory"]
    return Candidate(
        stored["key"],
        memory["title"],
        memory["text"],
        memory["keywords"],
        memory["order"],
        memory["session_id"],
        memory["previous"],
        bm25,
        cosine,
        memory["fields"],
    )


def facet(name: str, value: str) -> str:
    """One token for a facet's exact value: `name=value`, or a hash where that would be ambiguous."""
    plain = f"{name}={value}"
    one_to_one = "=" not in name and not name.startswith("#") and plain == encodable(plain)
    if one_to_one and len(plain) <= _LONGEST_FACET:
        return plain
    named = f"{len(name)}:{plain}".encode(errors="surrogatepass")
    return f"#{hashlib.sha256(named).hexdigest()}"


def label(name: str, value: str) -> str:
    """One token for a label, which no facet has; what a beginning of the value makes is a beginning of it."""
    return encodable(f"~{name}={value}")


def rounded(vector: Any) -> list[float]:
    """A vector rounded to six digits for JSON: float32 has seven, and its repr would have seventeen."""
    floats: list[float] = vector.astype("f8").round(6).tolist()
    return floats


def _optional(text: str | None) -> str | None:
    return None if text is None else encodable(text)
