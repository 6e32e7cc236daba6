"""Words about time, in queries and in memories."""

import re

_ASKS = re.compile(
    r"\b(?:when|how (?:long|recently)|since when"
    r"|(?:what|which) (?:day|date|week|month|year|time)|how many (?:days|weeks|months|years))\b",
    re.IGNORECASE,
)
_SPEAKS = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|ago|last|next|weeks?|weekends?|months?|years?|days?|recently|soon|just"
    r"|morning|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:19|20)\d\d|\d{1,2}:\d\d)\b",
    re.IGNORECASE,
)


def asks_for_time(query: str) -> bool:
    """Whether the query asks for a time or a duration."""
    return bool(_ASKS.search(query))


def speaks_of_time(text: str) -> bool:
    """Whether the text names an absolute or relative time."""
    return bool(_SPEAKS.search(text))
