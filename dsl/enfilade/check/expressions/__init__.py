"""Expressions: their types, the names in them, charts and decks as values."""
