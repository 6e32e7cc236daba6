"""Rights of people: access to their data and its erasure."""
