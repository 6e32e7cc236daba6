"""Conversations: their lifetime, working memory and injection ledger."""
