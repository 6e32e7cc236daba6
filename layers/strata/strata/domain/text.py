"""Small rules about text that several layers share."""

import hashlib
from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def cut(text: str, runes: int) -> str:
    """The first `runes` code points of `text`."""
    return text if len(text) <= runes else text[:runes]


def encodable(text: str) -> str:
    """The text with every half of a surrogate pair replaced, which UTF-8 can't say."""
    return text if text.isascii() else text.encode(errors="replace").decode()


def normalized(content: str) -> str:
    """Content as the dedup rule sees it: lower case, runs of white space as one space (AgentOps, tier 2)."""
    return " ".join(content.split()).lower()


def normalized_hash(content: str) -> str:
    """SHA-256 of the normalised content, in hex."""
    return hashlib.sha256(normalized(content).encode()).hexdigest()


def project_name(project: str) -> str:
    """The one spelling of a project: its case and surrounding white space do not count."""
    return project.strip().lower()


def rfc3339(us: int) -> str:
    """Microseconds since 1970 as RFC 3339 in UTC."""
    return (_EPOCH + timedelta(microseconds=us)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def microseconds(moment: datetime) -> int:
    """A moment as microseconds since 1970; one without a time zone is taken as UTC."""
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1)
