"""Facts by patterns, in English and Spanish: `finder.facts_in(turn)` is the only way in."""
