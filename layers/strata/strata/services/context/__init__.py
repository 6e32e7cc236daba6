"""Contexts for an agent's prompt: the plain one of AgentOps, and the one assembled from every layer."""
