"""The pictures of the README: a card and a session, drawn by ``python -m docs.pictures``."""
