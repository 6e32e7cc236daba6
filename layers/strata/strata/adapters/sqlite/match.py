"""FTS5's MATCH expressions, made of quoted strings only, so that terms cannot inject syntax."""

import hashlib
from collections.abc import Iterable, Mapping
from functools import lru_cache

from strata.domain.text.strings import encodable

Where = tuple[tuple[tuple[str, str], ...], ...]


def match_expression(terms: Iterable[str], where: Where) -> str | None:
    """Any of the terms, and for each clause of the filter one of its facets; None when nothing can match."""
    words = " OR ".join(quoted(term) for term in terms)
    if not words or not all(where):
        return None
    clauses = (" OR ".join(quoted(facet_token(*each)) for each in clause) for clause in where)
    filters = "".join(f" AND facets : ({clause})" for clause in clauses)
    return f"{{title text keywords}} : ({words}){filters}"


def facets(fields: Mapping[str, str]) -> str:
    """The facets as words of their own column, which terms are never matched against."""
    return " ".join(facet_token(field, value) for field, value in fields.items())


@lru_cache(maxsize=16_384)
def facet_token(field: str, value: str) -> str:
    """One word for a facet's exact value: digits, so that the tokenizer neither splits nor stems it."""
    named = f"{len(field)}:{field}{value}".encode(errors="surrogatepass")
    return f"z{int.from_bytes(hashlib.blake2b(named, digest_size=8).digest(), 'big')}"


def quoted(term: str) -> str:
    """A string in FTS5's syntax, without NUL, which would end the expression, and lone surrogates."""
    return '"' + encodable(term).replace("\0", " ").replace('"', '""') + '"'
