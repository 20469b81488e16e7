"""Types: what fits what, what a place expects, and what is known of values."""
