"""Facts about people: ordered when a session ends, found, written, listed."""
