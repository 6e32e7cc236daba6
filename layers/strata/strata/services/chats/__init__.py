"""Imports of other tools' chats."""
