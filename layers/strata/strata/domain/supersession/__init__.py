"""Rules that decide whether a newer note replaces an older one: what each states, and what may change."""
