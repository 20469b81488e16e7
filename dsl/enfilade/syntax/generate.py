"""Generates the LALR parse table from the grammar and stores it as JSON.

Run ``python -m enfilade.syntax.generate`` after every change of ``grammar.lark``; a test fails if you forget.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from attrs import asdict
from lark.grammar import Rule, Symbol
from lark.lexer import PatternStr, TerminalDef
from lark.parsers.lalr_analysis import Shift

from enfilade.syntax.grammar import grammar_digest, grammar_text, lark_parser, lark_series
from enfilade.syntax.labels import Labels, fields_of, labels_of
from enfilade.syntax.tables import FILE, Tables


def generate_tables() -> Tables:
    """Make the parse table of the grammar; it depends only on the grammar and the release series of Lark."""
    lark = lark_parser()
    texts = {
        f'"{each.pattern.value}"': str(each.name) for each in lark.terminals if isinstance(each.pattern, PatternStr)
    }
    labels = labels_of(grammar_text(), texts)
    ordered = sorted(lark.rules, key=lambda rule: (str(rule.origin.name), rule.order, str(rule)))
    symbols = _symbols(ordered)
    rules = {rule: number for number, rule in enumerate(ordered)}
    # Lark has no public access to the parse table.
    table = lark.parser.parser.parser.parse_table
    lookaheads: dict[tuple[int, ...], int] = {}
    names = _names(table.states)
    states = _numbered(table.states, table.start_states)
    rows = tuple(_row(table.states[state], names, rules, states, lookaheads) for state in states)
    return Tables(
        lark=lark_series(),
        grammar=grammar_digest(),
        ignored=tuple(sorted(map(str, lark.lexer_conf.ignore))),
        first={start: states[state] for start, state in sorted(table.start_states.items())},
        last={start: states[state] for start, state in sorted(table.end_states.items())},
        terminals=tuple(_terminal(terminal) for terminal in lark.terminals),
        symbols=tuple(symbols),
        rules=tuple(_rule(rule, symbols, labels) for rule in ordered),
        names=tuple(names),
        lookaheads=tuple(lookaheads),
        states=rows,
    )


def tables_text() -> str:
    """The text of the stored parse table: JSON, one line for each part."""
    parts = asdict(generate_tables(), recurse=False)
    lines = (f"{json.dumps(name)}:{json.dumps(value, separators=(',', ':'))}" for name, value in parts.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _numbered(states: dict[int, dict[str, Any]], starts: dict[str, int]) -> dict[int, int]:
    """Number the states in breadth-first order from the start states: Lark's own numbers change from run to run."""
    numbers = {starts[name]: number for number, name in enumerate(sorted(starts))}
    for state in (queue := list(numbers)):
        for _, (action, target) in sorted(states[state].items()):
            if action is Shift and target not in numbers:
                numbers[target] = len(numbers)
                queue.append(target)
    return numbers


def _symbols(rules: list[Rule]) -> dict[tuple[str, bool], int]:
    """Number the symbols of the rules, identified by name, and terminal or not."""
    found: dict[tuple[str, bool], int] = {}
    for rule in rules:
        for symbol in (rule.origin, *rule.expansion):
            found.setdefault(_symbol(symbol), len(found))
    return found


def _symbol(symbol: Symbol) -> tuple[str, bool]:
    return str(symbol.name), symbol.is_term


def _names(states: dict[int, dict[str, Any]]) -> dict[str, int]:
    """The names in the rows, most frequent first, so frequent names get short numbers."""
    counts: dict[str, int] = {}
    for row in states.values():
        for name in row:
            counts[str(name)] = counts.get(name, 0) + 1
    ordered = sorted(counts, key=lambda name: (-counts[name], name))
    return {name: number for number, name in enumerate(ordered)}


def _terminal(terminal: TerminalDef) -> tuple[str, bool, str, tuple[str, ...], int]:
    pattern = terminal.pattern
    is_word = isinstance(pattern, PatternStr)
    return str(terminal.name), is_word, pattern.value, tuple(sorted(pattern.flags)), terminal.priority


def _rule(
    rule: Rule, symbols: dict[tuple[str, bool], int], labels: Labels
) -> tuple[int, tuple[int, ...], str, bool, tuple[str, ...]]:
    made = str(rule.alias or rule.origin.name)
    fields = fields_of(made, [str(symbol.name) for symbol in rule.expansion], labels)
    expansion = tuple(symbols[_symbol(symbol)] for symbol in rule.expansion)
    return symbols[_symbol(rule.origin)], expansion, made, rule.options.expand1 and not rule.alias, fields


def _row(
    actions: dict[str, tuple[object, Any]],
    names: dict[str, int],
    rules: dict[Rule, int],
    states: dict[int, int],
    lookaheads: dict[tuple[int, ...], int],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
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
    """Write the file beside this module."""
    Path(__file__).with_name(FILE).write_text(tables_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
