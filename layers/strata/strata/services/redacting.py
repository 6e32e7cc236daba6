"""Says that a secret was taken out, and of what kind; never what it was."""

import logging
from collections.abc import Mapping

_log = logging.getLogger("strata.redaction")


def note_redactions(found: Mapping[str, int]) -> None:
    """One log line that names the kinds and counts."""
    if found:
        _log.warning("redacted %s", ", ".join(f"{kind} x{count}" for kind, count in sorted(found.items())))
