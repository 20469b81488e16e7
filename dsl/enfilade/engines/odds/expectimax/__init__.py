"""Expectimax: players who choose with an aim, solved from the end backward."""
