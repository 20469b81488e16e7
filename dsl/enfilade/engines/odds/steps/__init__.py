"""The kinds of steps: how each one moves states, as functions over the context."""
