"""Clients of the library that work on whole rulesets: running examples, measuring coverage, printing charts.

For the command line and for hosts. Nothing here prints, asks, or reads a file that it was not given.
"""
