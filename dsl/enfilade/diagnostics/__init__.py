"""Diagnostics: mistakes in a text as data, their rendering, their codes and manual pages, and suggestions.

For every stage after the source. It must not know what any stage checks.
"""
