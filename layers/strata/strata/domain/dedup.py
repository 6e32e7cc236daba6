"""The dedup rule: contents are the same that differ in case and white space only (AgentOps, tier 2)."""

import hashlib


def normalized(content: str) -> str:
    """Content for comparison: in lower case, with runs of white space as one space."""
    return " ".join(content.split()).lower()


def normalized_hash(content: str) -> str:
    """SHA-256 of the normalised content, in hex."""
    return hashlib.sha256(normalized(content).encode()).hexdigest()
