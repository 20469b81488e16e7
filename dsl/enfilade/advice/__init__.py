"""Advice: what people write instead of the language's forms, and the edit that mends it, tried before it is shown."""
