"""Stores of values that are too large for a row: a folder, or an S3 bucket."""
