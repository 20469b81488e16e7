"""Source texts: spans, look-alike letters, and the search for files.

Every later stage refers to a source by spans. This package knows nothing of the grammar except the form of comments and
labels.
"""
