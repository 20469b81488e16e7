"""The interactive session lives here and is not written yet."""
