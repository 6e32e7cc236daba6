"""Facts about people: what they say of themselves, in their own words.

- `sources`: `own_words(messages)` gives what of a transcript may be read, one text a user's turn.
- `windows`: `windows(turns)` parts long conversations, with an overlap; nothing is left out.
- `rules`: `facts_in(turn)` finds facts without a language model, by the patterns of `tables`. A turn is read in
  clauses (`reading`), `guards` keep out what is no statement, and `values`, `names`, `places`, `roles` and
  `occasions` read the thing itself.
- `conflicts`: `fact_hash(found)` tells the same fact told again; `relation(known, found)` compares two.
"""

from strata.domain.facts.found import CATEGORIES, Category, Found

__all__ = ["CATEGORIES", "Category", "Found"]
