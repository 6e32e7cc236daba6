"""Limits of tenants: requests a second, stored items, and what language models may use."""
