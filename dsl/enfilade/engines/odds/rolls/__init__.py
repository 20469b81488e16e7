"""Rolls and draws: each outcome with its weight, in as few outcomes as the rules read of them."""
