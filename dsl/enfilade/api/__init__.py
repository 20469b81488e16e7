"""The library as an embedder sees it: rulesets, procedures, outcomes, runs, and what they have to say.

Everything works in memory; a terminal, a server or a file is the business of whoever calls it. The public names are
those of ``enfilade`` itself, which imports each when it is first used; so nothing is imported here.
"""
