"""Source texts: spans, look-alike letters, and where files are found.

Every later stage points into a source with spans. This package knows no grammar, except what a comment and a label
look like.
"""
