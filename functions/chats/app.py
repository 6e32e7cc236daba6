"""Imports other tools' chats on one machine."""

from strata.bootstrap import application

lambda_handler = application().handlers.chats()
