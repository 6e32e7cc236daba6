"""The HTTP server of one machine: from a socket to the template's functions."""
