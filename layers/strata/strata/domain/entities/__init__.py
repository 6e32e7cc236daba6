"""People, places, organizations, events and things that texts name, and how they are related.

- `shapes`: `Mention` and `Relationship`, as they are read from one text.
"""
