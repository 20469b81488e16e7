"""The parser from its saved form, without reading the grammar.

To make the tables from the grammar takes half a second, to take them from ``tables.py`` some milliseconds: rows of the
table and lexers of the states are made when a text first comes to them. Where the saved form is of another grammar or
another series of Lark it is left aside.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from lark import Lark, TextSlice
from lark.common import LexerConf, ParserConf
from lark.grammar import NonTerminal, Rule, RuleOptions, Terminal
from lark.lark import LarkOptions
from lark.lexer import (
    BasicLexer,
    ContextualLexer,
    LexerState,
    LexerThread,
    LineCounter,
    PatternRE,
    PatternStr,
    TerminalDef,
)
from lark.parser_frontends import ParsingFrontend
from lark.parsers.lalr_analysis import IntParseTable, Reduce, Shift
from lark.parsers.lalr_parser import LALR_Parser, _Parser

from enfilade.syntax import tables
from enfilade.syntax.grammar import START, grammar_digest, lark_series

Action = tuple[Any, Any]
# Lark gives it no types.
_IntParseTable: Any = IntParseTable


def is_current() -> bool:
    """Whether the saved form belongs to this grammar and this Lark."""
    return lark_series() == tables.LARK and grammar_digest() == tables.GRAMMAR


class Thread(LexerThread):
    """A lexer's thread that does not count the lines before its slice: places are offsets here."""

    @classmethod
    def from_text(cls, lexer: Any, text_or_slice: Any) -> LexerThread:
        text = TextSlice.cast_from(text_or_slice)
        counter: Any = LineCounter("\n")  # type: ignore[no-untyped-call]  # Lark has no types here
        counter.char_pos = text.start
        return cls(lexer, LexerState(text, counter))


class _Rows(dict[int, dict[str, Action]]):
    """The parse table; a row is made when its state is first entered."""

    def __init__(self, rules: list[Rule]) -> None:
        super().__init__()
        self.rules = rules

    def __missing__(self, state: int) -> dict[str, Action]:
        shifts, reductions = tables.STATES[state]
        names = tables.NAMES
        row: dict[str, Action] = {}
        for at in range(0, len(reductions), 2):
            action = (Reduce, self.rules[reductions[at + 1]])
            row.update((names[name], action) for name in tables.LOOKAHEADS[reductions[at]])
        row.update((names[shifts[at]], (Shift, shifts[at + 1])) for at in range(0, len(shifts), 2))
        self[state] = row
        return row


class _Lexers(dict[int, BasicLexer]):
    """The lexers of the states; one is made when its state is first entered."""

    def __init__(self, conf: LexerConf, rows: _Rows) -> None:
        super().__init__()
        self.conf = conf
        self.rows = rows
        self.by_names: dict[frozenset[str], BasicLexer] = {}

    def __missing__(self, state: int) -> BasicLexer:
        known = self.conf.terminals_by_name
        always = self.conf.postlex.always_accept if self.conf.postlex else ()
        accepted = {*self.rows[state], *self.conf.ignore, *always}
        names = frozenset(name for name in accepted if name in known)
        lexer = self.by_names.get(names)
        if lexer is None:
            lexer = self.by_names.setdefault(names, _basic_lexer(self.conf, names))
        self[state] = lexer
        return lexer


def _basic_lexer(conf: LexerConf, names: Collection[str]) -> BasicLexer:
    terminals = [terminal for terminal in conf.terminals if terminal.name in names]
    one = LexerConf(terminals, re, conf.ignore, conf.postlex, skip_validation=True)
    return BasicLexer(one)


class _Lexer(ContextualLexer):
    """Lark's contextual lexer over lexers that are made on demand."""

    def __init__(self, conf: LexerConf, rows: _Rows) -> None:
        self.lexers: Any = _Lexers(conf, rows)
        self.root_lexer = _basic_lexer(conf, conf.terminals_by_name)


def load_parser(postlex: Any, transformer: object) -> Lark:
    """The parser that ``tables.py`` holds.

    Args:
        postlex: What makes blocks of indentation.
        transformer: What makes nodes of rules.

    Returns:
        A parser that gives the same trees as one made from the grammar.
    """
    parser = Lark.__new__(Lark)
    parser.options = LarkOptions({"parser": "lalr", "lexer": "contextual", "start": [START], "postlex": postlex,
                                  "keep_all_tokens": True, "maybe_placeholders": False, "transformer": transformer,
                                  "_plugins": {"LexerThread": Thread}})  # fmt: skip
    parser.source_path = "<saved>"
    parser.rules = _rules()
    parser.terminals = [_terminal(*entry) for entry in tables.TERMINALS]
    parser._terminals_dict = {terminal.name: terminal for terminal in parser.terminals}
    parser.ignore_tokens = list(tables.IGNORED)
    parser.lexer_conf = LexerConf(parser.terminals, re, tables.IGNORED, postlex, skip_validation=True)
    parser.lexer_conf.lexer_type = "contextual"
    parser._prepare_callbacks()
    parser.parser = _frontend(parser, _Rows(parser.rules))
    return parser


def _frontend(parser: Lark, rows: _Rows) -> ParsingFrontend:
    table: Any = _IntParseTable(rows, {START: tables.FIRST}, {START: tables.LAST})
    lalr = LALR_Parser.__new__(LALR_Parser)
    lalr._parse_table = table
    lalr.parser = _Parser(table, parser._callbacks, False)
    conf = ParserConf(parser.rules, parser._callbacks, [START])
    conf.parser_type = "lalr"
    parser.options.options["_plugins"]["ContextualLexer"] = lambda lexer_conf, *_, **__: _Lexer(lexer_conf, rows)
    return ParsingFrontend(parser.lexer_conf, conf, parser.options, parser=lalr)


def _rules() -> list[Rule]:
    symbols: list[Any] = [
        Terminal(name, left_out) if is_terminal else NonTerminal(name) for name, is_terminal, left_out in tables.SYMBOLS
    ]
    return [
        Rule(symbols[origin], [symbols[number] for number in expansion], order, alias,
             RuleOptions(keep, expand, None, None, empty))
        for origin, expansion, order, alias, keep, expand, empty in tables.RULES
    ]  # fmt: skip


def _terminal(name: str, is_word: bool, value: str, flags: tuple[str, ...], priority: int, *widths: int) -> TerminalDef:
    if is_word:
        return TerminalDef(name, PatternStr(value, flags), priority)
    pattern = PatternRE(value, flags)
    pattern._width = list(widths)
    return TerminalDef(name, pattern, priority)
