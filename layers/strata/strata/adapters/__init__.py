"""One technology each, behind a port; they raise our errors from theirs."""
