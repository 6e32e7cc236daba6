"""Keeps the stores clean: what changed is swept, step by step, and a report says what came of it."""
