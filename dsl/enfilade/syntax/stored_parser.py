"""The LALR parser, made from the stored parse table instead of the grammar.

Making the parse table takes half a second; reading the stored one takes some milliseconds. Rows of the table and
lexers of the states are made when a parse first reaches them. A table made from another grammar or by another series
of Lark is not used.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from lark import TextSlice, Token
from lark.common import LexerConf
from lark.exceptions import UnexpectedInput
from lark.grammar import NonTerminal, Rule, Terminal
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
from lark.parser_frontends import PostLexConnector
from lark.parsers.lalr_analysis import IntParseTable, Reduce, Shift
from lark.parsers.lalr_interactive_parser import InteractiveParser
from lark.parsers.lalr_parser_state import ParseConf, ParserState

from enfilade.syntax import special_rules
from enfilade.syntax.build import Callback, callback, flat
from enfilade.syntax.grammar import grammar_digest, lark_series
from enfilade.syntax.indentation import Indenter
from enfilade.syntax.tables import Tables

Action = tuple[Any, Any]


def is_current(tables: Tables) -> bool:
    """Whether *tables* were made from this grammar by this series of Lark."""
    return lark_series() == tables.lark and grammar_digest() == tables.grammar


class StoredParser:
    """An LALR parser over a table of the grammar.

    Lark has no public way to make a parser from stored tables without pickle, so this is Lark's own parser loop around
    Lark's public parts: its lexers and its parse states.

    Args:
        tables: The parse table.
    """

    def __init__(self, tables: Tables) -> None:
        # Lark does not declare their types.
        untyped_table: Any = IntParseTable
        untyped_connector: Any = PostLexConnector
        rules = _rules(tables)
        rows = _Rows(tables, rules)
        self.callbacks = _Callbacks(tables, rules)
        self.table = untyped_table(rows, tables.first, tables.last)
        terminals = [_terminal(*entry) for entry in tables.terminals]
        layout = Indenter()
        conf = LexerConf(terminals, re, tables.ignored, layout, skip_validation=True)
        self.lexer = untyped_connector(_Lexer(conf, rows), layout)

    def parse(self, text: TextSlice[str], start: str) -> Any:
        """Parse a text.

        Args:
            text: The text.
            start: The start symbol.

        Returns:
            The transformer's result for the start symbol.

        Raises:
            UnexpectedInput: The text does not match.
        """
        return self.parse_from_state(self._state(text, start))

    def parse_interactive(self, text: TextSlice[str], start: str) -> InteractiveParser:
        """A parser that can be stopped at any token, to find the tokens that may follow."""
        untyped: Any = InteractiveParser
        state = self._state(text, start)
        parser: InteractiveParser = untyped(self, state, state.lexer)
        return parser

    def parse_from_state(self, state: ParserState[int], last_token: Token | None = None) -> Any:
        """Feed the rest of the tokens; Lark's interactive parser calls this to go on."""
        untyped: Any = InteractiveParser
        token = last_token
        try:
            for token in state.lexer.lex(state):  # type: ignore[no-untyped-call]  # Lark has no types here
                state.feed_token(token)
            end = Token.new_borrow_pos("$END", "", token) if token is not None else Token("$END", "", 0, 1, 1)
            return state.feed_token(end, is_end=True)
        except UnexpectedInput as error:
            error.interactive_parser = untyped(self, state, state.lexer)
            raise

    def _state(self, text: TextSlice[str], start: str) -> ParserState[int]:
        # Lark would count the lines before the slice first, but positions here are offsets.
        counter: Any = LineCounter("\n")  # type: ignore[no-untyped-call]  # Lark has no types here
        counter.char_pos = text.start
        untyped: Any = ParserState
        thread = LexerThread(self.lexer, LexerState(text, counter))
        untyped_conf: Any = ParseConf
        state: ParserState[int] = untyped(untyped_conf(self.table, self.callbacks, start), thread)
        return state


class _Rows(dict[int, dict[str, Action]]):
    """The rows of the parse table; each is made when its state is first entered."""

    def __init__(self, tables: Tables, rules: list[Rule]) -> None:
        super().__init__()
        self.tables = tables
        self.rules = rules

    def __missing__(self, state: int) -> dict[str, Action]:
        tables = self.tables
        shifts, reductions = tables.states[state]
        names = tables.names
        row: dict[str, Action] = {}
        for at in range(0, len(reductions), 2):
            action = (Reduce, self.rules[reductions[at + 1]])
            row.update((names[name], action) for name in tables.lookaheads[reductions[at]])
        row.update((names[shifts[at]], (Shift, shifts[at + 1])) for at in range(0, len(shifts), 2))
        self[state] = row
        return row


class _Callbacks(dict[Rule, Callback]):
    """What makes the nodes of the rules; each is made when its rule is first completed."""

    def __init__(self, tables: Tables, rules: list[Rule]) -> None:
        super().__init__()
        self.tables = tables
        self.numbers = {rule: number for number, rule in enumerate(rules)}

    def __bool__(self) -> bool:
        """Lark calls none if there are none yet."""
        return True

    def __missing__(self, rule: Rule) -> Callback:
        _, expansion, made, in_place, labels = self.tables.rules[self.numbers[rule]]
        symbols = [self.tables.symbols[each] for each in expansion]
        special = getattr(special_rules, made, None) if made[0] != "_" else None
        found = callback(made, symbols, labels, in_place)
        if special is not None:
            found = lambda children: special(flat(children))  # noqa: E731  # each is one expression
        self[rule] = found
        return found


class _Lexers(dict[int, BasicLexer]):
    """The lexers of the states; each is made when its state is first entered."""

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


class _Lexer(ContextualLexer):
    """Lark's contextual lexer, with the lexers of the states made on demand."""

    def __init__(self, conf: LexerConf, rows: _Rows) -> None:
        self.lexers: Any = _Lexers(conf, rows)
        self.root_lexer = _basic_lexer(conf, conf.terminals_by_name)


def _basic_lexer(conf: LexerConf, names: Collection[str]) -> BasicLexer:
    terminals = [terminal for terminal in conf.terminals if terminal.name in names]
    return BasicLexer(LexerConf(terminals, re, conf.ignore, conf.postlex, skip_validation=True))


def _rules(tables: Tables) -> list[Rule]:
    symbols: list[Any] = [(Terminal if is_terminal else NonTerminal)(name) for name, is_terminal in tables.symbols]
    return [
        Rule(symbols[origin], [symbols[number] for number in expansion], order)
        for order, (origin, expansion, *_) in enumerate(tables.rules)
    ]


def _terminal(name: str, is_word: bool, value: str, flags: Collection[str], priority: int) -> TerminalDef:
    pattern = PatternStr(value, flags) if is_word else PatternRE(value, flags)
    return TerminalDef(name, pattern, priority)
