"""Texts that are nearly right: what people type by accident, by the thousand.

``python tests/fuzz/mutate.py 10000`` parses and lays out that many mutations of the shipped rules and of the manual's
blocks, and stops at the first that raises an exception or takes more than a second. The same seed gives the same texts.
"""

import random
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from enfilade.source.text import SourceFile
from enfilade.syntax.parser import parse_module
from enfilade.tools.format import format_source

ROOT: Final = Path(__file__).resolve().parents[2]
SECONDS: Final = 1.0
_BLOCK: Final = re.compile(r"```rules\n(.*?)```", re.DOTALL)
_TOKEN: Final = re.compile(r'"[^"\n]*"|[A-Za-z_]\w*|[0-9]+|[ \t]+|\n[ \t]*|.')
_STRANGE: Final = [
    '"', "(", ")", "[", "]", "|", "..", "--", "-- x", "\t", "\r", "\n", "\r\n", "\n\n", "  ", ".", ",", ":", "=", "==", "#", "<",
    "not ", "when ", "otherwise ", "of ", "where ", "1", "0", "d6", "2d6", "3..5", "..", "yes/no", "М", "”", "×", "é",
    "😀", "\u00a0", "99999999999999999999", "1.5", "1.", "+", "-", "*", "/", "chart ", "replace ", "add to ", "\\", "`",
]  # fmt: skip


def seeds() -> list[str]:
    """The blocks of the manual and the shipped texts."""
    texts = _BLOCK.findall((ROOT / "docs" / "language.md").read_text(encoding="utf-8"))
    for folder in ("rulesets", "stdlib", "tests/generality"):
        texts += [path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).rglob("*.rules"))]
    return texts


def mutations(count: int, seed: int = 1) -> Iterator[str]:
    """So many texts with some slips each.

    Args:
        count: How many.
        seed: What chooses them.
    """
    choose = random.Random(seed)
    texts = seeds()
    for _ in range(count):
        text = choose.choice(texts)
        for _ in range(choose.choice([1, 1, 1, 2, 3, 8])):
            text = _mutated(text, choose)
        yield text


def _mutated(text: str, choose: random.Random) -> str:
    pieces = _TOKEN.findall(text) if choose.random() < 0.7 else list(text)
    if not pieces:
        return choose.choice(_STRANGE)
    at = choose.randrange(len(pieces))
    to = min(at + choose.choice([1, 1, 1, 2, 5, 20]), len(pieces))
    match choose.randrange(6):
        case 0:
            del pieces[at:to]
        case 1:
            pieces.insert(at, choose.choice(_STRANGE))
        case 2:
            pieces[at:at] = pieces[at:to]
        case 3:
            pieces.insert(at, pieces[choose.randrange(len(pieces))])
        case 4:
            pieces[at], pieces[to - 1] = pieces[to - 1], pieces[at]
        case _:
            pieces[at:to] = [choose.choice(_STRANGE)]
    return "".join(pieces)


def seconds_for(text: str) -> float:
    """How long it takes to parse and to lay out a text; what was laid out keeps its tree and stays as it is.

    Raises:
        AssertionError: It does not.
    """
    start = time.perf_counter()
    parsed = parse_module(SourceFile("<text>", text))
    formatted = format_source(SourceFile("<text>", text)).text
    taken = time.perf_counter() - start
    if formatted != text:
        assert parse_module(SourceFile("<text>", formatted)).module == parsed.module
        assert format_source(SourceFile("<text>", formatted)).text == formatted
    return taken


def main() -> None:
    """Try as many texts as the command line says."""
    count, seed = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    slowest = 0.0
    for number, text in enumerate(mutations(count, seed)):
        try:
            taken = seconds_for(text)
        except BaseException:
            print(f"mutation {number}:\n{text}", file=sys.stderr)
            raise
        slowest = max(slowest, taken)
        assert taken < SECONDS, f"{taken:.1f} s for {text!r}"
    print(f"{count} texts, the slowest {1000 * slowest:.0f} ms")


if __name__ == "__main__":
    main()
