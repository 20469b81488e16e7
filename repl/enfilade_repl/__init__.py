"""The interactive session: a client of the library for players and authors.

``session`` is pure: text in, styled lines out. ``app`` runs it on a terminal, ``transcript`` on pipes and files. No
code here may implement rules: a program can do everything that the session does by calling ``enfilade``.
"""
