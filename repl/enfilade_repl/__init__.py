"""The interactive session: a client of the library for players and authors.

``session`` is pure: text in, styled lines out. ``app`` puts it on a terminal, ``transcript`` into pipes and files. Nothing
here may hold a rule of its own: what the session can do, a program can do with ``enfilade``.
"""
