"""Facts about people, in their own words.

- `found`: a fact with its category.
- `sources`: `own_words(messages)` gives the user's own text of each turn; only that may be read for facts.
- `windows`: `windows(turns)` splits long conversations into overlapping parts.
- `patterns`: `finder.facts_in(turn)` finds facts without a language model.
- `grounding`: `is_grounded(found, turns)` checks a fact from a language model against the person's words.
- `conflicts`: `fact_hash(found)` recognises a repeated fact, and `relation(known, found)` compares two facts.
"""
