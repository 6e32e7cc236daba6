"""Implementations of the ports, one technology each; they raise our errors from theirs."""
