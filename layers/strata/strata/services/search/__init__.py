"""Search of one kind of memory: candidates, filters, change notes, ranking."""
