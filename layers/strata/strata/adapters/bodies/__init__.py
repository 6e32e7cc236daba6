"""Where bodies are that are too large for a row: a folder, or a bucket of S3."""
