"""Context assembly: the value of memories, near-duplicates among them, and the token budget."""
