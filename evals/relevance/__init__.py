"""Invented stores of notes and turns, and queries with rows that help them or with none."""
