"""Binding: modules are joined, variants applied, and every declared name is entered in a symbol table."""
