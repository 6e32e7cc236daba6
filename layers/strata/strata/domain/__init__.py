"""Pure rules: no store, no HTTP, no environment, no clock of its own."""
