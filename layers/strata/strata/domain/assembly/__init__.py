"""The context call's own rules: what a memory of any layer is worth now, which say the same, what fits."""
