"""Pure rules and the shapes of the wire: no store, no HTTP, no environment, no clock."""
