"""Shared plumbing of every HTTP route: requests, identity, answers, errors, OpenAPI."""
