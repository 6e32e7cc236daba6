"""Imports other tools' chats on one machine."""

from strata.cold_start import handler

lambda_handler = handler("chats")
