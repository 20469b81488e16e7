"""Texts, places in them and look-alike letters.

For every later stage to point at a place. It must not know the grammar, beyond what a comment and a label
look like.
"""
