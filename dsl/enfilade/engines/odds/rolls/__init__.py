"""Rolls and draws: outcomes with their weights; outcomes that the rules can't distinguish are merged."""
