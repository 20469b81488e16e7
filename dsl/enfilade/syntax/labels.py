"""The labels of the grammar: which child of a rule goes into which field of its node.

Lark's grammars have no labels, so they are read here and left out of what Lark reads. A label, `value:expr`, stands
before a symbol or before a group of alternatives: `how:("down" | "up")`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

_LABEL: Final = re.compile(r"\b([a-z_]+):(?=[A-Za-z_\"(])")
_HEAD: Final = re.compile(r"^[?]?(_?[a-z_]+)[ ]*:(?=\s)", re.MULTILINE)
_PIECE: Final = re.compile(
    r"\s+|(?P<alias>->\s*\w+)|(?P<label>[a-z_]+):(?=[A-Za-z_\"(])|(?P<symbol>\"[^\"]*\"|\w+)|(?P<mark>[][()|*+?])"
)
_PHRASE: Final = re.compile(r'"[a-z]+(?: [a-z]+)+"')
_BLANKS: Final = r"[ \t]+"
_TERMINALS: Final = re.compile(r"^[A-Z_]+(?:\.-?[0-9]+)?:", re.MULTILINE)

Labels = dict[str, list[re.Pattern[str]]]
"""The alternatives of each rule or alias, as patterns over the names of their symbols; the groups are the labels."""


def plain_grammar(grammar: str) -> str:
    """The grammar as Lark reads it: without labels, and with a terminal for each phrase of several words."""
    rules, terminals = _parts(grammar)
    phrases = sorted(set(_PHRASE.findall(rules)))
    named = [f"{name_of(phrase)}.2: /{phrase[1:-1].replace(' ', _BLANKS)}\\b/\n" for phrase in phrases]
    return _PHRASE.sub(lambda found: name_of(found[0]), _LABEL.sub("", rules)) + "".join(named) + terminals


def name_of(phrase: str) -> str:
    """The terminal of a phrase in quotes."""
    return phrase[1:-1].upper().replace(" ", "_")


def labels_of(grammar: str, names: Mapping[str, str]) -> Labels:
    """Read the labels of a grammar.

    Args:
        grammar: Its text.
        names: The names of the terminals that are written as strings.
    """
    rules = re.sub(r"//[^\n]*", "", _parts(grammar)[0])
    heads = list(_HEAD.finditer(rules))
    found: Labels = {}
    for head, after in zip(heads, [*[each.start() for each in heads[1:]], len(rules)], strict=True):
        for name, pattern in _alternatives(rules[head.end() : after], names):
            found.setdefault(name or head[1], []).append(re.compile(pattern))
    return found


def fields_of(rule: str, symbols: Sequence[str], labels: Labels) -> tuple[str, ...]:
    """The label of each symbol of an expanded rule, ``""`` for one without; nothing if none has a label."""
    text = "".join(f"{symbol} " for symbol in symbols)
    for pattern in labels.get(rule, ()):
        if match := pattern.fullmatch(text):
            found = [""] * len(symbols)
            for group in match.groupdict():
                if match.start(group) >= 0:
                    found[text.count(" ", 0, match.start(group))] = group.rpartition("__")[0]
            return tuple(found) if any(found) else ()
    return ()


def _parts(grammar: str) -> tuple[str, str]:
    at = next(_TERMINALS.finditer(grammar)).start()
    return grammar[:at], grammar[at:]


def _alternatives(body: str, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The alternatives of a rule, each with its alias or nothing, as patterns."""
    alias, pattern = "", ""
    inside: list[str] = []
    label = ""
    for number, piece in enumerate(_PIECE.finditer(body)):
        mark = piece["mark"]
        if mark == "|" and not inside:
            yield alias, pattern
            alias = pattern = ""
        elif mark in ("(", "["):
            inside.append(label or (inside[-1] if inside else ""))
            pattern += "(?:"
            label = ""
        elif mark in (")", "]"):
            inside.pop()
            pattern += ")" if mark == ")" else ")?"
        elif mark:
            pattern += mark
        elif piece["alias"]:
            alias = piece["alias"][2:].strip()
        elif piece["label"]:
            label = piece["label"]
        elif piece["symbol"]:
            of = label or (inside[-1] if inside else "")
            text = piece["symbol"]
            symbol = name_of(text) if _PHRASE.fullmatch(text) else names.get(text, text)
            pattern += f"(?P<{of}__{number}>{symbol} )" if of else f"(?:{symbol} )"
            label = ""
    yield alias, pattern
