"""Events of sessions: appended, read, listed, counted."""
