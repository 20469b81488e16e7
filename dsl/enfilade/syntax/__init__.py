"""Text to syntax tree and back. Knows the words of the language, not what they mean."""
