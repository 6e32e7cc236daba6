"""Entry points: turn an event into one service call and its result into a response."""
