"""The HTTP API: one module a group of routes, over `api.Api`, which they all share."""
