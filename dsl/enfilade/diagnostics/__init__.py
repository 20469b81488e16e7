"""What is wrong with a text: diagnostics as data, their rendering, their codes and pages, and suggestions.

For every stage after the source. It must not know what any stage checks.
"""
