"""Engines that run the checked core; ``core.evaluate`` is the reference for all of them.

| module | purpose |
|---|---|
| `compile/` | the compiled engine: each procedure as generated Python, for play |
| `odds/` | exact odds: probability distributions as fractions |
| `askers` | answers to the requests of a run, from given dice and choices or from a random generator |
| `scripted_answers` | the queue of given dice, cards and choices |
| `weighted_choice` | weighted random choice, for samples |
| `fact_reader`, `fact_validation` | conversion and validation of facts |
| `constant_pool` | the constants of generated code |
| `replay` | replay of a run from its log, up to the first unanswered question |
| `trace`, `explanation` | the observer that records a run, and the explanation made from its record |
"""
