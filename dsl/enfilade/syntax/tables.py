"""The stored LALR parse table: the contents of ``parser_tables.json``.

``python -m enfilade.syntax.generate`` writes that file from the grammar. It is plain data: reading it runs no code.
"""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from attrs import frozen

FILE: Final = "parser_tables.json"


@frozen
class Tables:
    """A parse table, with the grammar symbols that it mentions.

    Attributes:
        lark: The series of Lark that made it, such as ``1.3``.
        grammar: The digest of its grammar.
        ignored: The terminals that the lexer drops.
        first: The start state of each start symbol.
        last: The end state of each start symbol.
        terminals: Name, whether it is a fixed word, word or regular expression, flags, priority.
        symbols: Name, whether it is a terminal.
        rules: Origin, expansion, the name of what it makes, whether a single child takes its place, the field of each child.
        names: The names of symbols used in the rows.
        lookaheads: Sets of names, as numbers.
        states: For each state its shifts (name, next state, ...) and its reductions (lookahead, rule, ...).
    """

    lark: str
    grammar: str
    ignored: Sequence[str]
    first: Mapping[str, int]
    last: Mapping[str, int]
    terminals: Sequence[tuple[str, bool, str, Sequence[str], int]]
    symbols: Sequence[tuple[str, bool]]
    rules: Sequence[tuple[int, Sequence[int], str, bool, Sequence[str]]]
    names: Sequence[str]
    lookaheads: Sequence[Sequence[int]]
    states: Sequence[tuple[Sequence[int], Sequence[int]]]


@cache
def stored_tables() -> Tables:
    """Read the stored parse table; once per process.

    Raises:
        FileNotFoundError: The installation is damaged.
    """
    content = pkgutil.get_data("enfilade.syntax", FILE)
    if content is None:
        raise FileNotFoundError("this installation of Enfilade lacks its parse table; install it again")
    data: dict[str, Any] = json.loads(content)
    return Tables(**data)
