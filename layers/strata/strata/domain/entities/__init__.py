"""People, places, organizations, events and things that texts name, and how they are related.

- `shapes`: `Mention` and `Relationship`, as they are read from one text.
- `reading` gives the words of a text, `clues` what is known of each and of those around it; fitted weights give each a
  tag from these, and `tags` makes names of them. `merging`: one mention for each entity, whatever found the names.
- `relations`: the relationships between mentions, by the phrases of `relation_table`; `proposed`: those
  that a model proposes, as far as the text bears them out. `roles`: which roles of people go together.
- `vocabulary`, `name_lists`: the words and names that clues know.
"""
