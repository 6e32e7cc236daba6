"""Redaction of secrets: the forms of tokens, the names of values, and the removal of both."""
