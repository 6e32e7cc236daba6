"""The layers of memory that a context is assembled from, each behind the one port `Layer`."""
