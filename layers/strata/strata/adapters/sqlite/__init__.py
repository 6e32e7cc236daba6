"""The embedded store: one SQLite file that holds the rows, their change log and the search index."""
