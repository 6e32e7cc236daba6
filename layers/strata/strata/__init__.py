"""Strata: memory for AI agents, serverless on AWS or on one machine."""

__version__ = "0.2.0.dev0"
