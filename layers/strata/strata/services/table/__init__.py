"""Shared ways to use the table: retries, pages, batches, parallel calls."""
