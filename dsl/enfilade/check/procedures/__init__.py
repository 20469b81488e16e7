"""Procedures, effects and events: steps, choices and calls."""
