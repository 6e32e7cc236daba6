"""Entities that episodes and facts name, their relationships and pages."""
