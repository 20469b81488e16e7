"""Grammatical texts by chance: derivations of the stored grammar, with names that a common head declares.

Each production of the grammar is as likely as the others until the text is deep enough; then the shortest derivation is
taken. So most texts parse, and most are wrong in their types. Names, words and numbers come from small sets, so names
often mean something.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Final

from tests.odds.rulesets import HEAD

from enfilade.syntax.tables import stored_tables

MOST_TOKENS: Final = 400
_DEEP: Final = 16
_NAMES: Final = [
    "unit",
    "steps",
    "hurt",
    "mark",
    "n",
    "bonus",
    "units",
    "chief",
    "odd",
    "zero",
    "late",
    "chits",
    "hit",
    "check",
    "marked",
    "told",
    "table",
    "shifts",
    "rolled",
    "sub",
    "k",
    "pair",
    "out",
    "owner",
    "enemy",
    "a",
    "b",
    "x",
    "amount",
    "modifier",
    "reader",
    "code",
    "total",
    "natural",
    "values",
]
_SAMPLES: Final = {
    "NDICE": ["2d6", "3d4"], "DIE": ["d6", "d10"], "RANGE": ["0..5", "1..", "..3", "-2..2"], "DECIMAL": ["1.5"],
    "INT": ["0", "1", "2", "3", "12"], "RATIO": ["1:2", "3:1"], "AMOUNT": ["+1", "-1", "+2"], "STEP": ["1.", "2."],
    "HASH": ["#", "#a"], "STRING": ['"a text"', '"M"', '""'], "CITATION": ["[4.2]"], "CODE": ["-", "M", "X", "M1", "3..4", "1"],
    "GIVEN_NUMBER": ["1", "2"], "BARE": ["M1"], "ANSWER": ["3", "a"], "ROW_TEXT": ["| 1..3 | - | M | X |", "| 4..6 | M | X | - |"],
    "TAB_TEXT": ["1..3\tM\tX"], "COMMENT": ["-- a comment"], "LIST_LEAST": ["at least"], "OR_NONE": ["or none"], "OR_MORE": ["or more"],
    "OR_LESS": ["or less"], "OR_WORSE": ["or worse"], "OR_BETTER": ["or better"], "SPREAD_OVER": ["spread evenly over"],
    "FIELDS_OF": ["fields of"], "CARDS_EACH": ["cards each"], "FLAG": ["yes/no"],
}  # fmt: skip
_NEWLINES: Final = ("_NL", "_ROW_NL", "_TAB_NL")


def grammar_texts(rng: random.Random) -> Iterator[str]:
    """Texts of one to three generated declarations below the head, without end."""
    while True:
        head = HEAD if rng.random() < 0.8 else ""
        yield head + "\n" + "".join(_written(_derived("declaration", rng)) for _ in range(rng.choice([1, 1, 2, 3])))


@cache
def _rules() -> dict[str, list[tuple[str, ...]]]:
    table = stored_tables()
    names = [str(symbol[0]) for symbol in table.symbols]
    found: dict[str, list[tuple[str, ...]]] = {}
    for origin, expansion, *_ in table.rules:
        found.setdefault(names[origin], []).append(tuple(names[each] for each in expansion))
    return found


@cache
def _depths() -> dict[str, int]:
    """The height of the smallest derivation of each symbol: a least fixpoint."""
    depths: dict[str, int] = {}
    while True:
        found = {name: min((_height(each, depths) for each in of), default=_DEEP) for name, of in _rules().items()}
        if found == depths:
            return depths
        depths = found


def _height(expansion: tuple[str, ...], depths: dict[str, int]) -> int:
    return 1 + max((depths.get(each, 10**6) if each in _rules() else 0 for each in expansion), default=0)


def _derived(start: str, rng: random.Random) -> list[str]:
    """The terminals of a random derivation."""
    found: list[str] = []
    stack = [(start, 0)]
    while stack and len(found) < MOST_TOKENS:
        name, depth = stack.pop()
        if name not in _rules():
            found.append(name)
            continue
        expansions = _rules()[name]
        if depth > _DEEP or len(found) + len(stack) > MOST_TOKENS // 2:
            expansions = [min(expansions, key=lambda each: _height(each, _depths()))]
        stack += [(each, depth + 1) for each in reversed(rng.choice(expansions))]
    return [_text_of(name, rng) for name in found]


@cache
def _fixed() -> dict[str, str]:
    return {str(name): str(text) for name, is_text, text, *_ in stored_tables().terminals if is_text}


def _text_of(name: str, rng: random.Random) -> str:
    if name in _fixed():
        return _fixed()[name]
    if name in _NEWLINES or name in ("_INDENT", "_DEDENT"):
        return name
    if name in ("NAME", "GIVEN_NAME"):
        return rng.choice(_NAMES)
    # A terminal with a look-ahead: its words are the beginning of its name.
    return rng.choice(_SAMPLES.get(name) or [name.lower().removesuffix("_of").partition("_")[0]])


def _written(tokens: list[str]) -> str:
    """The terminals as text: a newline begins a line at the indentation of its block."""
    text, indent = "", 0
    lines: list[str] = []
    for token in tokens:
        if token in _NEWLINES:
            lines.append("  " * indent + text.strip())
            text = ""
        elif token == "_INDENT":
            indent += 1
        elif token == "_DEDENT":
            indent -= 1
        else:
            text += token if token in (".", ")", "]", ",") else f" {token}"
            text = text.replace("( ", "(").replace(". ", ".") if token in _NAMES else text
    return "\n".join([*lines, "  " * max(indent, 0) + text.strip()]) + "\n"
