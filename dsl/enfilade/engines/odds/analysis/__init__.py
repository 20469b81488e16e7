"""Static analysis of a ruleset for one question: uses, liveness, dead code, dice aggregates, and the resulting plan."""
