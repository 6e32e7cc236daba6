"""API keys and tokens: admission of callers."""
