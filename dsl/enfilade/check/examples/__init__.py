"""Examples, questions about odds, and what is given in them."""
