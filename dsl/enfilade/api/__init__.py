"""The public API: rulesets, procedures, outcomes, runs and odds.

Everything works in memory; terminals, servers and files are the caller's business. The package ``enfilade`` exports the
public names and imports each on first use, so this package imports nothing.
"""
