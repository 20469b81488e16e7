"""The state transitions of each kind of step, as functions over the context."""
