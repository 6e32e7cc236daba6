"""The header `Retry-After` (RFC 9110, 10.2.3)."""

from datetime import datetime
from email.utils import parsedate_to_datetime


def seconds(given: str, now: datetime) -> float | None:
    """Seconds that a server asks to wait, given as a number or a date; None without either."""
    given = given.strip()
    try:
        moment = None if given[:1].isdigit() else parsedate_to_datetime(given)
        return max(0.0, float(given) if moment is None else (moment - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None
