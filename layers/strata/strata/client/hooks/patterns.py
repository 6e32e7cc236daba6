"""The patterns of rules: RE2's, which AgentOps's own rules are written in.

RE2 takes time in proportion to the text and to the size of the compiled pattern: a budget of their product
bounds the cost of a call. It has neither back-references nor look-around.
"""

from typing import Any

from strata.domain.wire.exact_json import size
from strata.installation import adding

MAX_PATTERN = 1_000
"""Characters of one pattern."""
BUDGET = 12_500_000
"""Instructions times bytes of text for all patterns of one call: 0.2 seconds for hostile ones, usually
less than a millisecond. 50 000 letters allow 250 instructions; patterns of rules have about 50."""


class TooCostly(Exception):
    """The remaining budget is too small to search for a pattern."""


class Pattern:
    """One compiled pattern.

    Raises:
        ValueError: it is too long, not valid in RE2, or RE2 is not installed.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MAX_PATTERN:
            raise ValueError(f"should have at most {MAX_PATTERN} characters")
        self.text = text
        self._compiled = _compiled(text)
        self.size: int = self._compiled.programsize
        """Number of compiled instructions."""

    def occurs_in(self, text: str) -> bool:
        """Whether the pattern matches anywhere in the text, which must be encodable."""
        return self._compiled.search(text) is not None


class Budget:
    """The remaining cost budget for the patterns of one call."""

    def __init__(self, left: int = BUDGET) -> None:
        self._left = left

    def finds(self, pattern: Pattern, text: str) -> bool:
        """Whether the pattern occurs in the text.

        Raises:
            TooCostly: the pattern is too large for the text, or the budget is used up.
        """
        cost = pattern.size * size(text)
        if cost > self._left:
            raise TooCostly
        self._left -= cost
        return pattern.occurs_in(text)


def _compiled(text: str) -> Any:
    try:
        import re2  # noqa: PLC0415 - only rules with patterns need it
    except ImportError:
        raise ValueError(f"patterns need google-re2: {adding('hooks')}") from None
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(text, options)
    except (re2.error, UnicodeEncodeError) as error:
        said = error.args[0] if isinstance(error, re2.error) and error.args else "not valid Unicode"
        reason = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        raise ValueError(f"is not a pattern of RE2: {reason}") from error
