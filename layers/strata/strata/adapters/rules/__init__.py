"""What every adapter of the port `Table` does alike: keys, conditions, cursors."""
