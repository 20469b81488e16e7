"""Grammars and extensions for editors; nothing here is installed with the library."""
