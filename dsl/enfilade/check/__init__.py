"""Types, shapes of charts, and the way from the syntax tree to the core."""
