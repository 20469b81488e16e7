"""Writes ``tables.py``, the saved form of the parser, from the grammar.

Run ``python -m enfilade.syntax.generate`` after every change of ``grammar.lark``; a test says when that was forgotten.
The form is Python literals: it can be read by a person, and to load it runs nothing that a text could contain.
"""

from __future__ import annotations

from pathlib import Path
from pprint import pformat
from typing import Any, Final

from lark.grammar import Rule, Symbol, Terminal
from lark.lexer import PatternStr, TerminalDef
from lark.parsers.lalr_analysis import Shift

from enfilade.syntax.grammar import START, grammar_digest, lark_series, parser_from_grammar

UNBOUNDED: Final = 2**32 - 1
_HEAD = '''"""The tables of the parser, made from ``grammar.lark`` by ``python -m enfilade.syntax.generate``. Not to be edited."""

from typing import Final

'''


def tables_text() -> str:
    """The text of ``tables.py`` for the grammar as it stands.

    Returns:
        A module that assigns only literals; the same for the same grammar and the same series of Lark.
    """
    lark = parser_from_grammar(None)
    ordered = sorted(lark.rules, key=lambda rule: (str(rule.origin.name), rule.order, str(rule)))
    symbols = _symbols(ordered)
    rules = {rule: number for number, rule in enumerate(ordered)}
    table = lark.parser.parser._parse_table
    lookaheads: dict[tuple[int, ...], int] = {}
    names = _names(table.states)
    states = _numbered(table.states, table.start_states[START])
    rows = [_row(table.states[state], names, rules, states, lookaheads) for state in states]
    parts = {
        "LARK": lark_series(),
        "GRAMMAR": grammar_digest(),
        "IGNORED": tuple(sorted(map(str, lark.lexer_conf.ignore))),
        "FIRST": states[table.start_states[START]],
        "LAST": states[table.end_states[START]],
        "TERMINALS": tuple(_terminal(terminal) for terminal in lark.terminals),
        "SYMBOLS": tuple(symbols),
        "RULES": tuple(_rule(rule, symbols) for rule in ordered),
        "NAMES": tuple(names),
        "LOOKAHEADS": tuple(lookaheads),
        "STATES": tuple(rows),
    }
    return _HEAD + "\n".join(f"{name}: Final = {_literal(value)}" for name, value in parts.items()) + "\n"


def _literal(value: object) -> str:
    if isinstance(value, tuple):
        return "(\n" + "".join(f"    {item!r},\n" for item in value) + ")"
    return pformat(value)


def _numbered(states: dict[int, dict[str, Any]], first: int) -> dict[int, int]:
    """New numbers for the states, in the order in which they are come to: Lark's own change from run to run."""
    numbers = {first: 0}
    for state in (queue := [first]):
        for _, (action, target) in sorted(states[state].items()):
            if action is Shift and target not in numbers:
                numbers[target] = len(numbers)
                queue.append(target)
    return numbers


def _symbols(rules: list[Rule]) -> dict[tuple[str, bool, bool], int]:
    """Each symbol that stands in a rule, by name, whether it is a terminal, and whether it is left out."""
    found: dict[tuple[str, bool, bool], int] = {}
    for rule in rules:
        for symbol in (rule.origin, *rule.expansion):
            found.setdefault(_symbol(symbol), len(found))
    return found


def _symbol(symbol: Symbol) -> tuple[str, bool, bool]:
    return str(symbol.name), symbol.is_term, isinstance(symbol, Terminal) and symbol.filter_out


def _names(states: dict[int, dict[str, Any]]) -> dict[str, int]:
    """The names that stand in the rows, the frequent ones first, so that their numbers are short."""
    counts: dict[str, int] = {}
    for row in states.values():
        for name in row:
            counts[str(name)] = counts.get(name, 0) + 1
    ordered = sorted(counts, key=lambda name: (-counts[name], name))
    return {name: number for number, name in enumerate(ordered)}


def _terminal(terminal: TerminalDef) -> tuple[object, ...]:
    pattern = terminal.pattern
    is_word = isinstance(pattern, PatternStr)
    # What is without bound has another number in each Python.
    widths = () if is_word else (pattern.min_width, min(pattern.max_width, UNBOUNDED))
    return (str(terminal.name), is_word, pattern.value, tuple(sorted(pattern.flags)), terminal.priority, *widths)


def _rule(rule: Rule, symbols: dict[tuple[str, bool, bool], int]) -> tuple[object, ...]:
    expansion = tuple(symbols[_symbol(symbol)] for symbol in rule.expansion)
    options = rule.options
    return (symbols[_symbol(rule.origin)], expansion, rule.order, rule.alias and str(rule.alias), options.keep_all_tokens,
            options.expand1, options.empty_indices)  # fmt: skip


def _row(
    actions: dict[str, tuple[object, Any]],
    names: dict[str, int],
    rules: dict[Rule, int],
    states: dict[int, int],
    lookaheads: dict[tuple[int, ...], int],
) -> tuple[tuple[int, ...], ...]:
    """A state as (name, next state, ...) for the shifts and (names, rule, ...) for the reductions."""
    shifts: list[int] = []
    reduced: dict[int, list[int]] = {}
    for name in sorted(actions, key=names.__getitem__):
        action, argument = actions[name]
        if action is Shift:
            shifts += [names[name], states[argument]]
        else:
            reduced.setdefault(rules[argument], []).append(names[name])
    reductions: list[int] = []
    for rule, found in reduced.items():
        reductions += [lookaheads.setdefault(tuple(found), len(lookaheads)), rule]
    return tuple(shifts), tuple(reductions)


def main() -> None:
    """Write the module beside this one."""
    Path(__file__).with_name("tables.py").write_text(tables_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
