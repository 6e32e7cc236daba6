"""The patterns of rules: RE2's, which AgentOps's own rules are written in.

RE2 matches in time linear to the text, whatever the pattern: no rule can hang a tool. It knows neither
back-references nor look-around.
"""

from typing import Any

MAX_PATTERN = 1_000
"""Characters of one pattern: with the text it bounds the time that a match can take."""


class Pattern:
    """One compiled pattern.

    Raises:
        ValueError: it is too long or not RE2's, or RE2 is not installed.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MAX_PATTERN:
            raise ValueError(f"should have at most {MAX_PATTERN} characters")
        self.text = text
        self._compiled = _compiled(text)

    def occurs_in(self, text: str) -> bool:
        """Whether the pattern matches anywhere in the text, which must be encodable."""
        return self._compiled.search(text) is not None


def _compiled(text: str) -> Any:
    try:
        import re2  # noqa: PLC0415 - only rules with patterns need it
    except ImportError:
        raise ValueError("patterns need google-re2: pip install 'strata-memory[hooks]'") from None
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(text, options)
    except (re2.error, UnicodeEncodeError) as error:
        said = error.args[0] if isinstance(error, re2.error) and error.args else "not valid Unicode"
        reason = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        raise ValueError(f"is not a pattern of RE2: {reason}") from error
