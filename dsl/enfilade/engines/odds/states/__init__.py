"""States and how they move: distributions, kernels, the evaluator in one state, and the context of a question."""
