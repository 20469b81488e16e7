"""Ways to run the checked core, all with the meaning that ``core.evaluate`` gives it.

| module | what it is for |
|---|---|
| `compile/` | the compiled engine: each procedure as generated Python, for play |
| `odds/` | exact odds: probability distributions as fractions |
| `sample` | Monte Carlo sampling, for rules too large for exact odds |
| `weighted_choice` | the sampler's weighted random choice |
| `script` | answers the questions of a run from given dice, choices and generators |
| `replay` | runs a procedure again up to the question where an earlier run stopped |
| `trace`, `explanation` | records what a run did, and tells it as an explanation |
"""
