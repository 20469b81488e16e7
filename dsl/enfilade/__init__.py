"""Tabletop combat rules: charts and procedures as text, for play, exact odds and explanations."""
