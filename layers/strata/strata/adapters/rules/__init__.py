"""Rules shared by the adapters of the port `Table`: keys, conditions, cursors."""
