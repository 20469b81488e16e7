"""Parser and pretty-printer: text to syntax tree and back. They know the language's words, not their meaning."""
