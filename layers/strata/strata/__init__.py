"""Strata: memory for AI agents, serverless on AWS or on one machine."""

from typing import Final

__version__: Final = "0.1.0"
