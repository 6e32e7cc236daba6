"""People, places, organizations, events and things that texts name, and how they are related.

- `shapes`: `Mention` and `Relationship`, as they are read from one text.
- `recognition`: the mentions of a text, by rules; `merging`: one for each entity, whatever found the names. `reading` gives its words, `names` the runs of words that may be names
  (`runs`: how far they reach, `lower`: those in lower case), `kinds` their types, by `cues` and `people_cues` around them (`surroundings`).
- `relations`: the relationships between mentions, by the phrases of `relation_table`; `proposed`: those
  that a model proposes, as far as the text bears them out.
- `vocabulary`, `cue_words`, `name_lists`: the words and names that the rules know.
"""
