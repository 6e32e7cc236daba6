"""What asking a model comes to, in tokens and in money."""

import math
from dataclasses import dataclass

_BYTES_OF_A_TOKEN = 4
_FEWEST_BYTES_OF_A_TOKEN = 2
MICRO = 1_000_000


@dataclass(slots=True)
class Usage:
    """Tokens that went into models and came out of them; a failed question adds its own too."""

    input_tokens: int = 0
    output_tokens: int = 0

    def add(self, given: int, made: int) -> None:
        """Count one more answer."""
        self.input_tokens += given
        self.output_tokens += made

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens."""

    input: float = 0.0
    output: float = 0.0

    def of(self, usage: Usage) -> int:
        """The cost in millionths of a dollar, rounded up."""
        return math.ceil(usage.input_tokens * self.input + usage.output_tokens * self.output)


def likely_tokens(*texts: str) -> int:
    """About how many tokens these are, where nobody counted them: one for four bytes of UTF-8."""
    return _tokens(texts, _BYTES_OF_A_TOKEN)


def most_tokens(*texts: str) -> int:
    """More than these are likely to be, in any script."""
    return _tokens(texts, _FEWEST_BYTES_OF_A_TOKEN)


def _tokens(texts: tuple[str, ...], size: int) -> int:
    return sum(-(-len(text.encode(errors="replace")) // size) for text in texts)
