"""How well memories are found, measured on public questions through the same HTTP API that agents use."""
