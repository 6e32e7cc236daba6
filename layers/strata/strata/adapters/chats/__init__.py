"""Conversations that other tools keep, read from their files as they are on disk."""
