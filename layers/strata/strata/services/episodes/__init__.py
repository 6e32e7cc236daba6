"""Episodes: stored, found, forgotten, and derived from conversations."""
