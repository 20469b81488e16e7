"""Forms that new authors tried first: each works, or the message names the form that does."""
