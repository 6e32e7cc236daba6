"""The patterns of rules: RE2's, which AgentOps's own rules are written in.

RE2 takes time in proportion to the text and to what a pattern is compiled to, whatever the pattern: a budget
of both bounds what a call may cost. It knows neither back-references nor look-around.
"""

from typing import Any

from strata.domain.wire.exact_json import size
from strata.installation import adding

MAX_PATTERN = 1_000
"""Characters of one pattern."""
BUDGET = 12_500_000
"""Instructions times bytes of text for all the patterns of one call: a fifth of a second for the most hostile
ones, less than a millisecond as a rule. 50 000 letters suit patterns of 250 instructions; those of rules have
some 50."""


class TooCostly(Exception):
    """What is left of a budget is not enough to look for a pattern."""


class Pattern:
    """One compiled pattern.

    Raises:
        ValueError: it is too long, or not RE2's, or RE2 is not installed.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MAX_PATTERN:
            raise ValueError(f"should have at most {MAX_PATTERN} characters")
        self.text = text
        self._compiled = _compiled(text)
        self.size: int = self._compiled.programsize
        """Instructions that it is compiled to."""

    def occurs_in(self, text: str) -> bool:
        """Whether the pattern matches anywhere in the text, which must be encodable."""
        return self._compiled.search(text) is not None


class Budget:
    """What the patterns of one call may still cost."""

    def __init__(self, left: int = BUDGET) -> None:
        self._left = left

    def finds(self, pattern: Pattern, text: str) -> bool:
        """Whether the pattern occurs in the text.

        Raises:
            TooCostly: the pattern is too large for a text so long, or others have used the budget up.
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
