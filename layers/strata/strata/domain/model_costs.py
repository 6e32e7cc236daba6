"""Costs of model calls, in tokens and in money."""

import math
from dataclasses import dataclass

_BYTES_OF_A_TOKEN = 4
_FEWEST_BYTES_OF_A_TOKEN = 2
MICRO = 1_000_000


@dataclass(slots=True)
class Usage:
    """Input and output tokens of model calls, failed ones included."""

    input_tokens: int = 0
    output_tokens: int = 0

    def add(self, given: int, made: int) -> None:
        """Count one more call."""
        self.input_tokens += given
        self.output_tokens += made

    @property
    def tokens(self) -> int:
        """Input and output tokens together."""
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices in US dollars for a million tokens."""

    input: float = 0.0
    output: float = 0.0

    def of(self, usage: Usage) -> int:
        """The cost in millionths of a dollar, rounded up."""
        return math.ceil(usage.input_tokens * self.input + usage.output_tokens * self.output)


def likely_tokens(*texts: str) -> int:
    """An estimate of the tokens of these texts: one for four bytes of UTF-8."""
    return _tokens(texts, _BYTES_OF_A_TOKEN)


def most_tokens(*texts: str) -> int:
    """An upper estimate of the tokens of these texts, for any script: one for two bytes of UTF-8."""
    return _tokens(texts, _FEWEST_BYTES_OF_A_TOKEN)


def _tokens(texts: tuple[str, ...], size: int) -> int:
    return sum(-(-len(text.encode(errors="replace")) // size) for text in texts)
